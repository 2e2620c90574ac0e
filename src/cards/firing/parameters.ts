import { FITTED, FITTED_MINILM } from "./parameters.generated.ts";

/** The fitted parameters: the weight of each kind of evidence, and the scores from which the router is sure. */
export interface Parameters {
  /** Weights of a card's evidence in its strength, which ranks siblings. */
  weights: Record<"bm25" | "grams" | "clause" | "name" | "matched" | "coverage" | "similarity", number>;
  /**
   * Deducted from the strength for each reason against a card: its not-for clause, another technology, a prompt that
   * declines it or asks for an explanation.
   */
  against: number;
  /**
   * Turns strength into the probability to fire. With twice as many numbers, the router was better on the libraries it
   * was fitted to and worse on others.
   */
  fire: Record<"strength" | "behind" | "single" | "bias", number>;
  /** Probability limit for a plain yes or no. */
  even: number;
  /** From this probability on a skill surely fires. */
  needs: number;
  /** From this probability on a skill surely wins: others do not fire beside it unless they are near. */
  wins: number;
  /** Below this probability a skill surely stays silent if another one wins or its card excludes the prompt. */
  silentBelow: number;
}

export const PARAMETERS: Parameters = FITTED;
export const MINILM_PARAMETERS: Parameters = FITTED_MINILM;
