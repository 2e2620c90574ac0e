import type { Activation } from "../../model/index.ts";
import type { ExplainedPrediction } from "../../targets/index.ts";

/** Which skills would fire on a query, library by library. */
export interface Routed {
  query: string;
  target: string;
  /** How far to trust it. */
  note: string;
  /** Show at most this many skills. */
  top: number;
  /** The words a command needs to mean the same library, with a leading space. */
  where: string;
  libraries: RoutedLibrary[];
  /** The query was put to a target, once, and no prediction was made. */
  asked?: { predicted: boolean; libraries: AskedLibrary[] };
}

/** What became of a query that was really put to a target. */
export interface AskedLibrary {
  name: string;
  skills: number;
  fingerprint: string;
  /** One; of a judge one for every skill. */
  trials: number;
  activations: readonly Activation[];
  /** Why there is no answer. */
  error: { reason: string; message: string } | undefined;
  ms: number;
  /** null = not known. */
  costUsd: number | null;
}

export interface RoutedLibrary extends ExplainedPrediction {
  name: string;
  skills: number;
  fingerprint: string;
  /** Words of the query that are on no card. */
  unknown: string[];
  /** How many skills no model may activate; the ranking leaves them out. */
  hidden: number;
}

export type RoutedRow = RoutedLibrary["ranking"][number];
