import { UsageError } from "../base/index.ts";
import type { Ask, ErrorReason, Library, Message, TrialEvent, Usage } from "../model/index.ts";
import { targetKinds } from "./kinds.ts";
import type { Answer, Target } from "./target.ts";

/** What a target of your own is asked. */
export interface TargetQuestion {
  kind: "trigger" | "case";
  prompt: string;
  /** Earlier messages of the conversation. */
  messages: readonly Message[];
  /** The cards of the library: all that a model knows of a skill before it activates it. */
  skills: readonly { id: string; name: string; description: string }[];
  /** From 1. */
  run: number;
  /** Fires when the trial's time is over or the run is stopped. */
  signal: AbortSignal;
}

export interface TargetReply {
  /** The ids of the skills that would be, or were, activated, in order. */
  activated?: readonly string[];
  /** What it said: what a case's checks read. */
  text?: string;
  costUsd?: number;
  usage?: Usage;
  /** It could not be measured. An error is never "no activation". */
  error?: { reason: ErrorReason; message: string; retryable?: boolean };
}

export interface TargetDefinition {
  /** How it is named in reports and records; not the name of a kind of target that Proctor has. */
  id: string;
  /** Answers one question. What it throws is an error of the trial. */
  ask(question: TargetQuestion): TargetReply | Promise<TargetReply>;
  /** Everything that can change an answer: another value asks again what the cache holds. */
  options?: Record<string, unknown>;
  /** It predicts and runs no agent (true): then it does not decide the exit code unless that is allowed. */
  predicted?: boolean;
  /** The same question always gets the same answer (false): then each is asked once. */
  deterministic?: boolean;
  /** At most this many questions at once. */
  concurrency?: number;
  /** What one trial is expected to cost; 0 unless said. */
  expectedCostUsd?: number;
}

/** Types a target of your own, for `targets` of `run` and of the configuration; it changes nothing. */
export function defineTarget(definition: TargetDefinition): TargetDefinition {
  return definition;
}

/** The target that a definition means. */
export function ownTarget(definition: TargetDefinition): Target {
  const { id, predicted = true, deterministic = false, options = {}, expectedCostUsd = 0, concurrency } = definition;
  if (typeof id !== "string" || !/^[\w.-]+$/.test(id))
    throw new UsageError(
      `${JSON.stringify(id)} is not a valid name for a target.`,
      "Use letters, digits, dots, hyphens and underscores.",
    );
  if (targetKinds.some(({ prefix }) => prefix === id))
    throw new UsageError(`${id} is the name of one of Proctor's own kinds of target.`, "Give it another id.");
  return {
    id,
    kind: "own",
    predicted,
    answers: { trigger: true, case: true },
    expectedCostUsd,
    concurrency,
    identify: async () => ({ options: { ...options, own: id }, deterministic }),
    async open(library) {
      const skills = library.skills.filter(({ modelInvocable }) => modelInvocable).map(cardOf);
      return {
        async ask(ask, { run, signal }): Promise<Answer> {
          const reply = await definition.ask({ ...questionOf(ask), skills, run, signal });
          return { events: eventsOf(reply, predicted), dispose: async () => {} };
        },
        close: async () => {},
      };
    },
  };
}

function cardOf({ id, card }: Library["skills"][number]): TargetQuestion["skills"][number] {
  return { id, name: card.name, description: card.description };
}

function questionOf({ kind, prompt, messages }: Ask): Pick<TargetQuestion, "kind" | "prompt" | "messages"> {
  return { kind, prompt, messages };
}

function eventsOf({ activated = [], text, costUsd, usage, error }: TargetReply, predicted: boolean): TrialEvent[] {
  const evidence = predicted ? ("predicted" as const) : ("called" as const);
  return [
    ...activated.map((skill) => ({ type: "activation" as const, skill, turn: 1, evidence })),
    ...(text === undefined ? [] : [{ type: "text" as const, turn: 1, text }]),
    error === undefined
      ? { type: "end", how: "completed", costUsd, usage }
      : { type: "end", how: "error", error: { ...error, retryable: error.retryable ?? false }, costUsd, usage },
  ];
}
