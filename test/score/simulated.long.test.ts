import { expect, test } from "vitest";
import { clusterCells } from "../../bench/numbers-clusters.ts";
import { compareCells } from "../../bench/numbers-compare.ts";

test("clustered intervals hold the truth at least 90 times in 100, unclustered ones do not", () => {
  const cells = [...clusterCells(1000)];
  // 1,000 rounds of a coverage of 0.92 give less than 0.89 once in a thousand times; the seeds are fixed.
  expect(cells.filter(({ clustered }) => clustered < 0.89)).toEqual([]);
  expect(Math.min(...cells.map(({ unclustered }) => unclustered))).toBeLessThan(0.52);
});

test("a comparison raises a false alarm at most once in twenty, and sees what McNemar's test on verdicts misses", () => {
  const cells = [...compareCells(400)];
  for (const { before, now, clustered, coverage } of cells) {
    // 400 rounds of a level of 0.05 give more than 0.08 once in two hundred times.
    if (before === now) expect(clustered).toBeLessThanOrEqual(0.08);
    expect(coverage).toBeGreaterThanOrEqual(0.92);
  }
  const plain = cells.find(
    ({ now, prompts, runs, spread }) => now === 0.75 && prompts === 50 && runs === 3 && spread === 0,
  )!;
  expect(plain.clustered).toBeGreaterThan(plain.mcnemar + 0.2);
  const shared = cells.find(({ before, now, perPrompt }) => before === now && perPrompt === 6)!;
  expect(shared.unclustered).toBeGreaterThan(0.2);
});
