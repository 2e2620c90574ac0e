import type { Location } from "../../base/index.ts";
import type { Collisions, ExpectedPrompt, TakenPrompt } from "../../cards/index.ts";

/** Which skills compete, library by library. */
export interface FoundCollisions {
  target: string;
  /** How far to trust it. */
  note: string;
  /** Paths are shown relative to this. */
  cwd: string;
  /** Show at most this many pairs. */
  top: number;
  /** The words a command needs to mean the same library, with a leading space. */
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

/** The risk from which a pair is said to compete. */
export const COMPETING = 0.3;
