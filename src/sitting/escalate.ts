import type { AskUnit } from "../plan/index.ts";
import type { Prediction } from "../transcripts/index.ts";

/** Remembers which asks a predicting target was unsure of, so that a costly one is asked about them first. */
export class Doubts {
  readonly #unsure = new Set<string>();

  note(ask: string, prediction: Prediction | undefined): void {
    if (prediction?.ranking.some(({ verdict }) => verdict === "uncertain")) this.#unsure.add(ask);
  }

  rank(units: Iterable<AskUnit>): void {
    for (const unit of units) unit.priority = this.#unsure.has(unit.ask.key) ? 0 : 1;
  }
}
