import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { type RecordPlace, readRecord, readTranscript } from "../../src/exam/record/index.ts";
import { exitCode, scoreStored } from "../../src/exam/score/index.ts";
import type { Scores, TrialLine } from "../../src/model/index.ts";
import type { Sat, World } from "../world.ts";
import { variedRun } from "./varied-run.ts";

/** Each test damages a copy of its files. */
let world: World;
let sat: Sat;
let whole: Buffer;
let expected: unknown;

beforeAll(async () => {
  ({ world, sat } = await variedRun());
  whole = readFileSync(sat.place.file);
  expected = numbersOf(await scoreStored(sat.place));
});
afterAll(() => world.remove());

function numbersOf({ run, targets, gates, plan }: Scores): unknown {
  return JSON.parse(JSON.stringify({ how: run.how, damage: run.damage, targets, gates, plan }));
}

/** Never silently another number: it is as it was, or it is refused, or it is said to be damaged or unfinished and exits 3. */
async function neverSilent(damaged: Buffer): Promise<"same" | "refused" | "said"> {
  writeFileSync(sat.place.file, damaged);
  let scores: Scores;
  try {
    scores = await scoreStored(sat.place);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return "refused";
  }
  if (scores.run.damage === undefined && scores.run.how !== "unfinished") {
    expect(numbersOf(scores)).toEqual(expected);
    return "same";
  }
  expect(exitCode(scores)).toBe(3);
  return "said";
}

const linesOf = (data: Buffer) => data.toString("utf8").split("\n").slice(0, -1);
const joined = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));

describe("a record that is not what was written is never silently another number", () => {
  test("a flipped bit, anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << bit;
        expect(await neverSilent(damaged)).not.toBe("same");
      }),
      { numRuns: 200 },
    );
  });

  test("several flipped bytes", async () => {
    const bytes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })), {
      minLength: 2,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(bytes, async (flips) => {
        const damaged = Buffer.from(whole);
        for (const [at, mask] of flips) damaged[at]! ^= mask;
        await neverSilent(damaged);
      }),
      { numRuns: 100 },
    );
  });

  test("cut off anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        expect(await neverSilent(whole.subarray(0, length))).not.toBe("same");
      }),
      { numRuns: 100 },
    );
  });

  test("every line lost, doubled, or swapped with the next", async () => {
    const lines = linesOf(whole);
    for (let at = 0; at < lines.length; at++) {
      expect(await neverSilent(joined(lines.toSpliced(at, 1)))).not.toBe("same");
      expect(await neverSilent(joined(lines.toSpliced(at, 0, lines[at]!)))).not.toBe("same");
      if (at + 1 < lines.length)
        expect(await neverSilent(joined(lines.toSpliced(at, 2, lines[at + 1]!, lines[at]!)))).not.toBe("same");
    }
  });

  test("a line from another run of the same exam", async () => {
    writeFileSync(sat.place.file, whole);
    const other = linesOf(readFileSync((await world.sit({ cache: false, retries: 1 })).place.file));
    const lines = linesOf(whole);
    for (let at = 1; at < lines.length; at++)
      expect(await neverSilent(joined(lines.with(at, other[at]!)))).toBe("said");
  });
});

test("a damaged line is named by its place, and the rest is scored", async () => {
  const lines = linesOf(whole);
  const at = lines.findIndex((line) => line.startsWith('{"type":"trial"'));
  writeFileSync(sat.place.file, joined(lines.with(at, lines[at]!.replace('"run":1', '"run":2'))));
  const { run, targets } = await scoreStored(sat.place);
  expect(run.damage).toEqual([`record.jsonl:${at + 1} is damaged: its checksum does not match`]);
  expect(targets[0]!.trials.total).toBe(sat.trials.length - 1);
  await expect(readAll(sat.place)).rejects.toThrow(`record.jsonl:${at + 1} is damaged`);
});

test("a lost line is named, and the lines after it count", async () => {
  const lines = linesOf(whole);
  const at = lines.findIndex((line) => line.startsWith('{"type":"trial"'));
  writeFileSync(sat.place.file, joined(lines.toSpliced(at, 2)));
  const { run, targets } = await scoreStored(sat.place);
  expect(run.damage).toEqual([`record.jsonl:${at + 1} comes after 2 lines that are missing`]);
  expect(targets[0]!.trials.total).toBe(sat.trials.length - 2);
});

test("a flipped bit in a transcript is found when it is read", async () => {
  writeFileSync(sat.place.file, whole);
  const { transcript } = sat.trials.find((line) => line.transcript !== undefined)!;
  const file = join(sat.place.dir, "segments", transcript!.segment);
  const before = readFileSync(file);
  const damaged = Buffer.from(before);
  const text = damaged.indexOf("done");
  damaged[text]! ^= 1;
  writeFileSync(file, damaged);
  await expect(readTranscript(dirname(sat.place.file), transcript!)).rejects.toThrow(
    /transcripts-000\.jsonl is damaged/,
  );
  writeFileSync(file, before);
  await expect(readTranscript(dirname(sat.place.file), transcript!)).resolves.toMatchObject({
    finalText: "Größe: done.",
  });
});

