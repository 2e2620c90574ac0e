import type { Activation, Ask, Identity, Transcript } from "../../../model/index.ts";

export interface CachedSkill {
  id: string;
  folder: string;
  frontmatter: Record<string, unknown>;
  /** Fingerprint of the files a host reads before the skill is loaded (`agents/openai.yaml` …). */
  hostFiles: string;
  /** Fingerprint of every file in its folder; matters once the skill is loaded. */
  files: string;
}

export interface CachedTarget {
  id: string;
  kind: string;
  identity: Identity;
  /** The target sees only the skill that the ask names. */
  perSkill?: boolean;
}

export interface CachedAnswer {
  measuredAt: string;
  ms: number;
  transcript: Transcript;
}

export interface TargetCache {
  /** A trial stopped once its questions were decided is valid only if `decided` holds for today's questions. */
  get(
    ask: Ask,
    run: number,
    decided?: (activations: readonly Activation[]) => boolean,
  ): Promise<CachedAnswer | undefined>;
  /** Errors are not cached. */
  put(ask: Ask, run: number, answer: CachedAnswer): void;
  whyAsked(ask: Ask, run: number): Promise<string | undefined>;
}

export interface Cache {
  forTarget(target: CachedTarget, skills: readonly CachedSkill[]): TargetCache;
  /** Why nothing more is cached. The run continues without the cache. */
  problem(): string | undefined;
  close(): Promise<void>;
}
