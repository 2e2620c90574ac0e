import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Problem, UsageError } from "../../src/base/index.ts";
import {
  appendTo,
  createRecord,
  listRuns,
  openRecord,
  readRaw,
  readRecord,
  readTranscript,
} from "../../src/exam/record/index.ts";
import { ERROR_REASONS, RECORD_VERSION } from "../../src/model/index.ts";
import { footer, header, linesOf, noMask, question, tempFolder, transcript, trial } from "./sample.ts";

test("what is written is read again, in order", async () => {
  const root = tempFolder();
  const writer = await createRecord(root, header, { mask: noMask });
  await writer.question(question);
  await Promise.all([1, 2, 3].map((run) => writer.trial(trial(run))));
  await writer.close(footer);
  const lines = await linesOf(writer.file);
  expect(lines.map((line) => line.type)).toEqual(["header", "question", "trial", "trial", "trial", "footer"]);
  expect(lines[0]).toEqual({ type: "header", version: RECORD_VERSION, run: writer.run, ...header });
  expect(lines[2]).toEqual(trial(1));
});

test("the header is on the disk before the first question, and the folder is ignored by git", async () => {
  const root = tempFolder();
  const writer = await createRecord(root, header, { mask: noMask });
  expect((await linesOf(writer.file)).map((line) => line.type)).toEqual(["header"]);
  expect(readFileSync(join(root, ".proctor/.gitignore"), "utf8")).toBe("*\n");
  await writer.abandon();
});

test("a trial is in the file once its promise resolves", async () => {
  const writer = await createRecord(tempFolder(), header, { mask: noMask });
  await writer.trial(trial(1));
  expect(readFileSync(writer.file, "utf8")).toContain(`\n${JSON.stringify(trial(1)).slice(0, -1)},"n":1,"sum":"`);
  await writer.abandon();
});

test("runs are named after the day, a letter each, also when two are started at once", async () => {
  const root = tempFolder();
  const writers = await Promise.all(Array.from({ length: 28 }, () => createRecord(root, header, { mask: noMask })));
  const runs = await listRuns(root);
  expect(runs).toHaveLength(28);
  expect(runs.map((run) => run.slice(11))).toEqual([..."abcdefghijklmnopqrstuvwxyz", "aa", "ab"]);
  expect(runs[0]).toMatch(/^2026-11-1[56]-a$/);
  await Promise.all(writers.map((writer) => writer.abandon()));
});

describe("a run is found", () => {
  test("by its id, its folder, its file, or as the latest", async () => {
    const root = tempFolder();
    await (await createRecord(root, header, { mask: noMask })).close(footer);
    const { run, dir, file } = await createRecord(root, header, { mask: noMask }).then(async (writer) => {
      await writer.close(footer);
      return writer;
    });
    for (const which of [undefined, "latest", run, dir, file])
      expect(await openRecord(root, which)).toEqual({ run, dir, file });
  });

  test("and one that was killed before it had a header is passed over", async () => {
    const root = tempFolder();
    const writer = await createRecord(root, header, { mask: noMask });
    await writer.close(footer);
    mkdirSync(join(root, ".proctor/runs/2099-01-01-a"));
    mkdirSync(join(root, ".proctor/runs/2099-01-02-a"));
    writeFileSync(join(root, ".proctor/runs/2099-01-02-a/record.jsonl"), "");
    expect((await openRecord(root)).run).toBe(writer.run);
  });

  test("or the nearest is named", async () => {
    const root = tempFolder();
    await expect(openRecord(root)).rejects.toThrow(/no run/);
    const writer = await createRecord(root, header, { mask: noMask });
    await writer.abandon();
    await expect(openRecord(root, "2026-11-15-x")).rejects.toMatchObject({ hint: expect.stringContaining(writer.run) });
  });
});

