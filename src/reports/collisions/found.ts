import type { Location } from "../../base/index.ts";
import type { Collisions, ExpectedPrompt, TakenPrompt } from "../../targets/index.ts";

/** Who competes with whom, library by library. */
export interface FoundCollisions {
  target: string;
  /** How far to believe it. */
  note: string;
  /** Paths are shown relative to this. */
  cwd: string;
  /** Show at most so many pairs. */
  top: number;
  /** What a command must be given to mean the same library, with a space before it. */
  where: string;
  libraries: CollidingLibrary[];
}

export interface CollidingLibrary extends Collisions {
  name: string;
  fingerprint: string;
  /** All skills of the library, by id. */
  skills: string[];
  /** How many positives its suites have. */
  positives: number;
  taken: TakenQuestion[];
  /** Only what concerns this skill. */
  skill?: string;
}

export type TakenQuestion = TakenPrompt<ExpectedPrompt & { source: Location }>;

/** Pairs from here on are called competing. */
export const COMPETING = 0.3;
