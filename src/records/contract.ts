import type { Ask } from "../suites/index.ts";
import type { Activation, Transcript } from "../transcripts/index.ts";
import type { FooterLine, HeaderLine, Identity, QuestionLine, TrialLine } from "./record-lines.ts";

/** Where a run is kept. */
export interface RecordPlace {
  run: string;
  /** The run's folder, absolute. */
  dir: string;
  /** Its record.jsonl, absolute. */
  file: string;
}

/** A header before the writer has given the run its name. */
export type HeaderStart = Omit<HeaderLine, "type" | "version" | "run">;

/** What is kept of a trial beside its line. */
export interface KeptOutput {
  transcript?: Transcript;
  /** The host's output, as it came. */
  raw?: string;
}

/** Appends to one record. Everything is masked before it is written, and a promise resolves when its line is in the file. */
export interface RecordWriter extends RecordPlace {
  question(line: QuestionLine): Promise<void>;
  /** Fills in the line's `transcript` and `raw` references. */
  trial(line: TrialLine, kept?: KeptOutput): Promise<void>;
  /** Writes the footer, makes sure all is on the disk, and lets go of the run. */
  close(footer: FooterLine): Promise<void>;
  /** Lets go of the run without a footer, as after an error. */
  abandon(): Promise<void>;
}

/** Replaces every secret in a text. */
export type Mask = (text: string) => string;

/** What of a staged skill can change an answer. */
export interface StagedSkill {
  id: string;
  /** The folder's own name. */
  folder: string;
  frontmatter: Record<string, unknown>;
  /** Fingerprint of the files a host reads without the skill being loaded (`agents/openai.yaml` …). */
  hostFiles: string;
  /** Fingerprint of every file in its folder: matters once the skill is loaded. */
  files: string;
}

/** An answer that was measured before. */
export interface CachedAnswer {
  measuredAt: string;
  ms: number;
  transcript: Transcript;
}

/** Answers to asks that one target has given before, with a library before it. */
export interface TargetCache {
  /** A trial that was ended early, because it was decided for the questions of then, is an answer only if `decided` holds for those of now. */
  get(ask: Ask, run: number, decided?: (activations: readonly Activation[]) => boolean): Promise<CachedAnswer | undefined>;
  /** Errors are not kept. */
  put(ask: Ask, run: number, answer: CachedAnswer): void;
  /** Why `get` found nothing although something similar is kept; undefined when nothing similar is. */
  whyAsked(ask: Ask, run: number): Promise<string | undefined>;
}

/** Who is asked, as far as it can change an answer. */
export interface CachedTarget {
  /** Answers of the same id are similar, and their differences can be named. */
  id: string;
  kind: string;
  identity: Identity;
  /** It sees only the skill that the ask names. */
  perSkill?: boolean;
}

export interface Cache {
  forTarget(target: CachedTarget, skills: readonly StagedSkill[]): TargetCache;
  /** Why nothing more is kept, if the disk refuses: a run goes on without. */
  problem(): string | undefined;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}
