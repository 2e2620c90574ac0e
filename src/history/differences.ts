import { outcomeDifferences } from "../base/options/index.ts";
import type { HeaderLine, Scores } from "../model/index.ts";

/** What differs between two runs besides the answers: whatever changed may be the doing of any of it. */
export interface Differences {
  /** Skills of both libraries with other files, and those that only one of them has. */
  edited: string[];
  added: string[];
  removed: string[];
  /** The suites are not what they were. */
  suite: boolean;
  /** Options that differ and can change an answer, or what is made of it. */
  options: string[];
  /** Rules of scoring that the earlier run had otherwise. They explain no change: both are scored by those of the later one. */
  rules: string[];
  /** `0.1.0 → 0.2.0`, where another version of Proctor asked. */
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

/** What is different about a target itself: who it is, its version, its model, an option, how Proctor asks it. */
export function targetDifferences(before: HeaderLine, now: HeaderLine, target: string, against = target): string[] {
  const then = before.targets.find(({ id }) => id === against);
  const today = now.targets.find(({ id }) => id === target);
  const renamed = target === against ? [] : [`${against} → ${target}`];
  if (then === undefined || today === undefined || then.fingerprint === today.fingerprint) return renamed;
  // Nothing of the one has its like in the other.
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

/** What the name of a target says already. */
const NAMED = new Set(["provider", "host", "model"]);

/** What nobody has set and nobody reads the numbers of: that it differs is enough. */
const INSIDE: Record<string, string | undefined> = {
  adapter: "how Proctor runs it",
  promptVersion: "what Proctor tells it",
  firstMove: "what Proctor sends to it",
  captured: "its first request",
  batch: "how many questions share a call",
  calibrated: "its calibration",
};

/** The kinds of causes that differ: with more than one, no change can be put down to either. */
export function causesOf(differences: Differences, target: readonly string[]): string[] {
  const { edited, added, removed, options, proctor } = differences;
  return [
    ...(edited.length + added.length + removed.length > 0 ? ["the skills"] : []),
    ...(target.length > 0 ? ["the target"] : []),
    ...(options.length > 0 ? ["the options"] : []),
    ...(proctor === undefined ? [] : ["Proctor itself"]),
  ];
}

/** As the run had them, and as it is scored now. */
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
