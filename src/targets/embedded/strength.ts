import type { Evidence } from "./evidence.ts";
import type { Parameters } from "./parameters.ts";

/** How strongly a card's evidence speaks for it, as one number; 0 when nothing does. */
export function strengthOf(evidence: Evidence, { weights }: Parameters): number {
  return (
    weights.bm25 * Math.log1p(evidence.bm25) +
    weights.grams * evidence.grams +
    weights.clause * evidence.clause +
    weights.name * evidence.name +
    weights.matched * Math.log1p(evidence.matched) +
    weights.coverage * evidence.coverage -
    (evidence.conflict ? weights.conflict : 0)
  );
}

/** The probability that a card of this strength fires when the best other card has `rival`. It grows with strength and never with the rival's. */
export function probabilityOf(strength: number, rival: number, { fire }: Parameters): number {
  const behind = Math.min(0, strength - rival);
  return 1 / (1 + Math.exp(-(fire.strength * strength + fire.behind * behind + fire.bias)));
}
