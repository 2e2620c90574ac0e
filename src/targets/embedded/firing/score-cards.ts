import type { RouterCard } from "../cards/router-card.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "../ranking/evidence.ts";
import { invokedName } from "./invoked-skill.ts";
import type { Parameters } from "./parameters.ts";
import { fireLogit, strengthOf } from "./strength.ts";

/** A card that may fire on a query. */
export interface ScoredCard {
  evidence: CardEvidence;
  strength: number;
  /** Log-odds that it fires; the score is the probability. */
  logit: number;
  score: number;
}

/** Weighs the cards that a query was read against: those that may fire, best first. */
export function createScorer(cards: readonly RouterCard[], parameters: Parameters): (query: string, reading: QueryReading) => ScoredCard[] {
  const byName = new Map(cards.map(({ card }, at) => [card.name.toLowerCase(), at]));
  return (query, { evidence, unknown }) => {
    const invoked = byName.get(invokedName(query) ?? "");
    const known = invoked === undefined || evidence.some(({ card }) => card === invoked) ? evidence : [...evidence, noEvidence(invoked)];
    const scored = known
      .filter(({ card }) => card === invoked || cards[card]?.modelInvocable !== false)
      .map((one): ScoredCard => ({ evidence: one, strength: strengthOf(one, parameters), logit: 0, score: 0 }));
    addOdds(scored, unknown, parameters);
    if (invoked !== undefined) {
      for (const card of scored) card.logit += card.evidence.card === invoked ? INVOKED : -INVOKED;
    }
    for (const card of scored) card.score = rounded(1 / (1 + Math.exp(-card.logit)));
    return scored.sort((a, b) => b.logit - a.logit || a.evidence.card - b.evidence.card);
  };
}

/** In log-odds, more than any evidence adds up to: a prompt that calls a skill by command is for that skill. */
const INVOKED = 100;

/** A card's odds depend on how far it is behind the best other one. */
function addOdds(cards: readonly ScoredCard[], unknown: number, parameters: Parameters): void {
  let best = 0;
  let second = 0;
  for (const { strength } of cards) {
    if (strength > best) [best, second] = [strength, best];
    else if (strength > second) second = strength;
  }
  for (const card of cards) {
    const rival = card.strength === best ? second : best;
    card.logit = fireLogit(card, rival, unknown, parameters);
  }
}

/** Four decimals: the same on every machine, whatever the last bit of its `exp` and `log`. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
