import type { Router } from "../router.ts";

/** A prompt that somebody wrote for one skill, or for several together. */
export interface Wanted {
  query: string;
  expected: readonly string[];
  alsoFine: readonly string[];
}

/** A sibling fires on a prompt that was written for another skill. */
export interface Taken<T extends Wanted> {
  positive: T;
  by: string;
  score: number;
  /** The best score of those it was written for. */
  expectedScore: number;
  /** The sibling is ahead of all of them. */
  wins: boolean;
}

/** More takers of one prompt than this say the same again. */
const MOST_TAKERS = 3;

/** Which of these prompts would go to a skill they were not written for. */
export function takenPositives<T extends Wanted>(positives: readonly T[], router: Router): Taken<T>[] {
  return positives.flatMap((positive) => {
    const fine = new Set([...positive.expected, ...positive.alsoFine]);
    const scores = router.scores(positive.query);
    const expectedScore = Math.max(0, ...scores.filter(({ skill }) => fine.has(skill)).map(({ score }) => score));
    return scores
      .filter(({ skill, score }) => score >= router.needs && !fine.has(skill))
      .slice(0, MOST_TAKERS)
      .map(({ skill, score }) => ({ positive, by: skill, score, expectedScore, wins: score > expectedScore }));
  });
}