describe("without checksums, as before version 2", () => {
  const unsealed = (change: (trial: TrialLine) => unknown = (trial) => trial) => {
    let trials = 0;
    const lines = linesOf(whole).map((text) => {
      const { n: _n, sum: _sum, ...line } = JSON.parse(text) as Record<string, unknown>;
      if (line["type"] === "header") line["version"] = 1;
      return line["type"] === "trial" && trials++ === 0 ? change(line as unknown as TrialLine) : line;
    });
    return joined(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))));
  };

  test("a record is read as it was", async () => {
    expect(await neverSilent(unsealed())).toBe("same");
  });

  test.each<[string, (trial: TrialLine) => unknown]>([
    ["a negative cost", (trial) => ({ ...trial, costUsd: -1 })],
    ["a cost without bounds", (trial) => JSON.stringify({ ...trial, costUsd: 7654 }).replace("7654", "1e999")],
    ["a run before the first", (trial) => ({ ...trial, run: 0 })],
    ["a run that is no whole number", (trial) => ({ ...trial, run: 1.5 })],
    ["a run beyond the most there can be", (trial) => ({ ...trial, run: 1e12 })],
    ["negative turns", (trial) => ({ ...trial, turns: -1 })],
    ["a negative time", (trial) => ({ ...trial, ms: -5 })],
    ["no date", (trial) => ({ ...trial, startedAt: "yesterday" })],
    ["an activation without a turn", (trial) => ({ ...trial, activations: [{ skill: "alpha", evidence: "loaded" }] })],
    [
      "an activation of unknown evidence",
      (trial) => ({ ...trial, activations: [{ skill: "alpha", turn: 1, evidence: "seen" }] }),
    ],
    ["an activation in a list of its own", (trial) => ({ ...trial, activations: [[]] })],
    ["an attempt that is none", (trial) => ({ ...trial, attempts: [null] })],
    ["an attempt with a negative cost", (trial) => ({ ...trial, attempts: [{ ms: 1, costUsd: -0.5 }] })],
    ["usage in words", (trial) => ({ ...trial, usage: { inputTokens: "many" } })],
    ["usage below nothing", (trial) => ({ ...trial, usage: { outputTokens: -3 } })],
    ["a listing that shows nothing known", (trial) => ({ ...trial, listing: [{ skill: "alpha", shown: "half" }] })],
    ["a prediction without a ranking", (trial) => ({ ...trial, prediction: { needs: 1 } })],
    [
      "a check that both passed and did not",
      (trial) => ({ ...trial, checks: [{ question: "q", passed: "yes", score: 1, message: "" }] }),
    ],
    ["a check without a message", (trial) => ({ ...trial, checks: [{ question: "q", passed: true, score: 1 }] })],
    [
      "an error of no known reason",
      (trial) => ({ ...trial, how: "error", error: { reason: "?", message: "", retryable: false } }),
    ],
    [
      "an error and a normal end",
      (trial) => ({ ...trial, how: "completed", error: { reason: "api", message: "", retryable: false } }),
    ],
    ["resources below nothing", (trial) => ({ ...trial, resources: { peakMemoryBytes: -1, cpuMs: 1 } })],
    [
      "a transcript at a negative place",
      (trial) => ({ ...trial, transcript: { segment: "transcripts-000.jsonl", offset: -1, length: 5 } }),
    ],
    ["cached on no day", (trial) => ({ ...trial, cached: { measuredAt: "never", savedMs: 1 } })],
    [
      "a member that became the object's nature",
      (trial) => JSON.stringify(trial).replace('"type":"trial"', '"type":"__proto__"'),
    ],
  ])("a trial with %s is damaged", async (_name, change) => {
    expect(await neverSilent(unsealed(change))).toBe("said");
  });

  // Runs and shards are gone through one by one: 48 kB of record once filled all memory.
  test.each([
    ["question", /"runs":\{[^}]*\}/, '"runs":{"script:answers.yaml":1e12}', "said"],
    ["header", /"optionsFingerprint":/, '"shard":{"index":1,"count":1e12},$&', "refused"],
  ])("a %s with a number of runs or shards that nobody plans is damaged", async (type, member, put, outcome) => {
    const lines = linesOf(unsealed()).map((line) =>
      line.includes(`"type":"${type}"`) ? line.replace(member, put) : line,
    );
    expect(lines.some((line) => line.includes("1e12"))).toBe(true);
    expect(await neverSilent(joined(lines))).toBe(outcome);
  });
});

async function readAll({ file }: RecordPlace): Promise<void> {
  for await (const _line of readRecord(file));
}
