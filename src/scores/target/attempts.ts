import type { QuestionScore, Rate } from "../scores.ts";
import type { Interval } from "../statistics/mid-p.ts";
import { shareOf } from "./rates.ts";

/** How often k runs of a question would have one that is right (pass@k), and how often all of them (pass^k). */
export interface Attempts {
  k: number;
  /** Questions with at least k runs that early stop never cuts; the means are over these. */
  n: number;
  prompts: number;
  passAt: number;
  passAtInterval: Interval;
  passAll: number;
  passAllInterval: Interval;
}

const KS = [1, 2, 3, 5, 10];

/**
 * Both without bias from n runs of which c were right (Chen et al. 2021): 1 − C(n − c, k) / C(n, k), and C(c, k) / C(n, k). Empty on a target that answers the same
 * each time.
 */
export function attemptsOf(questions: readonly QuestionScore[], deterministic: boolean): Attempts[] {
  if (deterministic) return [];
  const runs = questions
    .filter(({ unbiased, verdict }) => unbiased.n > 0 && verdict !== "unsure")
    .map(({ ask, positive, unbiased: { hits, n } }) => ({ ask, n, right: positive ? hits : n - hits }));
  return KS.flatMap((k) => {
    const enough = runs.filter(({ n }) => n >= k);
    const one = shareOf(enough.map(({ ask, n, right }) => ({ ask, hits: 1 - drawn(n - right, n, k) })));
    const all = shareOf(enough.map(({ ask, n, right }) => ({ ask, hits: drawn(right, n, k) })));
    if (one.value === null || all.value === null) return [];
    const { n, prompts } = one;
    return [{ k, n, prompts, passAt: one.value, passAtInterval: boundsOf(one), passAll: all.value, passAllInterval: boundsOf(all) }];
  });
}

/** A share that has a value has bounds. */
function boundsOf({ low, high }: Rate): Interval {
  return { low: low ?? 0, high: high ?? 1 };
}

/** How often k of n that are drawn are all among these: C(these, k) / C(n, k). */
function drawn(these: number, n: number, k: number): number {
  let share = 1;
  for (let index = 0; index < k; index++) share *= Math.max(0, these - index) / (n - index);
  return share;
}
