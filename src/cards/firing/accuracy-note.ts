import type { MEASURED } from "./parameters.generated.ts";

/** What every report says about predictions: that they are predictions, and how accurate. */
export function predictedNote({ accuracyWhenSure, collections }: typeof MEASURED): string {
  return `predicted from the cards, no agent ran; says when it cannot tell, and was right for ${outOfTen(accuracyWhenSure)} of 10 of its other answers on ${collections} collections it had never seen`;
}

function outOfTen(share: number): number {
  return Math.floor(share * 10 + 1e-9);
}
