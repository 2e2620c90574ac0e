import type { Activation, Evidence } from "./events.ts";

/** `any`: loaded, read, called and predicted count. `loaded`: only what a host confirmed counts (and predictions, which no host can confirm). */
export type EvidenceRule = "any" | "loaded";

/** The activations that count, in order. Refused and mentioned skills never do. */
export function countedActivations(activations: readonly Activation[], rule: EvidenceRule = "any"): Activation[] {
  return activations.filter((activation) => counts(activation.evidence, rule));
}

function counts(evidence: Evidence, rule: EvidenceRule = "any"): boolean {
  switch (evidence) {
    case "loaded":
    case "predicted":
      return true;
    case "read":
    case "called":
      return rule === "any";
    case "refused":
    case "mentioned":
      return false;
  }
}

/** The skill reached for on the first turn; undefined when there was none. */
export function firstMove(activations: readonly Activation[], rule: EvidenceRule = "any"): Activation | undefined {
  return activations.find((activation) => activation.turn === 1 && counts(activation.evidence, rule));
}
