import type { Activation, Ask, Identity, Transcript } from "../../../model/index.ts";

/** What about a skill can change an answer. */
export interface CachedSkill {
  id: string;
  /** The name of its folder. */
  folder: string;
  frontmatter: Record<string, unknown>;
  /** Fingerprint of the files a host reads before the skill is loaded (`agents/openai.yaml` …). */
  hostFiles: string;
  /** Fingerprint of every file in its folder: matters once the skill is loaded. */
  files: string;
}

/** What about a target can change an answer. */
export interface CachedTarget {
  /** Answers under the same id are similar, and what changed between them can be named. */
  id: string;
  kind: string;
  identity: Identity;
  /** It sees only the skill that the ask names. */
  perSkill?: boolean;
}

/** An answer that was measured before. */
export interface CachedAnswer {
  measuredAt: string;
  ms: number;
  transcript: Transcript;
}

/** The answers one target has given before, with a given library. */
export interface TargetCache {
  /** A trial that was stopped once its questions were decided is an answer only if `decided` holds for today's questions. */
  get(
    ask: Ask,
    run: number,
    decided?: (activations: readonly Activation[]) => boolean,
  ): Promise<CachedAnswer | undefined>;
  /** Errors are not cached. */
  put(ask: Ask, run: number, answer: CachedAnswer): void;
  /** Why `get` found nothing although a similar answer is cached; undefined when there is none. */
  whyAsked(ask: Ask, run: number): Promise<string | undefined>;
}

export interface Cache {
  forTarget(target: CachedTarget, skills: readonly CachedSkill[]): TargetCache;
  /** Why nothing more is cached, if the disk refuses: the run continues without it. */
  problem(): string | undefined;
  /** Writes what is still waiting to be written. */
  close(): Promise<void>;
}
