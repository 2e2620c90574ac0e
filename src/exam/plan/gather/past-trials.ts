import { statSync } from "node:fs";
import { totalTokens } from "../../../model/index.ts";
import { listRuns, openRecord, readRecord } from "../../record/index.ts";

export interface Past {
  ms: number | null;
  usd: number | null;
  tokens: number | null;
  trials: number;
}

const RUNS = 5;
const LARGEST = 50_000_000;

/**
 * Means per target over the newest runs; null if unknown. Cached answers and errors say nothing about the next trial.
 */
export async function pastTrials(home: string, targets: ReadonlySet<string>): Promise<Map<string, Past>> {
  const sums = new Map<string, Sums>();
  for (const run of (await listRuns(home)).slice(-RUNS)) {
    try {
      const { file } = await openRecord(home, run);
      await addRun(file, targets, sums);
    } catch {
      // A damaged or foreign record does not matter for an estimate.
    }
  }
  return new Map(
    [...sums].map(([target, { ms, usd, tokens }]) => [
      target,
      { ms: meanOf(ms), usd: meanOf(usd), tokens: meanOf(tokens), trials: ms.n },
    ]),
  );
}

interface Mean {
  sum: number;
  n: number;
}

interface Sums {
  ms: Mean;
  usd: Mean;
  tokens: Mean;
}

async function addRun(file: string, targets: ReadonlySet<string>, sums: Map<string, Sums>): Promise<void> {
  if (statSync(file).size > LARGEST) return;
  for await (const line of readRecord(file)) {
    if (line.type === "header" && !line.targets.some(({ id }) => targets.has(id))) return;
    if (line.type !== "trial" || line.cached !== undefined || line.error !== undefined || !targets.has(line.target))
      continue;
    const sum = sums.get(line.target) ?? { ms: { sum: 0, n: 0 }, usd: { sum: 0, n: 0 }, tokens: { sum: 0, n: 0 } };
    sums.set(line.target, sum);
    add(sum.ms, line.ms);
    add(sum.usd, line.costUsd);
    add(sum.tokens, totalTokens(line.usage));
  }
}

function add(mean: Mean, value: number | undefined): void {
  if (value === undefined) return;
  mean.sum += value;
  mean.n++;
}

function meanOf({ sum, n }: Mean): number | null {
  return n === 0 ? null : sum / n;
}
