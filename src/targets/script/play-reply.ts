import { setTimeout as sleep } from "node:timers/promises";
import type { Activation, EndEvent, TrialError, TrialEvent } from "../../model/index.ts";
import type { Asking } from "../target.ts";
import type { Script, ScriptedReply } from "./schema.ts";

export interface Playing {
  script: Script;
  reply: ScriptedReply;
  latency: number;
  error?: TrialError;
  asking: Asking;
}

/** An instant reply is a plain list, which costs next to nothing. */
export function playReply(playing: Playing): AsyncIterable<TrialEvent> | Iterable<TrialEvent> {
  const { reply, latency } = playing;
  const instant = latency === 0 && reply.fault === undefined && reply.flood === undefined && !reply.tail;
  return instant ? answerEvents(playing) : playSlowly(playing);
}

async function* playSlowly(playing: Playing): AsyncGenerator<TrialEvent> {
  const { reply, latency, asking } = playing;
  if (latency > 0 && !(await wait(latency, asking.signal))) return;
  if (reply.fault === "deaf") await new Promise(() => {});
  if (reply.fault === "hang") await wait(2 ** 31 - 1, asking.signal);
  if (reply.flood !== undefined) yield* flood(reply.flood);
  const events = answerEvents(playing);
  const end = events.pop();
  yield* events;
  if (end?.type !== "end") return;
  if (reply.tail && end.how !== "stopped" && !(await wait(reply.tail, asking.signal))) return;
  yield* endOrFault(reply, end);
}

/** Some faults yield what is not an event at all: that is the point. */
function* endOrFault({ fault }: ScriptedReply, end: EndEvent): Generator<TrialEvent> {
  switch (fault) {
    case "crash":
      throw new Error("scripted crash");
    case "cut":
    case "hang":
      return;
    case "half_line":
      yield '{"type":"activation","sk' as unknown as TrialEvent;
      return;
    case "invalid_text":
      yield { type: "text", turn: 1, text: "caf\udce9" };
      break;
    case "lie_skill":
      yield { type: "activation", skill: "a-skill-nobody-has", turn: 1, evidence: "loaded" };
      break;
    case "lie_evidence":
      yield { type: "activation", skill: "a-skill", turn: 1, evidence: "sworn" } as unknown as TrialEvent;
      break;
    case "lie_model":
      yield { ...end, model: "somebody-else" };
      return;
  }
  yield end;
}

function answerEvents({ script, reply, error, asking }: Playing): TrialEvent[] {
  if (error !== undefined) return [{ type: "end", how: "error", error, ...closing(script, reply) }];
  const events: TrialEvent[] = [];
  const activations: Activation[] = [];
  let how: EndEvent["how"] = "completed";
  for (const one of reply.skills) {
    const given = typeof one === "string" ? { skill: one, turn: 1 } : one;
    const { skill, turn, agent } = given;
    const evidence = ("evidence" in given ? given.evidence : undefined) ?? (script.predicted ? "predicted" : "loaded");
    const activation: Activation = { skill, turn, evidence, agent };
    activations.push(activation);
    events.push({ type: "activation", ...activation });
    if (asking.decided(activations)) {
      how = "stopped";
      break;
    }
  }
  reply.calls.forEach(({ tool, input, ok, result }, index) => {
    if (how === "stopped") return;
    events.push({ type: "call", turn: 1, id: `call-${index + 1}`, tool, input });
    events.push({ type: "result", id: `call-${index + 1}`, ok, text: result });
  });
  const lastTurn = activations.reduce((turn, activation) => Math.max(turn, activation.turn), 1);
  if (reply.text !== undefined && how !== "stopped") events.push({ type: "text", turn: lastTurn, text: reply.text });
  events.push({ type: "end", how, ...closing(script, reply) });
  return events;
}

function closing(script: Script, { cost, usage, listing, model }: ScriptedReply): Omit<EndEvent, "type" | "how"> {
  const declared = script.cost_per_trial === "unknown" ? null : script.cost_per_trial;
  const costUsd = cost === undefined ? declared : cost;
  return {
    costUsd: costUsd ?? undefined,
    model: model ?? script.model,
    listing: listing && Object.entries(listing).map(([skill, shown]) => ({ skill, shown })),
    usage: usage && {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadTokens: usage.cache_read_tokens,
      cacheWriteTokens: usage.cache_write_tokens,
    },
  };
}

function* flood(bytes: number): Generator<TrialEvent> {
  const chunk = "all work and no play makes a dull answer ".repeat(1_600);
  for (let sent = 0; sent < bytes; sent += chunk.length) yield { type: "text", turn: 1, text: chunk };
}

async function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
