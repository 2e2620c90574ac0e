import type { Router } from "../router.ts";

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
  /** None of them fires, so that the sibling has it alone: what `proctor run` calls taken. */
  wins: boolean;
}

/** Further siblings that fire on the same prompt add nothing new. */
const MOST_TAKERS = 3;

/** The prompts on which a skill fires that they were not written for. */
export function takenPositives<T extends ExpectedPrompt>(positives: readonly T[], router: Router): TakenPrompt<T>[] {
  return positives.flatMap((positive) => {
    const fine = new Set([...positive.expected, ...positive.alsoFine]);
    const scores = router.scores(positive.query, { least: router.needs, also: [...fine] });
    const expectedScore = scores.find(({ skill }) => fine.has(skill))?.score ?? 0;
    return scores
      .filter(({ skill, score }) => score >= router.needs && !fine.has(skill))
      .slice(0, MOST_TAKERS)
      .map(({ skill, score }) => ({ positive, by: skill, score, expectedScore, wins: expectedScore < router.needs }));
  });
}
