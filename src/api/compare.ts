import { UsageError } from "../base/index.ts";
import type { RunSettings } from "../options/index.ts";
import { listRuns, openRecord, type RecordPlace } from "../records/index.ts";
import { type ComparedRuns, compareStored } from "../runs/index.ts";
import { type ChangeGate, type Gate, parseChangeGate, parseGate } from "../scores/index.ts";
import { openScope, type Scope } from "./scope.ts";

export interface CompareOptions extends Omit<Scope, "paths">, Pick<RunSettings, "allowPredicted" | "minCoverage"> {
  /** The earlier run: its id, its folder or its record.jsonl; the one before `now` unless said. */
  before?: string;
  /** The later one; the newest unless said. */
  now?: string;
  /** On change (`no-regression`, `recall drop<=0.05`, `new-thefts<=0`), or on a rate of the later run; those of the configuration unless said. */
  gates?: string[];
}

/** `proctor compare` as a function: two stored runs, side by side. */
export async function compare(options: CompareOptions = {}): Promise<ComparedRuns> {
  const { home, config } = await openScope(options);
  const { allowPredicted = config.config.allow_predicted, minCoverage = config.config.min_coverage } = options;
  const gates = parseGates(options.gates ?? config.config.change_gates ?? []);
  const now = await openRecord(home, options.now);
  const before = options.before === undefined ? await runBefore(home, now) : await openRecord(home, options.before);
  const compared = await compareStored(before, now, { ...gates, allowPredicted, minCoverage });
  return compared;
}

/** Gates on change, and gates on rates. */
export function parseGates(texts: readonly string[]): { changeGates: ChangeGate[]; gates: Gate[] } {
  const parsed = texts.map((text) => ({ text, change: parseChangeGate(text) }));
  return {
    changeGates: parsed.flatMap(({ change }) => change ?? []),
    gates: parsed.flatMap(({ text, change }) => (change === undefined ? [parseGate(text)] : [])),
  };
}

async function runBefore(home: string, { run }: RecordPlace): Promise<RecordPlace> {
  const runs = await listRuns(home);
  const earlier = runs[runs.indexOf(run) - 1];
  if (earlier === undefined)
    throw new UsageError(
      `There is no run before ${run} to compare it with.`,
      "proctor compare --base REV compares with a revision; proctor runs lists the runs.",
    );
  return openRecord(home, earlier);
}
