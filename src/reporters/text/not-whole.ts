import type { RunInfo } from "../../model/index.ts";
import { oneLine } from "./fit-text.ts";

const MOST_PLACES = 3;

/** Why a run is not a result, which every report has to say first; empty where its record is whole. */
export function notWholeTexts({
  damage,
  how,
  goesOn,
  missingShards,
}: Pick<RunInfo, "damage" | "how" | "goesOn" | "missingShards">): string[] {
  return [
    ...(damage === undefined ? [] : damageTexts(damage)),
    ...(how === "unfinished"
      ? [
          goesOn
            ? "in progress: a process is still writing this run; this is what its record holds so far, not a result."
            : "unfinished: the run was killed, or its record was cut; this is what it holds, not a result.",
        ]
      : []),
    ...(how === "interrupted" ? ["interrupted: this is what had been measured by then."] : []),
    ...(missingShards === undefined ? [] : [shardsText(missingShards)]),
  ];
}

function damageTexts(damage: readonly string[]): string[] {
  const more = damage.length > MOST_PLACES ? [`and ${damage.length - MOST_PLACES} more places`] : [];
  return [
    "damaged: the record is not what was written. What is intact is shown; do not treat it as a result.",
    ...damage.slice(0, MOST_PLACES).map(oneLine),
    ...more,
  ];
}

function shardsText(missing: readonly number[]): string {
  const one = missing.length === 1;
  return `${one ? "shard" : "shards"} ${missing.join(", ")} missing: ${one ? "its questions have" : "their questions have"} no verdict here.`;
}
