import type { PlannedAsk } from "../../plan/index.ts";
import type { TrialLine } from "../../records/index.ts";

/** Remembers which asks a predicting target was unsure of, so that a costly one is asked about them first. */
export class UnsureAsks {
  readonly #asks = new Set<string>();

  note({ ask, prediction }: TrialLine): void {
    if (prediction?.ranking.some(({ verdict }) => verdict === "uncertain")) this.#asks.add(ask);
  }

  has({ ask }: PlannedAsk): boolean {
    return this.#asks.has(ask.key);
  }
}
