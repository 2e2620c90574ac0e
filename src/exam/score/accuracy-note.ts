import { count } from "../../base/index.ts";
import type { TargetScores } from "../../model/index.ts";

/**
 * How far a predicting target's word goes in this run: "sure about 96 of 148 (about 9 wrong): right 9 times in 10 on 22 collections it had
 * never seen; cannot tell for the other 52". Where it fails a question, it may be the one that is wrong, so the number of its own mistakes to expect is told.
 * undefined for a target that is always sure, or runs an agent.
 */
export function sureText({ total: { coverage }, identity, predicted }: TargetScores): string | undefined {
  const measured = measuredIn(identity.options["measured"]);
  if (!predicted || measured === undefined) return undefined;
  const { verdicts, missing } = coverage;
  const asked = verdicts + missing.unsure;
  if (asked === 0) return undefined;
  const promise = `right ${Math.floor(measured.accuracyWhenSure * 10 + 1e-9)} times in 10 on ${count(measured.collections, "collection")} it had never seen`;
  if (verdicts === 0) return asked === 1 ? "cannot tell" : `cannot tell for any of the ${asked} questions`;
  if (asked === 1) return `sure about it: ${promise}`;
  const wrong = Math.round(verdicts * (1 - measured.accuracyWhenSure));
  const doubt = wrong === 0 ? "" : ` (about ${wrong} wrong)`;
  return missing.unsure === 0
    ? `sure about ${asked === 2 ? "both" : `all ${asked}`}${doubt}: ${promise}`
    : `sure about ${verdicts} of ${asked}${doubt}: ${promise}; cannot tell for the other ${missing.unsure}`;
}

/** A record may hold anything. */
function measuredIn(value: unknown): { accuracyWhenSure: number; collections: number } | undefined {
  const { accuracyWhenSure, collections } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return typeof accuracyWhenSure === "number" && typeof collections === "number"
    ? { accuracyWhenSure, collections }
    : undefined;
}

/** How many of the questions that it cannot tell somebody else might: of a skill that no model may activate, nobody knows more. */
export function openToAsk({ total, unsure }: TargetScores): number {
  const locked = unsure.find(({ reason }) => reason === "locked")?.questions ?? 0;
  return total.coverage.missing.unsure - locked;
}
