import type { CardEvidence } from "../ranking/evidence.ts";
import type { Parameters } from "./parameters.ts";

/** How strongly the evidence speaks for a card against its siblings, as one number; 0 when nothing does. */
export function strengthOf(evidence: CardEvidence, { weights }: Parameters): number {
  return (
    weights.bm25 * Math.log1p(evidence.bm25) +
    weights.grams * evidence.grams +
    weights.clause * evidence.clause +
    weights.name * evidence.name +
    weights.matched * Math.log1p(evidence.matched) +
    weights.coverage * evidence.coverage +
    weights.similarity * evidence.similarity
  );
}

/** The log-odds that a card fires when the best other card has strength `rival`. */
export function fireLogit(
  card: { evidence: CardEvidence; strength: number },
  rival: number,
  unknown: number,
  { fire }: Parameters,
): number {
  const { evidence, strength } = card;
  return (
    fire.strength * strength +
    fire.behind * behindOf(strength, rival) +
    fire.name * evidence.name +
    (evidence.conflict ? fire.conflict : 0) +
    (evidence.notForAt !== -1 ? fire.notFor : 0) +
    (evidence.asks ? fire.asks : 0) +
    fire.unknown * unknown +
    fire.bias
  );
}

/** The most that `fireLogit` can say of a card with this strength, whatever else speaks for or against it. */
export function mostLogit(strength: number, rival: number, unknown: number, { fire }: Parameters): number {
  return (
    fire.strength * strength +
    fire.behind * behindOf(strength, rival) +
    Math.max(0, fire.name) +
    Math.max(0, fire.conflict) +
    Math.max(0, fire.notFor) +
    Math.max(0, fire.asks) +
    fire.unknown * unknown +
    fire.bias
  );
}

/** How far a card is behind the best other one: 0 or negative. Beyond a certain distance, more makes no difference. */
export function behindOf(strength: number, rival: number): number {
  return Math.max(-FAR, Math.min(0, strength - rival));
}

const FAR = 6;
