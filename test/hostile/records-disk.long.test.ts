import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import {
  appendTo,
  createRecord,
  openCache,
  type RecordPlace,
  type RecordWriter,
  readRaw,
  readTranscript,
} from "../../src/exam/record/index.ts";
import { scoreStored } from "../../src/exam/score/index.ts";
import type { TrialLine } from "../../src/model/index.ts";
import {
  ask,
  footer,
  header,
  linesOf,
  noMask,
  question,
  staged,
  tempFolder,
  transcript,
  trial,
} from "../record/sample.ts";
import { afterPowerCut, refusing, watching } from "./disk-faults.ts";

const RUNS = [1, 2, 3, 4];

interface Told {
  place?: RecordPlace;
  /** Runs whose promise resolved: they count. */
  counted: number[];
  closed: boolean;
  error?: unknown;
}

/** A small run, as the sitting writes one; small segments, so that there are several. */
async function write(root: string, told: Told, mark: () => void = () => {}): Promise<void> {
  try {
    const writer = await createRecord(root, header, { mask: noMask, segmentBytes: 600, syncMs: 0 });
    told.place = { run: writer.run, dir: writer.dir, file: writer.file };
    await fill(writer, told, mark);
  } catch (error) {
    told.error = error;
  }
}

async function fill(writer: RecordWriter, told: Told, mark: () => void): Promise<void> {
  try {
    await writer.question(question);
    for (const run of RUNS) {
      await writer.trial(trial(run), { transcript: transcript(`answer ${run}`), raw: `raw ${run}` });
      told.counted.push(run);
      mark();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await writer.close(footer);
    told.closed = true;
    mark();
  } catch (error) {
    await writer.abandon().catch(() => {});
    throw error;
  }
}

async function everythingThere(place: RecordPlace, counted: readonly number[]): Promise<TrialLine[]> {
  const { run } = await scoreStored(place);
  expect(run.damage).toBeUndefined();
  const trials = (await linesOf(place.file)).filter((line) => line.type === "trial");
  expect(trials.map((line) => line.run)).toEqual(expect.arrayContaining([...counted]));
  for (const line of trials.filter(({ run: number }) => counted.includes(number))) {
    expect((await readTranscript(place.dir, line.transcript!)).finalText).toBe(`answer ${line.run}`);
    expect(await readRaw(place.dir, line.raw!)).toBe(`raw ${line.run}`);
  }
  return trials;
}

describe("when the disk refuses", () => {
  test.each([
    ["ENOSPC", false],
    ["EROFS", true],
  ])(
    "the n-th write, sync, link, folder or rename with %s, for every n: nothing that counted is lost, and the run can go on",
    async (code, forGood) => {
      for (let n = 1; ; n++) {
        const root = tempFolder();
        const told: Told = { counted: [], closed: false, error: undefined };
        const { reached } = await refusing(n, code, () => write(root, told), { forGood });
        if (!reached) {
          expect(told).toMatchObject({ closed: true, error: undefined });
          expect(n).toBeGreaterThan(25);
          return;
        }
        if (told.error !== undefined) expect(told.error, `call ${n}`).toBeInstanceOf(UsageError);
        if (told.place === undefined) {
          // Not even the header: there is no half a run that a person would have to clear away.
          if (!forGood)
            expect(existsSync(join(root, ".proctor/runs")) ? readdirSync(join(root, ".proctor/runs")) : []).toEqual([]);
          continue;
        }
        const trials = await everythingThere(told.place, told.counted);
        const { how } = (await scoreStored(told.place)).run;
        // A footer whose sync failed may be there; then all that was asked is before it.
        if (how === "complete") expect(trials).toHaveLength(RUNS.length);
        else expect({ how, closed: told.closed }).toEqual({ how: "unfinished", closed: false });
        const known = new Set(trials.map(({ run }) => run));
        const writer = appendTo(told.place, { mask: noMask });
        for (const run of RUNS)
          if (!known.has(run))
            await writer.trial(trial(run), { transcript: transcript(`answer ${run}`), raw: `raw ${run}` });
        await writer.close(footer);
        expect((await everythingThere(told.place, RUNS)).length).toBe(RUNS.length);
        expect((await scoreStored(told.place)).run.how).toBe("complete");
      }
    },
    60_000,
  );

  test("to take the cache, in any of its calls: it says so, and what is found later is right or not there", async () => {
    const target = { id: "t", kind: "script", identity: { options: {}, deterministic: false } };
    const answer = (text: string) => ({
      measuredAt: new Date().toISOString(),
      ms: 1,
      transcript: transcript(text, []),
    });
    const big = "x".repeat(300_000);
    for (let n = 1; ; n++) {
      const root = tempFolder();
      // Five versions of one answer, so that the file is worth compacting when it is opened again.
      for (let version = 0; version < 5; version++) {
        const cache = openCache(root, { mask: noMask });
        cache.forTarget(target, [staged("a")]).put(ask("q"), 1, answer(`${version} ${big}`));
        await cache.close();
      }
      let problem: string | undefined;
      const { reached } = await refusing(n, "ENOSPC", async () => {
        const cache = openCache(root, { mask: noMask });
        const answers = cache.forTarget(target, [staged("a")]);
        expect((await answers.get(ask("q"), 1))?.transcript.finalText ?? "4 ").toMatch(/^4 /);
        answers.put(ask("r"), 1, answer("new"));
        await cache.close();
        problem = cache.problem();
      });
      const later = openCache(root, { mask: noMask }).forTarget(target, [staged("a")]);
      expect((await later.get(ask("q"), 1))?.transcript.finalText).toMatch(/^4 /);
      const fresh = await later.get(ask("r"), 1);
      if (fresh !== undefined) expect(fresh.transcript.finalText).toBe("new");
      else expect(problem).toMatch(/no space left/);
      if (!reached) {
        expect(n).toBeGreaterThan(6);
        return;
      }
    }
  }, 60_000);
});

describe("when the power is cut", () => {
  test("after any step, and nothing survives that was not synced: the record is whole as far as it goes, and all of it once it was closed", async () => {
    const root = tempFolder();
    const told: Told = { counted: [], closed: false, error: undefined };
    let closedAt = Number.POSITIVE_INFINITY;
    const steps = await watching((length) =>
      write(root, told, () => {
        if (told.closed) closedAt = length();
      }),
    );
    expect(told).toMatchObject({ closed: true, error: undefined });
    expect(steps.length).toBeGreaterThan(30);
    let most = 0;
    for (let cut = 0; cut <= steps.length; cut++) {
      const disk = tempFolder();
      for (const [path, content] of afterPowerCut(steps, cut, root)) {
        const to = join(disk, relative(root, path));
        if (content === "folder") mkdirSync(to, { recursive: true });
        else {
          mkdirSync(dirname(to), { recursive: true });
          writeFileSync(to, content);
        }
      }
      const dir = join(disk, relative(root, told.place!.dir));
      const place = { run: told.place!.run, dir, file: join(dir, "record.jsonl") };
      const data = existsSync(place.file) ? readFileSync(place.file) : Buffer.alloc(0);
      // Its name may be there before its header is.
      if (!data.includes(10)) {
        expect(cut).toBeLessThan(closedAt);
        continue;
      }
      const { run } = await scoreStored(place);
      expect(run.damage, `cut after ${cut} steps`).toBeUndefined();
      expect(run.how).toMatch(cut >= closedAt ? /^complete$/ : /^(unfinished|complete)$/);
      const trials = (await linesOf(place.file)).filter((line) => line.type === "trial");
      expect(trials.map((line) => line.run)).toEqual(RUNS.slice(0, trials.length));
      expect(trials.length).toBeGreaterThanOrEqual(most);
      most = trials.length;
      if (cut >= closedAt) await everythingThere(place, RUNS);
    }
    expect(most).toBe(RUNS.length);
  }, 60_000);
});
