import { FITTED } from "./parameters.generated.ts";

/** Everything the router was fitted to: how much each kind of evidence weighs, and where a skill fires. */
export interface Parameters {
  /** How a card's evidence adds up to its strength. */
  weights: Record<Weighed, number>;
  /** How likely a card is to fire: the logistic of `strength` times its strength, `behind` times how far it is behind the best other card, and `bias`. */
  fire: { strength: number; behind: number; bias: number };
  /** A skill fires from this probability on. */
  needs: number;
}

export type Weighed = "bm25" | "grams" | "clause" | "name" | "matched" | "coverage" | "conflict";

export const PARAMETERS: Parameters = FITTED;

/** So far below `needs` a skill is still not sure to stay silent. */
export const UNCERTAIN_BELOW = 0.15;
