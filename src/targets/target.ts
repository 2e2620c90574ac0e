import type { Programs } from "../graders/index.ts";
import type { Activation, Ask, Identity, Library, TrialEvent, WorkspaceFiles } from "../model/index.ts";

export interface Target {
  id: string;
  kind: string;
  predicted: boolean;
  /** Decides about one skill at a time (a judge): each ask names the skill, and a question is asked once per skill. */
  perSkill?: boolean;
  answers: { trigger: true | string; case: true | string };
  /** Whether it takes another message after its answer; a string says why not. Absent: it answers once. */
  converses?: true | string;
  /** Expected cost of one trial; null = unknown, 0 = free. */
  expectedCostUsd: number | null;
  /** Every trial reports its cost afterwards; matters if the expected cost is unknown. */
  reportsCost?: boolean;
  /** Upper bound for one trial, from its token limit. Reserved until real costs are known. */
  mostCostUsd?: number;
  /** Both costs, if they depend on how many skills are shown with every question. */
  costFor?(skills: number): { expectedUsd: number; mostUsd: number };
  concurrency?: number;
  /** How many trials share one call. A call counts as one concurrent job. */
  batch?: number;
  /** For the head of a report: what this target is, and how far to trust it. */
  note?: string;
  /** Ids of skills shown in addition to the library. When one fires, it counts like any other. */
  beside?: readonly string[];
  secrets?: readonly string[];
  /** No trial can start after this moment (milliseconds since 1970). */
  lasts?: { until: number; advice: string };
  /** What it lacks to be asked, such as a key, and what to do. Cached answers need nothing. */
  missing?(): Promise<string | undefined>;
  /** Copies what it shows beside the library, so that all trials see the same. */
  freeze?(into: string): Promise<void>;
  edited?(): Promise<string[]>;
  admit?(library: Library): void;
  identify(): Promise<Identity>;
  /** The identity, if it depends on the library. */
  identifyFor?(library: Library): Promise<Identity>;
  open(library: Library): Promise<OpenTarget>;
}

export interface Asking {
  run: number;
  signal: AbortSignal;
  /** When `signal` will fire. A target that ends a little earlier can say what it was waiting for. */
  timeoutMs?: number;
  /** True once no further activation can change a check: the target may stop and end with `stopped`. */
  decided(activations: readonly Activation[]): boolean;
  /** The next message of a multi-message case, after answer number `answers`; undefined ends the conversation. */
  next?(said: string, answers: number): Promise<string | undefined>;
}

export interface OpenTarget {
  /** Work before the first question, such as a canary; its time counts for no question. `ask` reports how it went. */
  ready?(asking: Pick<Asking, "signal" | "timeoutMs">): Promise<void>;
  ask(ask: Ask, asking: Asking): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>;
  workspace?: string;
  /** What the examinee left in its workspace, once the events have been read. */
  files?(): WorkspaceFiles;
  /** Starts programs in the workspace until `dispose`; a string says why none can be started. */
  programs?: Programs | string;
  /** The host's raw output, complete once the events have been read. */
  raw?(): string;
  dispose(): Promise<void>;
}
