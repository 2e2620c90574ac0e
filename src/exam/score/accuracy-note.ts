import { count } from "../../base/index.ts";
import type { TargetScores } from "../../model/index.ts";

/**
 * How reliable a predicting target is in this run: "sure about 96 of 148 (about 9 wrong): right 9 times in 10 on 22
 * collections it had never seen; cannot tell for the other 52". It includes the expected number of mistakes, since a
 * question it fails may be the target's mistake. Undefined for targets that run an agent or whose accuracy was not
 * measured.
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

function measuredIn(value: unknown): { accuracyWhenSure: number; collections: number } | undefined {
  const { accuracyWhenSure, collections } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return typeof accuracyWhenSure === "number" && typeof collections === "number"
    ? { accuracyWhenSure, collections }
    : undefined;
}

/** How many of the questions it cannot tell another target might. No target knows more about locked skills. */
export function openToAsk({ total, unsure }: TargetScores): number {
  const locked = unsure.find(({ reason }) => reason === "locked")?.questions ?? 0;
  return total.coverage.missing.unsure - locked;
}
