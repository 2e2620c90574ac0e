import type { Prediction, Ranked } from "./events.ts";

/** What a prediction says of a skill, be it ranked or not. */
export function predictedVerdict(
  { ranking, silentBelow, uncertain, unsure }: Prediction,
  skill: string,
): Ranked["verdict"] {
  const open = unsure !== undefined || uncertain?.includes(skill) === true;
  const verdict = ranking.find((ranked) => ranked.skill === skill)?.verdict ?? (open ? "uncertain" : "silent");
  return verdict === "uncertain" && silentBelow === undefined ? "silent" : verdict;
}
