import { FITTED, FITTED_MINILM } from "./parameters.generated.ts";

/** What the router was fitted to: how much each kind of evidence weighs, and from which scores on it is sure. */
export interface Parameters {
  /** How a card's evidence adds up to its strength, which ranks siblings. */
  weights: Record<"bm25" | "grams" | "clause" | "name" | "matched" | "coverage" | "similarity", number>;
  /** What each thing that speaks against a card takes off its strength: its not-for clause, another technology, a prompt that declines it or asks for an explanation. */
  against: number;
  /**
   * How strength becomes the probability to fire. Few numbers, on purpose: with twice as many, the router was better on the libraries it was fitted to and worse
   * on others.
   */
  fire: Record<"strength" | "behind" | "single" | "bias", number>;
  /** More likely than not, where only yes or no will do. */
  even: number;
  /** A skill surely fires from this probability on. */
  needs: number;
  /** Where a skill has at least this probability, it surely wins: others do not fire beside it unless they are near. */
  wins: number;
  /** Below this probability a skill surely stays silent, where another one wins or its card excludes the prompt. */
  silentBelow: number;
}

export const PARAMETERS: Parameters = FITTED;
export const MINILM_PARAMETERS: Parameters = FITTED_MINILM;
