import type { CardEvidence } from "../ranking/evidence.ts";
import type { Parameters } from "./parameters.ts";

/** How strongly a prompt's words speak for a card; 0 if nothing does. */
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

/**
 * An upper bound of `strengthOf` for evidence with an upper bound of `clause`; fast, since logarithms are looked up.
 */
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

/** A table, because every card that shares a word with a query needs a logarithm. */
function logOfCount(count: number): number {
  return LOGARITHMS[count] ?? Math.log1p(count);
}

const LOGARITHMS = Float64Array.from({ length: 512 }, (_, count) => Math.log1p(count));

/** The strength less all reasons against the card; never more than `strength`. */
export function netStrength(strength: number, evidence: CardEvidence, { against }: Parameters): number {
  const { conflict, notFor, excluded, declined, asks } = evidence;
  const reasons = Number(conflict) + (notFor ? 1 : excluded) + Number(declined) + Number(asks);
  return Math.max(0, strength - against * reasons);
}

/** Log-odds that a card of this net strength fires if the best other card has `rival`. */
export function fireLogit(
  net: number,
  rival: number,
  { matched, similarity }: CardEvidence,
  { fire }: Parameters,
): number {
  const single = restsOnOneWord({ matched, similarity }) ? fire.single : 0;
  return fire.strength * net + fire.behind * behindOf(net, rival) + single + fire.bias;
}

/** An upper bound of `fireLogit` for a card of this strength. */
export function mostLogit(strength: number, rival: number, { fire }: Parameters): number {
  return fire.strength * strength + fire.behind * behindOf(strength, rival) + Math.max(0, fire.single) + fire.bias;
}

/** How far a card is behind the best other one: 0 or negative, capped because greater distances do not matter. */
export function behindOf(net: number, rival: number): number {
  return Math.max(-FAR, Math.min(0, net - rival));
}

const FAR = 8;

export function isDoubtful(evidence: CardEvidence): boolean {
  return restsOnOneWord(evidence) || isPartlyExcluded(evidence);
}

export function isPartlyExcluded({ notFor, excluded }: CardEvidence): boolean {
  return notFor || excluded >= PARTLY_EXCLUDED;
}

/** Of the labels that would fire with less than this share, 91 in 100 are positives; with more, 67 in 100. */
const PARTLY_EXCLUDED = 0.25;

/** One shared word is a coincidence as often as not, however rare it is. */
export function restsOnOneWord({ matched, similarity }: Pick<CardEvidence, "matched" | "similarity">): boolean {
  return matched === 1 && similarity === 0;
}
