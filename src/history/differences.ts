import { outcomeDifferences } from "../base/options/index.ts";
import type { HeaderLine, Scores } from "../model/index.ts";

export interface Differences {
  edited: string[];
  added: string[];
  removed: string[];
  suite: boolean;
  options: string[];
  /**
   * Scoring rules that differed in the earlier run. They explain no change, since both are scored by the later run's
   * rules.
   */
  rules: string[];
  /** `0.1.0 → 0.2.0`, if the version of Proctor differs. */
  proctor?: string;
}

export function differencesOf(
  before: HeaderLine,
  now: HeaderLine,
  scores: { before: Scores; now: Scores },
): Differences {
  const [then, today] = [before, now].map(
    ({ library }) => new Map(library.skills.map(({ id, fingerprint }) => [id, fingerprint])),
  );
  const ids = (map: ReadonlyMap<string, string> | undefined) => [...(map?.keys() ?? [])];
  const differences: Differences = {
    edited: ids(today).filter((id) => then?.has(id) && then.get(id) !== today?.get(id)),
    added: ids(today).filter((id) => !then?.has(id)),
    removed: ids(then).filter((id) => !today?.has(id)),
    suite: before.suite.fingerprint !== now.suite.fingerprint,
    options: outcomeDifferences(optionsOf(before, scores.before), optionsOf(now, scores.now)),
    rules: outcomeDifferences(rulesOf(before), rulesOf(now)),
  };
  return before.proctor === now.proctor
    ? differences
    : { ...differences, proctor: `${before.proctor} → ${now.proctor}` };
}

export function targetDifferences(
  before: HeaderLine,
  now: HeaderLine,
  { target, against = target }: { target: string; against?: string },
): string[] {
  const then = before.targets.find(({ id }) => id === against);
  const today = now.targets.find(({ id }) => id === target);
  const renamed = target === against ? [] : [`${against} → ${target}`];
  if (then === undefined || today === undefined || then.fingerprint === today.fingerprint) return renamed;
  // Different kinds of targets have no options in common.
  if (then.kind !== today.kind) return [...renamed, "a different kind of target"];
  const [a, b] = [then, today].map(({ identity: { options, deterministic: _, ...identity } }) => ({
    ...options,
    ...identity,
  }));
  // `!`: two were mapped.
  const parts = [...new Set([...Object.keys(a!), ...Object.keys(b!)])].flatMap((name) => {
    const values = [a, b].map((identity) => (identity as Record<string, unknown>)[name]);
    const [one, other] = values.map(valueText);
    if (one === other || (renamed.length > 0 && NAMED.has(name))) return [];
    const words = INSIDE[name] ?? (then.kind === "embedded" && name !== "version" ? "its parameters" : undefined);
    return [words ?? (values.some((value) => typeof value === "object") ? name : `${name} ${one} → ${other}`)];
  });
  const all = [...renamed, ...new Set(parts)];
  return all.length === 0 ? ["its options"] : all;
}

const NAMED = new Set(["provider", "host", "model"]);

/** Internal values that users neither set nor read; naming them is enough. */
const INSIDE: Record<string, string | undefined> = {
  adapter: "how Proctor runs it",
  promptVersion: "what Proctor tells it",
  firstMove: "what Proctor sends to it",
  captured: "its first request",
  batch: "how many questions share a call",
  calibrated: "its calibration",
};

/** Kinds of differences. With more than one, a change cannot be attributed to either. */
export function causesOf(differences: Differences, target: readonly string[]): string[] {
  const { edited, added, removed, options, proctor } = differences;
  return [
    edited.length + added.length + removed.length > 0 ? "the skills" : undefined,
    target.length > 0 ? "the target" : undefined,
    options.length > 0 ? "the options" : undefined,
    proctor === undefined ? undefined : "Proctor itself",
  ].filter((cause) => cause !== undefined);
}

function optionsOf(
  { options }: HeaderLine,
  { options: { threshold, negativeThreshold, evidence, confidence } }: Scores,
) {
  return { ...options, threshold, negativeThreshold, evidence, confidence: confidence ?? undefined };
}

function rulesOf({ options: { threshold, negativeThreshold, evidence } }: HeaderLine) {
  return { threshold, negativeThreshold, evidence };
}

function valueText(value: unknown): string {
  if (value === undefined) return "—";
  return typeof value === "string" ? value : JSON.stringify(value);
}
