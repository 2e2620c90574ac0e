import type { PlannedAsk } from "../../plan/index.ts";
import type { TrialLine } from "../../records/index.ts";

/** Remembers which asks a predicting target was unsure of, so that a costly one is asked about them first. */
export class UnsureAsks {
  readonly #asks = new Set<string>();

  note({ ask, prediction, checks }: TrialLine): void {
    if (prediction !== undefined && checks.some(({ passed }) => passed === null)) this.#asks.add(ask);
  }

  has({ ask }: PlannedAsk): boolean {
    return this.#asks.has(ask.key);
  }
}
