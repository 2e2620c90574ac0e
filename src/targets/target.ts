import type { Programs } from "../graders/index.ts";
import type { Activation, Ask, Identity, Library, TrialEvent, WorkspaceFiles } from "../model/index.ts";

export interface Target {
  /** As written on the command line: `embedded`, `claude:haiku`, `script:answers.yaml`. */
  id: string;
  kind: string;
  /** It predicts and runs no agent. */
  predicted: boolean;
  /** It decides about one skill at a time (a judge): each ask names the skill, and a question is put to it once per skill it speaks of. */
  perSkill?: boolean;
  /** What it can answer; other questions are skipped on it, with the reason. */
  answers: { trigger: true | string; case: true | string };
  /** It can be told something after its answer; otherwise why not. Absent: it answers once. */
  converses?: true | string;
  /** What one trial is expected to cost; null = not known; 0 = free. */
  expectedCostUsd: number | null;
  /** Where that is not known: every trial says afterwards what it cost. */
  reportsCost?: boolean;
  /** What one trial can cost at most, by its token limit; absent where there is none. Kept in reserve until it is seen what trials cost. */
  mostCostUsd?: number;
  /** The same two where they depend on how many skills are shown with every question. */
  costFor?(skills: number): { expectedUsd: number; mostUsd: number };
  /** At most this many of its trials at once. */
  concurrency?: number;
  /** So many of its trials share one call, which is one of the jobs that run at once. */
  batch?: number;
  /** A sentence for the head of a report: what this target is, and how far to trust it. */
  note?: string;
  /** The ids of skills that it is shown in addition to the library. When one fires, it counts like any other. */
  beside?: readonly string[];
  /** What must never be seen in a record, beside the values of key variables. */
  secrets?: readonly string[];
  /** No trial can be started after this moment (milliseconds since 1970), and what helps. */
  lasts?: { until: number; advice: string };
  /** What it lacks to be asked anything, a key say, and what to do; answers that are kept need nothing. */
  missing?(): Promise<string | undefined>;
  /** Takes a copy of what it puts beside the library, so that all trials see the same. */
  freeze?(into: string): Promise<void>;
  /** What of that was edited since. */
  edited?(): Promise<string[]>;
  /** Throws a UsageError when it cannot be asked about this library. */
  admit?(library: Library): void;
  identify(): Promise<Identity>;
  /** Where its identity depends on the library: who it is for this one. */
  identifyFor?(library: Library): Promise<Identity>;
  open(library: Library): Promise<OpenTarget>;
}

export interface Asking {
  run: number;
  signal: AbortSignal;
  /** The signal comes after so long; a target that ends a little earlier can say what it was waiting for. */
  timeoutMs?: number;
  /** True as soon as no further activation can change a check: the target may stop and end with `stopped`. */
  decided(activations: readonly Activation[]): boolean;
  /** Of a case of several messages: what is said after an answer, of which there were so many; undefined: nothing more. */
  next?(said: string, answers: number): Promise<string | undefined>;
}

/** A target with a library before it. */
export interface OpenTarget {
  /** What comes before the first question, such as a canary; its time belongs to no question. `ask` says how it ended. */
  ready?(asking: Pick<Asking, "signal" | "timeoutMs">): Promise<void>;
  ask(ask: Ask, asking: Asking): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>;
  /** The folder the examinee worked in; gone after `dispose`. */
  workspace?: string;
  /** What the examinee left in its workspace; asked for after the events have been read. Absent: it has none. */
  files?(): WorkspaceFiles;
  /** Starts programs in that workspace until `dispose`; or why none can be started. */
  programs?: Programs | string;
  /** The host's raw output, complete once the events have been read. */
  raw?(): string;
  dispose(): Promise<void>;
}
