import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel } from "ai";
import type { Identity } from "../../model/index.ts";
import { addUsage, type TrialError, type Usage } from "../../model/index.ts";
import { callModel } from "./call.ts";
import { costOf, modelPrice } from "./prices.ts";
import { connect } from "./providers.ts";
import type { ModelOptions } from "./settings.ts";
import { parseModelSpec } from "./spec.ts";

const ATTEMPTS = 4;
const MAX_TOKENS = 1_000;

export interface TextJudge {
  identity: Identity;
  /** Expected cost of one judgement, and its maximum by token limit; null if unknown. */
  expectedUsd: number | null;
  mostUsd: number | null;
  /** Never throws. `timeoutMs` says when the signal will fire. */
  ask(
    words: { system: string; prompt: string },
    limit: { signal: AbortSignal; timeoutMs: number },
  ): Promise<JudgedText>;
}

type JudgedText = { costUsd?: number; usage?: Usage } & (
  | { status: "text"; text: string; cut: boolean }
  | { status: "error"; message: string }
);

/** Judges by the name suites ask for. `always` replaces them all. Keys are checked before anything is paid for. */
export async function textJudges(
  models: Iterable<string>,
  options: ModelOptions & { always?: string },
): Promise<(name: string | undefined) => TextJudge | undefined> {
  const { always } = options;
  const judges = new Map<string, TextJudge>();
  for (const name of always === undefined ? new Set(models) : [always])
    judges.set(
      name,
      name.startsWith("cli/") ? await cliJudge(name.slice("cli/".length), options) : modelJudge(name, options),
    );
  return (name) => judges.get(always ?? name ?? "");
}

function modelJudge(name: string, options: ModelOptions): TextJudge {
  const spec = parseModelSpec(name);
  const connection = connect(spec, { env: options.env, providers: options.providers });
  const price = modelPrice(spec, options);
  let model: Promise<LanguageModel> | undefined;
  return {
    identity: {
      provider: spec.provider,
      model: spec.model,
      endpoint: connection.endpoint,
      options: { role: "text judge", max_tokens: MAX_TOKENS },
      deterministic: false,
    },
    ...judgementCost(name, options),
    ask: ({ system, prompt }, limit) =>
      withRetries(spec.model, limit, async (signal) => {
        model ??= connection.model();
        const messages = [{ role: "user" as const, content: prompt }];
        const reply = await callModel({ model: await model, system, messages, maxOutputTokens: MAX_TOKENS, signal });
        return { ...reply, costUsd: costOf(reply.usage, price) };
      }),
  };
}

export function judgementCost(
  name: string,
  options: Pick<ModelOptions, "env" | "providers" | "prices">,
): Pick<TextJudge, "expectedUsd" | "mostUsd"> {
  if (name.startsWith("cli/")) return { expectedUsd: null, mostUsd: null };
  const price = modelPrice(parseModelSpec(name), options);
  const dollars = (input: number, output: number) =>
    price === undefined ? null : (input * price.input + output * price.output) / 1_000_000;
  return { expectedUsd: dollars(1_500, 60), mostUsd: dollars(4_000, MAX_TOKENS) };
}

async function cliJudge(name: string, options: ModelOptions): Promise<TextJudge> {
  const { env, agents } = options;
  const { openSpeaker } = await import("../agents/agent-as-judge.ts");
  const speaker = await openSpeaker(name, { env, ...agents });
  const { identity } = speaker;
  return {
    identity: { ...identity, options: { ...identity.options, role: "text judge" } },
    ...judgementCost(`cli/${name}`, options),
    ask: ({ system, prompt }, limit) =>
      withRetries(`cli/${name}`, limit, async (signal) => {
        const { outcome, finalText, usage, costUsd } = await speaker.say({
          system,
          prompt,
          signal,
          timeoutMs: limit.timeoutMs,
        });
        return outcome.status === "error"
          ? { ...outcome, usage, costUsd }
          : { status: "text", text: finalText, usage, costUsd };
      }),
  };
}

type ProviderReply = { usage?: Usage; costUsd?: number } & (
  | { status: "text"; text: string; cut?: boolean }
  | { status: "error"; error: TrialError }
);

/** Graders have no schedule, so transient errors are retried here, after the provider's wait or ever longer ones. */
async function withRetries(
  judge: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  send: (signal: AbortSignal) => Promise<ProviderReply>,
): Promise<JudgedText> {
  const deadline = performance.now() + timeoutMs;
  let paid: number | undefined;
  let usage: Usage | undefined;
  const failed = (why: string): JudgedText => ({
    status: "error",
    message: `the judge ${judge} did not answer: ${why}`,
    costUsd: paid,
    usage,
  });
  for (let attempt = 1; ; attempt++) {
    const reply = await send(signal);
    if (reply.costUsd !== undefined) paid = (paid ?? 0) + reply.costUsd;
    usage = addUsage(usage, reply.usage);
    // What the reply that counts has cost must be known; a failed request before it mostly costs nothing.
    if (reply.status === "text")
      return {
        status: "text",
        text: reply.text,
        cut: reply.cut === true,
        costUsd: reply.costUsd === undefined ? undefined : paid,
        usage,
      };
    if (signal.aborted) return failed(whyEnded(signal));
    const { error } = reply;
    if (!error.retryable || attempt === ATTEMPTS) return failed(error.message);
    const waitMs = error.retryAfterMs ?? 500 * 2 ** attempt;
    if (performance.now() + waitMs > deadline) return failed(`${error.message} (${tooLate(error, timeoutMs)})`);
    try {
      await sleep(waitMs, undefined, { signal });
    } catch {
      return failed(whyEnded(signal));
    }
  }
}

function tooLate({ retryAfterMs }: TrialError, timeoutMs: number): string {
  const limit = `the time limit is ${Math.round(timeoutMs / 1000)} s`;
  return retryAfterMs === undefined
    ? limit
    : `it asks for a wait of ${Math.round(retryAfterMs / 1000)} s, and ${limit}`;
}

function whyEnded({ reason }: AbortSignal): string {
  return typeof reason === "object" && reason !== null && "message" in reason ? String(reason.message) : "stopped";
}