describe("segments", () => {
  test("transcripts and raw output are beside the record, and are found by their reference", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask, segmentBytes: 2_000 });
    const texts = Array.from({ length: 20 }, (_, index) => `größe ${index} ${"é".repeat(200)}`);
    await Promise.all(
      texts.map((text, index) => writer.trial(trial(index + 1), { transcript: transcript(text), raw: `raw ${text}` })),
    );
    await writer.close(footer);
    expect(readdirSync(join(writer.dir, "segments")).length).toBeGreaterThan(4);
    const trials = (await linesOf(writer.file)).filter((line) => line.type === "trial");
    for (const [index, line] of trials.entries()) {
      expect(await readTranscript(writer.dir, line.transcript!)).toEqual(transcript(texts[index]!));
      expect(await readRaw(writer.dir, line.raw!)).toBe(`raw ${texts[index]}`);
    }
  });

  test("raw output is compressed, each trial's by itself, and what an older version wrote plainly is still read", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    const raw = Array.from({ length: 2 }, (_, index) =>
      `{"type":"assistant","message":"größe ${index}"}\n`.repeat(5_000),
    );
    for (const [index, text] of raw.entries()) await writer.trial(trial(index + 1), { raw: text });
    await writer.close(footer);
    const file = join(writer.dir, "segments/raw-000.jsonl.gz");
    const bytes = readFileSync(file);
    expect(bytes.length).toBeLessThan(raw.join("").length / 20);
    const whole = gunzipSync(bytes).toString().trimEnd().split("\n");
    expect(whole.map((line) => JSON.parse(line).raw)).toEqual(raw);
    const trials = (await linesOf(writer.file)).filter((line) => line.type === "trial");
    expect(await Promise.all(trials.map((line) => readRaw(writer.dir, line.raw!)))).toEqual(raw);

    writeFileSync(join(writer.dir, "segments/raw-001.jsonl"), `${whole[0]}\n`);
    expect(
      await readRaw(writer.dir, { segment: "raw-001.jsonl", offset: 0, length: Buffer.byteLength(whole[0]!) }),
    ).toBe(raw[0]);
    writeFileSync(
      file,
      bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
    );
    await expect(readRaw(writer.dir, trials[0]!.raw!)).rejects.toThrow(/damaged/);
  });

  test("a reference that leads nowhere is explained, and none leads out of the folder", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    await writer.trial(trial(1), { transcript: transcript("x") });
    await writer.close(footer);
    const bad = [
      { segment: "transcripts-009.jsonl", offset: 0, length: 10 },
      { segment: "transcripts-000.jsonl", offset: 5, length: 10 },
      { segment: "transcripts-000.jsonl", offset: 0, length: 1e6 },
      { segment: "../record.jsonl", offset: 0, length: 10 },
    ];
    for (const ref of bad) await expect(readTranscript(writer.dir, ref)).rejects.toThrow(UsageError);
  });
});

