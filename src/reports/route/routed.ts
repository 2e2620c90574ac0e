import type { ExplainedPrediction } from "../../targets/index.ts";

/** Who would get a query, library by library. */
export interface Routed {
  query: string;
  target: string;
  /** How far to believe it. */
  note: string;
  /** Show at most so many skills. */
  top: number;
  /** What a command must be given to mean the same library, with a space before it. */
  where: string;
  libraries: RoutedLibrary[];
}

export interface RoutedLibrary extends ExplainedPrediction {
  name: string;
  skills: number;
  fingerprint: string;
  /** Words of the query that are on no card. */
  unknown: string[];
  /** How many skills no model may activate; they are not in the ranking. */
  hidden: number;
}

export type RoutedRow = RoutedLibrary["ranking"][number];
