import { FITTED, FITTED_MINILM, MEASURED, MEASURED_MINILM } from "./parameters.generated.ts";

/** What the router was fitted to: how much each kind of evidence weighs, and the score from which a skill fires. */
export interface Parameters {
  /** How a card's evidence adds up to its strength, which ranks siblings. */
  weights: Record<"bm25" | "grams" | "clause" | "name" | "matched" | "coverage" | "similarity", number>;
  /**
   * How strength becomes the probability to fire: a logistic over strength, the distance to the best other card, and what speaks against firing.
   * The name has its own term: it tells siblings apart, but a prompt that shares nothing else with the card is seldom for it.
   */
  fire: Record<"strength" | "behind" | "name" | "conflict" | "notFor" | "asks" | "unknown" | "bias", number>;
  /** A skill fires from this probability on. */
  needs: number;
}

export const PARAMETERS: Parameters = FITTED;
export const MINILM_PARAMETERS: Parameters = FITTED_MINILM;

/** The share of questions it was right about in libraries it was not fitted on, each library counting the same. */
export { MEASURED, MEASURED_MINILM };

/** Less than this below `needs`, a skill is not sure to stay silent. */
export const UNCERTAIN_BELOW = 0.15;
