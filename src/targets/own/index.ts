import { UsageError } from "../../base/index.ts";
import type { Ask, ErrorReason, Library, Message, TrialEvent, Usage } from "../../model/index.ts";
import { targetKinds } from "../kinds.ts";
import type { Answer, Target } from "../target.ts";

export interface TargetQuestion {
  kind: "trigger" | "case";
  prompt: string;
  messages: readonly Message[];
  /** The cards of the library: all a model knows of a skill before it activates it. */
  skills: readonly { id: string; name: string; description: string }[];
  run: number;
  /** Fires when the trial's time is over or the run is stopped. */
  signal: AbortSignal;
}

export interface TargetReply {
  /** Ids of the skills that were activated, or would be, in order. */
  activated?: readonly string[];
  text?: string;
  costUsd?: number;
  usage?: Usage;
  /** Set when nothing could be measured. An error is never "no activation". */
  error?: { reason: ErrorReason; message: string; retryable?: boolean };
}

export interface TargetDefinition {
  /** Its name in reports and records; must not be the name of a built-in kind of target. */
  id: string;
  /** Answers one question. An exception is recorded as the trial's error. */
  ask(question: TargetQuestion): TargetReply | Promise<TargetReply>;
  /** Everything that can change an answer: changing a value invalidates cached answers. */
  options?: Record<string, unknown>;
  /** True (the default) if no agent runs: a prediction does not decide the exit code unless that is allowed. */
  predicted?: boolean;
  /** True if the same question always gets the same answer, so that each is asked only once; default false. */
  deterministic?: boolean;
  concurrency?: number;
  /** Expected cost of one trial; default 0. */
  expectedCostUsd?: number;
}

/** Gives a target of your own its type, for `targets` of `run` and of the configuration; returns it unchanged. */
export function defineTarget(definition: TargetDefinition): TargetDefinition {
  return definition;
}

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
