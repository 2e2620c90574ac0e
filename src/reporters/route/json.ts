import { VERSION } from "../../base/index.ts";
import type { Activation } from "../../model/index.ts";
import type { ExplainedPrediction } from "../../targets/index.ts";

/** A stable, versioned document: within a version, keys are added but never changed or removed. */
export function routeJson({ query, target, note, top, libraries, asked }: Routed): string {
  const document = {
    version: 1,
    proctor: VERSION,
    query,
    target,
    predicted: asked?.predicted ?? true,
    note,
    libraries: asked === undefined ? libraries.map((library) => entry(library, top)) : asked.libraries.map(askedEntry),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry(
  { name, skills, fingerprint, needs, silentBelow, unsure, ranking, unknown }: RoutedLibrary,
  top: number,
) {
  const fires = ranking.filter(({ verdict }) => verdict === "fires").map(({ skill }) => skill);
  return {
    library: { name, skills, fingerprint },
    needs,
    silent_below: silentBelow ?? null,
    /** Why it cannot tell which skill wins. */
    cannot_tell: fires.length > 0 ? null : (unsure ?? null),
    fires,
    unknown_words: unknown,
    ranking: ranking.slice(0, top).map(row),
  };
}

/** Uses the same `fires` key as a prediction. An answer has observations instead of a score. */
function askedEntry({ name, skills, fingerprint, trials, activations, error, ms, costUsd }: AskedLibrary) {
  return {
    library: { name, skills, fingerprint },
    fires: error === undefined ? [...new Set(activations.map(({ skill }) => skill))] : null,
    activations,
    error: error ?? null,
    trials,
    ms: Math.round(ms),
    cost_usd: costUsd,
  };
}

function row({ skill, probability, verdict, words, clause, notFor, margin }: RoutedRow) {
  return {
    skill,
    probability,
    verdict,
    words,
    clause,
    not_for: notFor,
    margin,
  };
}

/** Which skills would fire on a query, by library. */
export interface Routed {
  query: string;
  target: string;
  /** How far to trust the prediction. */
  note: string;
  /** Maximum number of skills to show. */
  top: number;
  /** The arguments that make a suggested command use the same library, with a leading space. */
  where: string;
  libraries: RoutedLibrary[];
  /** Set if the query was put to a target, once, instead of predicted. */
  asked?: { predicted: boolean; libraries: AskedLibrary[] };
}

/** The result of a query that was put to a target. */
export interface AskedLibrary {
  name: string;
  skills: number;
  fingerprint: string;
  /** One, or one per skill for a judge. */
  trials: number;
  activations: readonly Activation[];
  /** Set if there is no answer. */
  error: { reason: string; message: string } | undefined;
  ms: number;
  /** null if unknown. */
  costUsd: number | null;
}

export interface RoutedLibrary extends ExplainedPrediction {
  name: string;
  skills: number;
  fingerprint: string;
  /** Words of the query that no card contains. */
  unknown: string[];
  /** Number of skills that no model may activate; the ranking omits them. */
  hidden: number;
}

export type RoutedRow = RoutedLibrary["ranking"][number];
