import { VERSION } from "../../base/index.ts";
import type { Routed, RoutedLibrary, RoutedRow } from "./routed.ts";

/** For programs: a stable, versioned document. Within a version, keys are added but never changed or removed. */
export function routeJson({ query, target, note, top, libraries }: Routed): string {
  const document = {
    version: 1,
    proctor: VERSION,
    query,
    target,
    predicted: true,
    note,
    libraries: libraries.map((library) => entry(library, top)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function entry({ name, skills, fingerprint, needs, silentBelow, unsure, ranking, unknown }: RoutedLibrary, top: number) {
  return {
    library: { name, skills, fingerprint },
    needs,
    silent_below: silentBelow ?? null,
    /** Why it cannot tell that skills stay silent. */
    cannot_tell: unsure ?? null,
    fires: ranking.filter(({ verdict }) => verdict === "fires").map(({ skill }) => skill),
    unknown_words: unknown,
    ranking: ranking.slice(0, top).map(row),
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
