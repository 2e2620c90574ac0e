import { VERSION } from "../../base/index.ts";
import type { AskedLibrary, Routed, RoutedLibrary, RoutedRow } from "./routed.ts";

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
