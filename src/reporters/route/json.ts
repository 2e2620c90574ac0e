import { VERSION } from "../../base/index.ts";
import type { Activation } from "../../model/index.ts";
import type { ExplainedPrediction } from "../../targets/index.ts";

/** For programs: a stable, versioned document. Within a version, keys are added but never changed or removed. */
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
    /** Why it cannot tell who wins. */
    cannot_tell: fires.length > 0 ? null : (unsure ?? null),
    fires,
    unknown_words: unknown,
    ranking: ranking.slice(0, top).map(row),
  };
}

/** Who fired stands under the same key; of an answer there is no score, but what was seen. */
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
