import type { Attempts, Interval, QuestionScore, Rate } from "../../../model/index.ts";
import { addTo, type Cluster } from "../statistics/clusters.ts";
import { share } from "./rates.ts";

const KS = [1, 2, 3, 5, 10];

/**
 * Unbiased estimates from n runs of which c were right (Chen et al. 2021): 1 − C(n − c, k) / C(n, k), and C(c, k) /
 * C(n, k). Empty on a deterministic target.
 */
export function attemptsOf(questions: readonly QuestionScore[], deterministic: boolean): Attempts[] {
  if (deterministic) return [];
  const shares = new AskShares();
  return KS.flatMap((k) => {
    const one = shares.of(questions, k, (right, n) => 1 - drawn(n - right, n, k));
    if (one.value === null) return [];
    const all = shares.of(questions, k, (right, n) => drawn(right, n, k));
    const { n, prompts } = one;
    return [
      {
        k,
        n,
        prompts,
        passAt: one.value,
        passAtInterval: boundsOf(one),
        passAll: all.value ?? 0,
        passAllInterval: boundsOf(all),
      },
    ];
  });
}

class AskShares {
  readonly #clusters = new Map<string, Cluster>();

  /**
   * The rate over questions with at least k runs. Call it with ascending k: it forgets asks that have no such question.
   */
  of(questions: readonly QuestionScore[], k: number, shareFor: (right: number, n: number) => number): Rate {
    for (const cluster of this.#clusters.values()) cluster.n = cluster.hits = 0;
    for (const { ask, positive, verdict, unbiased } of questions) {
      const { hits, n } = unbiased;
      if (n >= k && verdict !== "unsure") addTo(this.#clusters, ask, shareFor(positive ? hits : n - hits, n));
    }
    for (const [ask, { n }] of this.#clusters) if (n === 0) this.#clusters.delete(ask);
    return share(this.#clusters);
  }
}

function boundsOf({ low, high }: Rate): Interval {
  return { low: low ?? 0, high: high ?? 1 };
}

/** The probability that k runs drawn from n are all among `these`: C(these, k) / C(n, k). */
function drawn(these: number, n: number, k: number): number {
  let share = 1;
  for (let index = 0; index < k; index++) share *= Math.max(0, these - index) / (n - index);
  return share;
}
