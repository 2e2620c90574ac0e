import { predictedVerdict } from "../../model/index.ts";
import type { Router, Routing } from "../router.ts";

/** A prompt written for one skill, or for several together. */
export interface ExpectedPrompt {
  query: string;
  expected: readonly string[];
  alsoFine: readonly string[];
}

/** A prompt on which a sibling of the skill it was written for fires. */
export interface TakenPrompt<T extends ExpectedPrompt> {
  positive: T;
  by: string;
  score: number;
  /** The best score of the skills it was written for. */
  expectedScore: number;
  /** They surely stay silent, so that the sibling has it alone: what `proctor run` calls a failure. */
  wins: boolean;
}

/** Further siblings that fire on the same prompt add nothing new. */
const MOST_TAKERS = 3;

/** The prompts on which a skill fires that they were not written for. Who fires, and what is surely silent, is what `proctor run` says. */
export function takenPositives<T extends ExpectedPrompt>(positives: readonly T[], router: Router): TakenPrompt<T>[] {
  return positives.flatMap((positive) => {
    const fine = new Set([...positive.expected, ...positive.alsoFine]);
    const routing = router.verdicts(positive.query, [...fine]);
    const takers = routing.ranking
      .filter(({ skill, verdict }) => verdict === "fires" && !fine.has(skill))
      .slice(0, MOST_TAKERS);
    if (takers.length === 0) return [];
    const own = routing.ranking.find(({ skill }) => fine.has(skill));
    const areSilent = (told: Routing) => [...fine].every((skill) => predictedVerdict(told, skill) === "silent");
    // Where nobody surely wins, a run calls a skill silent only if its card excludes the prompt and it is near the top of the ranking.
    const wins = areSilent(routing) && (routing.unsure === undefined || areSilent(router.route(positive.query)));
    return takers.map(({ skill, score }) => ({ positive, by: skill, score, expectedScore: own?.score ?? 0, wins }));
  });
}
