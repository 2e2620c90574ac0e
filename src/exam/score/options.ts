import { UsageError } from "../../base/index.ts";
import { accepts, expectation, type Option, runOptions } from "../../base/options/index.ts";
import type { ResolvedScoreOptions, ScoreOptions } from "../../model/index.ts";
import { parseGate } from "./gates.ts";

const scored = runOptions.filter((option) => option.scored);

export function resolveOptions(given: ScoreOptions, header: Record<string, unknown>): ResolvedScoreOptions {
  const recorded = camelKeys(header);
  const options = Object.fromEntries(
    scored.map((option) => [option.name, valueFor(option, given, recorded)]),
  ) as Required<ScoreOptions>;
  return { ...options, confidence: options.confidence ?? null, gates: options.gates.map(parseGate) };
}

/** A given value must be valid. An invalid recorded value is ignored. */
function valueFor(
  { name, kind, recorded: path = name, default: fallback }: Option,
  given: ScoreOptions,
  recorded: object,
): unknown {
  const value: unknown = given[name as keyof ScoreOptions];
  if (value !== undefined && value !== null) {
    if (accepts(kind, value)) return value;
    throw new UsageError(`${name} is ${value}; it is ${expectation(kind)}.`);
  }
  const before = (recorded as Record<string, unknown>)[path];
  return accepts(kind, before) ? before : fallback;
}

/** Configurations write `min_coverage`, code writes `minCoverage`, and a record may hold either. */
function camelKeys(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
