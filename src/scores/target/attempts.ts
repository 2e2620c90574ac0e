import type { QuestionScore } from "../scores.ts";

/** How often k runs of a question would have one that is right (pass@k), and how often all of them (pass^k). */
export interface Attempts {
  k: number;
  /** Questions with at least k runs that early stop never cuts; the means are over these. */
  n: number;
  passAt: number;
  passAll: number;
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
    .map(({ positive, unbiased: { hits, n } }) => ({ n, right: positive ? hits : n - hits }));
  return KS.flatMap((k) => {
    const enough = runs.filter(({ n }) => n >= k);
    if (enough.length === 0) return [];
    const mean = (share: (one: { n: number; right: number }) => number) => enough.reduce((sum, one) => sum + share(one), 0) / enough.length;
    return [
      {
        k,
        n: enough.length,
        passAt: mean(({ n, right }) => 1 - drawn(n - right, n, k)),
        passAll: mean(({ n, right }) => drawn(right, n, k)),
      },
    ];
  });
}

/** How often k of n that are drawn are all among these: C(these, k) / C(n, k). */
function drawn(these: number, n: number, k: number): number {
  let share = 1;
  for (let index = 0; index < k; index++) share *= Math.max(0, these - index) / (n - index);
  return share;
}
