import { parseArgs } from "node:util";
import { type ClusterCell, clusterCells } from "./numbers-clusters.ts";
import { type CompareCell, compareCells } from "./numbers-compare.ts";
import { type CoverageCell, coverageCells } from "./numbers-coverage.ts";

/** How often the intervals hold the truth, and how often a comparison is right: `npm run bench -- numbers [--json] [--rounds 1000]`. */
const { values } = parseArgs({ options: { json: { type: "boolean" }, rounds: { type: "string", default: "1000" } } });
const rounds = Number(values.rounds);
const found = {
  coverage: [...coverageCells()],
  wilson: [...coverageCells(wilson)].filter(({ rate }) => rate === "score" || rate === "recall"),
  clusters: [...clusterCells(rounds)],
  comparison: [...compareCells(rounds)],
};

if (values.json)
  console.log(
    JSON.stringify({ rounds, ...found }, (_, value) => (typeof value === "number" ? Number(value.toFixed(4)) : value)),
  );
else print();

function print(): void {
  console.log("intervals: coverage in the worst cell, and the mean over cells (exact)");
  for (const rate of ["score", "recall", "precision", "f1"] as const)
    console.log(`  ${rate.padEnd(10)}${summary(found.coverage.filter((cell) => cell.rate === rate))}`);
  console.log(`  Wilson, which they have replaced, for score and recall: ${summary(found.wilson)}`);
  console.log(`shared prompts: coverage in the worst cell and the mean, clustered and not (${rounds} rounds a cell)`);
  for (const [name, cells] of groups()) {
    const [clustered, unclustered] = (["clustered", "unclustered"] as const).map((key) =>
      worstAndMean(cells.map((cell) => cell[key])),
    );
    console.log(`  ${name.padEnd(38)}${clustered}   not: ${unclustered}`);
  }
  console.log(`comparison: share of ${rounds} rounds called beyond noise`);
  for (const cell of found.comparison) console.log(`  ${compareText(cell)}`);
}

function summary(cells: CoverageCell[]): string {
  const worst = cells.reduce((low, cell) => (cell.coverage < low.coverage ? cell : low));
  const where = `n = ${worst.n}, ${worst.runs} runs, p = ${[worst.p].flat().join(" / ")}, questions ${worst.world}`;
  return `${worstAndMean(cells.map(({ coverage }) => coverage))}   (worst: ${where})`;
}

function worstAndMean(values: number[]): string {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  return `${Math.min(...values).toFixed(3)}  ${mean.toFixed(3)}`;
}

function groups(): Map<string, ClusterCell[]> {
  const named = new Map<string, ClusterCell[]>();
  for (const cell of found.clusters) {
    const name =
      cell.rate === "share"
        ? `${cell.perPrompt} questions a prompt, correlation ${cell.correlation}`
        : `${cell.rate}, every miss is a misfire`;
    named.set(name, [...(named.get(name) ?? []), cell]);
  }
  return named;
}

function compareText({
  before,
  now,
  prompts,
  perPrompt,
  runs,
  spread,
  clustered,
  unclustered,
  mcnemar,
  coverage,
}: CompareCell): string {
  const what = `${before} → ${now}, ${prompts} prompts × ${perPrompt} × ${runs} runs${spread > 0 ? ", questions differ" : ""}`;
  return `${what.padEnd(52)} sign-flip ${clustered.toFixed(3)}  unclustered ${unclustered.toFixed(3)}  McNemar ${mcnemar.toFixed(3)}  interval holds ${coverage.toFixed(3)}`;
}

function wilson(hits: number, n: number): { low: number; high: number } {
  const z = 1.959963984540054;
  const p = hits / n;
  const centre = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return { low: hits <= 0 ? 0 : (centre - spread) / scale, high: hits >= n ? 1 : (centre + spread) / scale };
}
