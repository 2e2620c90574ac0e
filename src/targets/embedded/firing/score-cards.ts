import type { Card } from "../../../skills/index.ts";
import { type Evidence, noEvidence, type Reading } from "../ranking/evidence.ts";
import { invokedName } from "./invoked-skill.ts";
import type { Parameters } from "./parameters.ts";
import { fireLogit, strengthOf } from "./strength.ts";

export interface RouterCard {
  id: string;
  card: Card;
  /** False: no model may activate it by itself, only a command in the prompt. True unless said. */
  modelInvocable?: boolean;
}

/** A card that may fire. */
export interface Candidate {
  evidence: Evidence;
  strength: number;
  /** Of the probability to fire; the score is that probability. */
  logit: number;
  score: number;
}

/** Weighs what a query was read as against each other: the cards that may fire, best first. */
export function createScorer(cards: readonly RouterCard[], parameters: Parameters): (query: string, reading: Reading) => Candidate[] {
  const byName = new Map(cards.map(({ card }, at) => [card.name.toLowerCase(), at]));
  return (query, { evidence, unknown }) => {
    const invoked = byName.get(invokedName(query) ?? "");
    const known = invoked === undefined || evidence.some(({ card }) => card === invoked) ? evidence : [...evidence, noEvidence(invoked)];
    const candidates = known
      .filter(({ card }) => card === invoked || cards[card]!.modelInvocable !== false)
      .map((one): Candidate => ({ evidence: one, strength: strengthOf(one, parameters), logit: 0, score: 0 }));
    weigh(candidates, unknown, parameters);
    if (invoked !== undefined) {
      for (const candidate of candidates) candidate.logit += candidate.evidence.card === invoked ? INVOKED : -INVOKED;
    }
    for (const candidate of candidates) candidate.score = rounded(1 / (1 + Math.exp(-candidate.logit)));
    return candidates.sort((a, b) => b.logit - a.logit || a.evidence.card - b.evidence.card);
  };
}

/** In log-odds, more than any evidence adds up to: a prompt that calls a skill by command is for that one. */
const INVOKED = 100;

/** A candidate's odds depend on how far it is behind the best other one. */
function weigh(candidates: readonly Candidate[], unknown: number, parameters: Parameters): void {
  let best = 0;
  let second = 0;
  for (const { strength } of candidates) {
    if (strength > best) [best, second] = [strength, best];
    else if (strength > second) second = strength;
  }
  for (const candidate of candidates) {
    const rival = candidate.strength === best ? second : best;
    candidate.logit = fireLogit(candidate, rival, unknown, parameters);
  }
}

/** Four decimals: the same on every machine, whatever its last bit of `exp` and `log` is. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
