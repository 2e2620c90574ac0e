import type { CardEvidence } from "../ranking/evidence.ts";
import type { Parameters } from "./parameters.ts";

/** How strongly a prompt's words speak for a card, as one number; 0 when nothing does. */
export function strengthOf(evidence: CardEvidence, { weights }: Parameters): number {
  return (
    weights.bm25 * Math.log1p(evidence.bm25) +
    weights.grams * evidence.grams +
    weights.clause * evidence.clause +
    weights.name * evidence.name +
    weights.matched * logOfCount(evidence.matched) +
    weights.coverage * evidence.coverage +
    weights.similarity * evidence.similarity
  );
}

/** At least as much as `strengthOf`, of evidence whose `clause` is the most that it can be, and quickly: the logarithm is looked up. */
export function mostStrength(evidence: CardEvidence, { weights }: Parameters): number {
  const log =
    weights.bm25 > 0 ? (LOGARITHMS[Math.ceil(evidence.bm25)] ?? Math.log1p(evidence.bm25)) : Math.log1p(evidence.bm25);
  return (
    weights.bm25 * log +
    weights.grams * evidence.grams +
    Math.max(0, weights.clause) * evidence.clause +
    weights.name * evidence.name +
    weights.matched * logOfCount(evidence.matched) +
    weights.coverage * evidence.coverage +
    weights.similarity * evidence.similarity
  );
}

/** The logarithm is worked out once for the counts that occur: every card that shares a word with a query needs it. */
function logOfCount(count: number): number {
  return LOGARITHMS[count] ?? Math.log1p(count);
}

const LOGARITHMS = Float64Array.from({ length: 512 }, (_, count) => Math.log1p(count));

/** The strength that is left when everything that speaks against the card is taken off. Never more than `strength`. */
export function netStrength(strength: number, evidence: CardEvidence, { against }: Parameters): number {
  const { conflict, notFor, excluded, declined, asks } = evidence;
  const reasons = Number(conflict) + (notFor ? 1 : excluded) + Number(declined) + Number(asks);
  return Math.max(0, strength - against * reasons);
}

/** The log-odds that a card of this net strength fires when that of the best other card is `rival`. */
export function fireLogit(
  net: number,
  rival: number,
  { matched, similarity }: CardEvidence,
  { fire }: Parameters,
): number {
  const single = restsOnOneWord({ matched, similarity }) ? fire.single : 0;
  return fire.strength * net + fire.behind * behindOf(net, rival) + single + fire.bias;
}

/** The most that `fireLogit` can say of a card with this strength, whatever speaks against it. */
export function mostLogit(strength: number, rival: number, { fire }: Parameters): number {
  return fire.strength * strength + fire.behind * behindOf(strength, rival) + Math.max(0, fire.single) + fire.bias;
}

/** How far a card is behind the best other one: 0 or negative. Beyond a certain distance, more makes no difference. */
export function behindOf(net: number, rival: number): number {
  return Math.max(-FAR, Math.min(0, net - rival));
}

const FAR = 8;

/** It may fire, but never surely. */
export function isDoubtful(evidence: CardEvidence): boolean {
  return restsOnOneWord(evidence) || isPartlyExcluded(evidence);
}

/** Too much of the query is in words of what the skill is not for. */
export function isPartlyExcluded({ notFor, excluded }: CardEvidence): boolean {
  return notFor || excluded >= PARTLY_EXCLUDED;
}

/** Of the labels that would fire with less than this share, 91 in 100 are positives; with more, 67 in 100. */
const PARTLY_EXCLUDED = 0.25;

/** One shared word is an accident as often as not, however rare it is: nothing is sure that rests on it alone. */
export function restsOnOneWord({ matched, similarity }: Pick<CardEvidence, "matched" | "similarity">): boolean {
  return matched === 1 && similarity === 0;
}