describe("a damaged record", () => {
  const written = async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    for (const run of [1, 2, 3]) await writer.trial(trial(run));
    await writer.abandon();
    return writer;
  };

  test("cut anywhere, its whole lines are read and can be gone on with", async () => {
    const { file, dir, run } = await written();
    const whole = readFileSync(file);
    const firstLine = whole.indexOf(10) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: firstLine, max: whole.length }), async (length) => {
        writeFileSync(file, whole.subarray(0, length));
        const before = await linesOf(file);
        expect(before).toHaveLength(whole.subarray(0, length).toString().split("\n").length - 1);
        const writer = appendTo({ run, dir, file }, { mask: noMask });
        await writer.trial(trial(9));
        await writer.close(footer);
        expect(await linesOf(file)).toEqual([...before, trial(9), footer]);
      }),
      { numRuns: 50 },
    );
  });

  test("without a whole header there is nothing to go on with", async () => {
    const { file, dir, run } = await written();
    truncateSync(file, 20);
    expect(() => appendTo({ run, dir, file }, { mask: noMask })).toThrow(/no header/);
    await expect(linesOf(file)).rejects.toThrow(/not a record/);
    expect(existsSync(join(dir, "lock"))).toBe(false);
  });

  test("in the middle is reported with its line", async () => {
    const { file } = await written();
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = lines[2]!.slice(0, 40);
    writeFileSync(file, lines.join("\n"));
    await expect(linesOf(file)).rejects.toThrow(/record\.jsonl:3 is damaged/);
    const problems: unknown[] = [];
    const kept = [];
    for await (const line of readRecord(file, { onProblem: (problem) => problems.push(problem) })) kept.push(line);
    expect(kept).toHaveLength(3);
    expect(problems).toMatchObject([{ code: "record/damaged-line", location: { file, line: 3 } }]);
  });

  test("with a line twice is reported, and the trial counts once", async () => {
    const { file } = await written();
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    writeFileSync(file, `${[...lines.slice(0, 3), lines[2], ...lines.slice(3)].join("\n")}\n`);
    await expect(linesOf(file)).rejects.toThrow(/record\.jsonl:4 is in the record twice, or in the wrong place/);
    const problems: Problem[] = [];
    const runs: number[] = [];
    for await (const line of readRecord(file, { onProblem: (problem) => problems.push(problem) }))
      if (line.type === "trial") runs.push(line.run);
    expect(runs).toEqual([1, 2, 3]);
    expect(problems.map(({ message, location }) => [location?.line, message])).toEqual([
      [4, "is in the record twice, or in the wrong place"],
    ]);
  });

  test("has the errors of its version: with another one, a reader of this version would take the line for damage", () => {
    expect([RECORD_VERSION, ...ERROR_REASONS].join(" ")).toBe(
      "3 auth rate_limit overloaded api timeout crash cut_stream unparseable flood blocked invalid_cell interrupted unknown no_worker lost_workers filtered denied not_asked cut_answer",
    );
  });

  test("of a newer version is refused, and of no version is no record", async () => {
    const { file } = await written();
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(`"version":${RECORD_VERSION}`, `"version":${RECORD_VERSION + 1}`));
    await expect(linesOf(file)).rejects.toThrow(/newer Proctor/);
    writeFileSync(file, text.split("\n").slice(1).join("\n"));
    await expect(linesOf(file)).rejects.toThrow(/does not begin with a header/);
    await expect(linesOf(join(file, "nowhere"))).rejects.toThrow(UsageError);
  });

  test("no line of text makes the reader fail in another way", async () => {
    const { file } = await written();
    const text = readFileSync(file, "utf8");
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.constantFrom("trial", "question", "footer"), activations: fc.anything() })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (line) => {
        writeFileSync(file, `${text}${line.replaceAll("\n", " ")}\n`);
        await linesOf(file).catch((error) => expect(error).toBeInstanceOf(UsageError));
      }),
      { numRuns: 100 },
    );
  });
});

describe("a lock", () => {
  test("keeps a second writer out until the first has let go", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    expect(() => appendTo(writer, { mask: noMask })).toThrow(/being written by process/);
    await writer.abandon();
    const second = appendTo(writer, { mask: noMask });
    await second.close(footer);
    expect(existsSync(join(writer.dir, "lock"))).toBe(false);
  });

  test("of a process that is gone is taken over", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    const owner = readFileSync(join(writer.dir, "lock"), "utf8");
    await writer.abandon();
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(join(writer.dir, "lock"), owner.replace(/"pid":\d+/, `"pid":${gone}`));
    const second = appendTo(writer, { mask: noMask });
    await second.close(footer);
  });

  test("of another machine is respected", async () => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    await writer.abandon();
    writeFileSync(join(writer.dir, "lock"), '{"pid":1,"host":"elsewhere"}');
    expect(() => appendTo(writer, { mask: noMask })).toThrow(/on elsewhere/);
  });
});

describe("a disk that refuses", () => {
  test("at the start is a usage error with the path", async () => {
    const root = tempFolder();
    writeFileSync(join(root, ".proctor"), "in the way");
    await expect(createRecord(root, header, { mask: noMask })).rejects.toThrow(UsageError);
    await expect(createRecord(root, header, { mask: noMask })).rejects.toThrow(/\.proctor/);
  });
});

test("a long record is read as it is needed: what is cut off it while the first lines are read is not seen", async () => {
  const root = tempFolder();
  const dir = join(root, ".proctor/runs/2026-11-15-a");
  mkdirSync(dir, { recursive: true });
  const file = join(dir, "record.jsonl");
  writeFileSync(file, `${JSON.stringify({ type: "header", version: 1, run: "2026-11-15-a", ...header })}\n`);
  const block = `${Array.from({ length: 1000 }, (_, index) => JSON.stringify(trial(index + 1))).join("\n")}\n`;
  for (let count = 0; count < 20; count++) appendFileSync(file, block);
  expect((await linesOf(file)).length).toBe(20_001);
  let read = 0;
  for await (const _line of readRecord(file)) if (++read === 10) truncateSync(file, 0);
  expect(read).toBeGreaterThanOrEqual(10);
  expect(read).toBeLessThan(10_000);
});
