import type { Prediction, Ranked } from "./events.ts";

/** What a prediction says of a skill, be it ranked or not. */
export function predictedVerdict({ ranking, silentBelow, unsure }: Prediction, skill: string): Ranked["verdict"] {
  const verdict = ranking.find((ranked) => ranked.skill === skill)?.verdict ?? (unsure === undefined ? "silent" : "uncertain");
  return verdict === "uncertain" && silentBelow === undefined ? "silent" : verdict;
}
