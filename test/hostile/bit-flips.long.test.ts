import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { openCache, type RecordPlace, readRaw, readTranscript } from "../../src/exam/record/index.ts";
import { exitCode, scoreStored } from "../../src/exam/score/index.ts";
import type { Scores, TrialLine } from "../../src/model/index.ts";
import { ask, noMask, staged, tempFolder, transcript } from "../record/sample.ts";
import type { World } from "../world.ts";
import { generator } from "./mutate.ts";
import { variedRun } from "./varied-run.ts";

/** Never silently another number, never a throw that a person could not understand. */
const FLIPS = 3_000;

let world: World;
let place: RecordPlace;
let trials: TrialLine[];
beforeAll(async () => {
  const varied = await variedRun();
  world = varied.world;
  ({ place, trials } = varied.sat);
});
afterAll(() => world.remove());

/** A place and a bit of it, at random, the same each time. */
function* flips(length: number, seed: number): Generator<{ at: number; bit: number }> {
  const random = generator(seed);
  for (let count = 0; count < FLIPS; count++)
    yield { at: Math.floor(random() * length), bit: Math.floor(random() * 8) };
}

function flipped(whole: Buffer, { at, bit }: { at: number; bit: number }): Buffer {
  const damaged = Buffer.from(whole);
  damaged[at]! ^= 1 << bit;
  return damaged;
}

test(`a record, ${FLIPS} times`, async () => {
  const whole = readFileSync(place.file);
  for (const flip of flips(whole.length, 1)) {
    writeFileSync(place.file, flipped(whole, flip));
    let scores: Scores;
    try {
      scores = await scoreStored(place);
    } catch (error) {
      expect(error, JSON.stringify(flip)).toBeInstanceOf(UsageError);
      continue;
    }
    // Every bit of it counts, so it is said to be damaged, or not whole.
    expect(
      [scores.run.damage !== undefined || scores.run.how === "unfinished", exitCode(scores)],
      JSON.stringify(flip),
    ).toEqual([true, 3]);
  }
  writeFileSync(place.file, whole);
}, 300_000);

test(`the transcripts and the raw output of a run, ${FLIPS} times`, async () => {
  const kept = trials.filter((line) => line.transcript !== undefined);
  const read = async (line: TrialLine) => [
    await readTranscript(place.dir, line.transcript!),
    line.raw === undefined ? "" : await readRaw(place.dir, line.raw),
  ];
  const expected = await Promise.all(kept.map(read));
  const dir = join(dirname(place.file), "segments");
  for (const [index, name] of readdirSync(dir).entries()) {
    const whole = readFileSync(join(dir, name));
    for (const flip of flips(whole.length, 2 + index)) {
      writeFileSync(join(dir, name), flipped(whole, flip));
      for (const [at, line] of kept.entries()) {
        try {
          expect(await read(line), JSON.stringify(flip)).toEqual(expected[at]);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
        }
      }
    }
    writeFileSync(join(dir, name), whole);
  }
}, 300_000);

test(`the cache, ${FLIPS} times`, async () => {
  const root = tempFolder();
  const target = { id: "t", kind: "script", identity: { options: {}, deterministic: false } };
  const library = [staged("go-docs"), staged("go-style")];
  const open = () => openCache(root, { mask: noMask });
  const cache = open();
  const answers = cache.forTarget(target, library);
  for (const run of [1, 2, 3])
    answers.put(ask("q"), run, {
      measuredAt: new Date().toISOString(),
      ms: 900,
      transcript: transcript(`Größe ${run}`, ["go-docs"]),
    });
  await cache.close();
  const found = async () => Promise.all([1, 2, 3].map((run) => open().forTarget(target, library).get(ask("q"), run)));
  const expected = await found();
  expect(expected.every((answer) => answer !== undefined)).toBe(true);
  const dir = join(root, ".proctor/cache/v2");
  for (const [index, name] of readdirSync(dir).entries()) {
    const whole = readFileSync(join(dir, name));
    for (const flip of flips(whole.length, 20 + index)) {
      writeFileSync(join(dir, name), flipped(whole, flip));
      for (const [at, answer] of (await found()).entries())
        if (answer !== undefined) expect(answer, JSON.stringify(flip)).toEqual(expected[at]);
      await open()
        .forTarget({ ...target, kind: "other" }, library.slice(1))
        .whyAsked(ask("q"), 1);
    }
    writeFileSync(join(dir, name), whole);
  }
}, 300_000);
