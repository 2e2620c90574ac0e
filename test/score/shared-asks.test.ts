import { describe, expect, test } from "vitest";
import { clusterCells } from "../../bench/numbers-clusters.ts";
import { agreement, evaluateGates, parseGate } from "../../src/exam/score/index.ts";
import { midP } from "../../src/exam/score/statistics/clusters.ts";
import { renderTerminal } from "../../src/reporters/index.ts";
import { claude, fired, header, negative, positive, score, target, trial } from "./build.ts";

/** Ten prompts, each a positive of one skill and a negative of its sibling; on the last three the sibling fires instead. */
function shop(names: { one: string; sibling: string; targetId?: string }) {
  const { one, sibling, targetId = claude.id } = names;
  const pairs = Array.from({ length: 10 }, (_, index) => [
    positive(`p${index}`, one, { ask: `ask ${index}`, prompt: `prompt ${index}`, runs: { [targetId]: 1 } }),
    negative(`n${index}`, sibling, { ask: `ask ${index}`, prompt: `prompt ${index}`, runs: { [targetId]: 1 } }),
  ]);
  return score([
    header({ targets: [target(targetId)], skills: [one, sibling] }),
    ...pairs.flat(),
    ...pairs.map((pair, index) => trial(pair, 1, fired(index < 7 ? one : sibling), { target: targetId })),
  ]);
}

describe("ten prompts, each a positive of one skill and a negative of its sibling", () => {
  const scores = shop({ one: "refund", sibling: "returns" });
  const { total } = scores.targets[0]!;

  test("are twenty questions on ten prompts, and the interval is that of ten", () => {
    expect(total.score).toMatchObject({ value: 0.7, n: 20, prompts: 10 });
    expect(total.score.low).toBeCloseTo(midP(7, 10)!.low, 9);
    expect(total.score.high).toBeCloseTo(midP(7, 10)!.high, 9);
    expect(total.recall).toMatchObject({ value: 0.7, n: 10, prompts: 10, ...midP(7, 10) });
  });

  test("a bound that a gate is held against is the clustered one, and the message says on how many prompts", () => {
    const [gate] = evaluateGates(scores, [parseGate("lower(score)>=0.45")]);
    expect(gate).toMatchObject({
      status: "breached",
      message: expect.stringContaining("over 20 questions on 10 prompts"),
    });
  });

  test("the screen has the number of prompts beside that of questions", () => {
    expect(renderTerminal(scores, { width: 120 })).toContain(
      "20 questions on 10 prompts: 10 should activate, 10 should not",
    );
    expect(renderTerminal(scores, { verbose: true })).toContain(
      "20 questions on 10 prompts: one trial answers all questions on a prompt",
    );
  });

  test("no bound depends on the names of skills and targets", () => {
    const renamed = shop({ one: "zebra", sibling: "yak", targetId: "codex:gpt" }).targets[0]!.total;
    expect({ ...renamed }).toEqual({ ...total });
  });
});

describe("two targets that differ on three of those prompts", () => {
  const other = target("codex:mini");
  const pairs = Array.from({ length: 10 }, (_, index) =>
    [positive(`p${index}`, "one"), negative(`n${index}`, "sibling")].map((question) => ({
      ...question,
      ask: `ask ${index}`,
      runs: { [claude.id]: 2, [other.id]: 2 },
    })),
  );
  const scores = score([
    header({ targets: [claude, other], options: { earlyStop: false } }),
    ...pairs.flat(),
    ...[claude, other].flatMap(({ id }) =>
      pairs.flatMap((pair, index) =>
        [1, 2].map((run) => trial(pair, run, fired(id === claude.id || index < 7 ? "one" : "sibling"), { target: id })),
      ),
    ),
  ]);

  test("agree on fourteen of twenty questions, with the interval of ten prompts", () => {
    expect(agreement(scores, claude.id, other.id)).toMatchObject({
      ...{ n: 20, prompts: 10, agreed: 14 },
      low: expect.closeTo(midP(7, 10)!.low, 9),
      high: expect.closeTo(midP(7, 10)!.high, 9),
      positives: { n: 10, agreed: 7, ...midP(7, 10) },
    });
    expect(renderTerminal(scores, { width: 200 })).toContain(
      "the same verdict on 14 of 20 questions on 10 prompts [.38–.92]",
    );
  });

  test("have pass@k and pass^k with n, prompts and the interval of ten prompts", () => {
    const { attempts } = scores.targets[1]!;
    expect(attempts[1]).toMatchObject({
      k: 2,
      n: 20,
      prompts: 10,
      passAt: expect.closeTo(0.7),
      passAll: expect.closeTo(0.7),
    });
    for (const { low, high } of [attempts[1]!.passAtInterval, attempts[1]!.passAllInterval]) {
      expect(low).toBeCloseTo(midP(7, 10)!.low, 9);
      expect(high).toBeCloseTo(midP(7, 10)!.high, 9);
    }
    expect(renderTerminal(scores, { width: 200, verbose: true })).toContain(
      "pass@2 0.70 [.38–.92] pass^2 0.70 [.38–.92] over 20 questions on 10 prompts",
    );
  });
});

test("by simulation: clustered intervals hold the truth, unclustered ones do not", () => {
  const cells = [...clusterCells(100, [10])];
  const worst = (kind: "clustered" | "unclustered") => Math.min(...cells.map((cell) => cell[kind]));
  // 100 rounds of a coverage of 0.92 give less than 0.82 once in a thousand times; the seeds are fixed. test:long has more rounds.
  expect(worst("clustered")).toBeGreaterThanOrEqual(0.82);
  expect(worst("unclustered")).toBeLessThan(0.6);
});
