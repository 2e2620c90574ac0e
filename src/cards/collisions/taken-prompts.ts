import { predictedVerdict } from "../../model/index.ts";
import type { Router, Routing } from "../router.ts";

export interface ExpectedPrompt {
  query: string;
  expected: readonly string[];
  alsoFine: readonly string[];
}

/** A prompt on which a skill fires that it was not written for. */
export interface TakenPrompt<T extends ExpectedPrompt> {
  positive: T;
  by: string;
  score: number;
  /** The best score among the skills it was written for. */
  expectedScore: number;
  /** The expected skills surely stay silent; `proctor run` calls this a failure. */
  wins: boolean;
}

const MOST_TAKERS = 3;

/** Prompts on which a skill fires that they were not written for, by the same verdicts as `proctor run`. */
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
    // If no skill surely wins, a run calls a skill silent only if its card excludes the prompt and it ranks near the
    // top.
    const wins = areSilent(routing) && (routing.unsure === undefined || areSilent(router.route(positive.query)));
    return takers.map(({ skill, score }) => ({ positive, by: skill, score, expectedScore: own?.score ?? 0, wins }));
  });
}
