import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UsageError } from "../../src/base/index.ts";
import { files } from "../../src/exam/record/fs-calls.ts";
import { appendTo, createRecord, listRuns, openRecord, type RecordPlace } from "../../src/exam/record/index.ts";
import { mergeRecords } from "../../src/history/index.ts";
import { runMain } from "../cli/run-main.ts";
import { footer, header, linesOf, noMask, question, tempFolder, trial } from "../record/sample.ts";
import { essence, readSat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  const rows = [
    { query: "alpha 1", should_trigger: true },
    { query: "alpha 2", should_trigger: true },
    { query: "other", should_trigger: false },
  ];
  world.skill("alpha", rows);
  world.script({ answers: [{ pattern: "alpha", skills: ["alpha"] }], default: { skills: [] } });
});
afterEach(() => world.remove());

const SCRIPT = ["-t", "script:answers.yaml", "--no-cache"];

/** As a kill leaves it: without the footer. */
function withoutFooter(file: string): void {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  writeFileSync(file, `${lines.slice(0, -1).join("\n")}\n`);
}

describe("a run without an end", () => {
  test.each([[[]], [["--gate", "recall>=0.1"]]])(
    "is said to be unfinished first, and exits 3: report %j",
    async (gate) => {
      const { place } = await world.sit({ cache: false });
      expect((await runMain(world.dir, ["report", ...gate])).code).toBe(0);
      withoutFooter(place.file);
      const { code, stdout } = await runMain(world.dir, ["report", ...gate]);
      expect(code).toBe(3);
      expect(stdout).toContain("unfinished: the run was killed");
      const said = stdout.indexOf("unfinished");
      for (const claim of ["pass", "recall"])
        if (stdout.includes(claim)) expect(said).toBeLessThan(stdout.indexOf(claim));
    },
  );

  test("is said to go on while a process writes it", async () => {
    const { place } = await world.sit({ cache: false });
    withoutFooter(place.file);
    const writer = appendTo(place, { mask: noMask });
    const { code, stdout } = await runMain(world.dir, ["report"]);
    expect([code, stdout]).toEqual([3, expect.stringContaining("in progress: a process is still writing this run")]);
    await writer.abandon();
  });

  test("is no result either when it is a merge that was cut short", async () => {
    const shards = [1, 2].map((index) => world.sit({ cache: false, shard: { index, count: 2 } }));
    const { place } = await mergeRecords(
      await Promise.all(shards.map(async (shard) => (await shard).place)),
      world.dir,
    );
    withoutFooter(place.file);
    expect((await runMain(world.dir, ["report", place.run])).code).toBe(3);
  });
});

test("a damaged record is reported with the place, and exits 3 whatever the gates", async () => {
  const { place } = await world.sit({ cache: false });
  const text = readFileSync(place.file, "utf8");
  writeFileSync(place.file, text.replace('"how":"completed"', '"how":"max_turns"'));
  const { code, stdout } = await runMain(world.dir, ["report", "--gate", "recall>=0.1"]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/damaged: .*do not treat it as a result/);
  expect(stdout).toMatch(/record\.jsonl:\d+ is damaged: its checksum does not match/);
  const resumed = await runMain(world.dir, ["run", "--resume"]);
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringMatching(/record\.jsonl:\d+ is damaged/)]);
});

describe("--resume", () => {
  test("of a finished run writes nothing, and says that nothing is missing", async () => {
    const { place } = await world.sit({ cache: false });
    const before = readFileSync(place.file, "utf8");
    const { code, stderr } = await runMain(world.dir, ["run", "--resume"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Nothing is missing from run")]);
    expect(readFileSync(place.file, "utf8")).toBe(before);
  });

  test.each([
    [
      "runs",
      { query: "alpha 1", should_trigger: true, runs: 2 },
      /triggers\.json#\S+ on script:answers\.yaml was 3 runs and is 2 runs now/,
    ],
    ["skip", { query: "alpha 1", should_trigger: true, skip: "not today" }, /was 3 runs and is skipped now/],
  ])("refuses edited %s", async (_name, row, message) => {
    const { place } = await world.sit({ cache: false });
    withoutFooter(place.file);
    const rest = [
      { query: "alpha 2", should_trigger: true },
      { query: "other", should_trigger: false },
    ];
    world.write("skills/alpha/evals/triggers.json", [row, ...rest]);
    const before = readFileSync(place.file, "utf8");
    await expect(world.sit({ cache: false }, { resume: place })).rejects.toThrow(message);
    expect(readFileSync(place.file, "utf8")).toBe(before);
  });
});

test("a shard without a question is a whole, empty record that merge takes", async () => {
  const whole = await world.sit({ cache: false });
  const count = 12;
  const parts = [];
  for (let index = 1; index <= count; index++) {
    const { code, stderr } = await runMain(world.dir, ["run", ...SCRIPT, "--shard", `${index}/${count}`]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    parts.push(await openRecord(world.dir));
  }
  const empty = await Promise.all(parts.map(readSat));
  expect(empty.filter(({ questions }) => questions.length === 0).length).toBeGreaterThan(0);
  const merged = await mergeRecords(parts, world.dir);
  expect(merged.missing).toEqual([]);
  const sat = await readSat(merged.place);
  expect(essence(sat)).toEqual(essence(whole));
  expect(sat.exit).toBe(0);
});

describe("the newest run", () => {
  test("is the one whose header says so, whatever its folder is called", async () => {
    const root = tempFolder();
    const at = async (startedAt: string) => {
      const writer = await createRecord(root, { ...header, startedAt }, { mask: noMask });
      await writer.close(footer);
      return writer;
    };
    const late = await at("2026-11-15T23:30:00.000Z");
    const early = await at("2026-11-14T01:00:00.000Z");
    expect([late.run, early.run]).toEqual(["2026-11-15-a", "2026-11-14-a"]);
    renameSync(early.dir, join(root, ".proctor/runs/2026-12-01-a"));
    expect(await listRuns(root)).toEqual(["2026-12-01-a", "2026-11-15-a"]);
    expect((await openRecord(root)).run).toBe("2026-11-15-a");
  });

  test("is the merged one once shards were merged, although they began before", async () => {
    const places = [];
    for (const index of [1, 2]) places.push((await world.sit({ cache: false, shard: { index, count: 2 } })).place);
    const merged = await mergeRecords(places, world.dir);
    expect((await openRecord(world.dir)).run).toBe(merged.place.run);
  });
});

describe("a lock that nobody holds is taken over", () => {
  const locked = async (lock: string, ageMs = 60_000) => {
    const writer = await createRecord(tempFolder(), header, { mask: noMask });
    await writer.question(question);
    await writer.abandon();
    const file = join(writer.dir, "lock");
    writeFileSync(file, lock);
    const then = new Date(Date.now() - ageMs);
    utimesSync(file, then, then);
    return writer;
  };
  const me = (more: object) => JSON.stringify({ pid: process.pid, host: hostname(), ...more });

  test.each([
    ["of a process that was killed before it had written it", ""],
    ["of one that was killed while it wrote it", '{"pid":12'],
    ["of a machine that was started again since", me({ boot: "another-boot" })],
    ["of a process whose id another one has now", me({ began: "1" })],
  ])("%s", async (_name, lock) => {
    const place = await locked(lock);
    const writer = appendTo(place, { mask: noMask });
    await writer.trial(trial(1));
    await writer.close(footer);
    expect(await linesOf(place.file)).toHaveLength(4);
  });

  test.runIf(process.platform === "linux")("of a process that has ended, and that nobody has waited for", async () => {
    const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 60"]);
    try {
      const pid = Number(
        await new Promise<string>((resolve) => parent.stdout.once("data", (data) => resolve(String(data)))),
      );
      await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /), 20_000);
      const writer = appendTo(await locked(JSON.stringify({ pid, host: hostname() })), { mask: noMask });
      await writer.close(footer);
    } finally {
      parent.kill();
    }
  });

  test("also when those who took it over before were killed at that, at any moment, and without a wait", async () => {
    const gone = String(spawnSync(process.execPath, ["-e", ""]).pid);
    for (let moment = 1, survived = false; !survived; moment++) {
      const place = await locked(me({ boot: "another-boot" }), 0);
      for (let turn = 0; turn < 3; turn++) survived = await takenOverUntil(moment, gone, place);
      const writer = appendTo(place, { mask: noMask });
      expect(() => appendTo(place, { mask: noMask })).toThrow(UsageError);
      await writer.close(footer);
      expect(readdirSync(place.dir).filter((name) => name.startsWith("lock"))).toEqual([]);
    }
  });

  /** Another process takes the run over, and is killed before its n-th change of the disk; true when it did not come to that. */
  async function takenOverUntil(moment: number, pid: string, place: RecordPlace): Promise<boolean> {
    const real = { ...files };
    let left = moment;
    for (const [name, change] of Object.entries(real) as [string, (...args: unknown[]) => unknown][]) {
      Object.assign(files, {
        [name]: (...args: unknown[]) => {
          if (--left <= 0) throw new Error("killed");
          return change(
            ...args.map((arg) =>
              typeof arg === "string" ? arg.replace(`"pid":${process.pid},`, `"pid":${pid},`) : arg,
            ),
          );
        },
      });
    }
    try {
      await appendTo(place, { mask: noMask }).abandon();
      return true;
    } catch (error) {
      expect(String(error)).toContain("killed");
      return false;
    } finally {
      Object.assign(files, real);
    }
  }

  test("but not one that is being written, of a living process, or of another machine", async () => {
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    try {
      for (const [lock, age] of [
        ["", 0],
        [me({}), 60_000],
        [JSON.stringify({ pid: child.pid, host: hostname() }), 60_000],
        [JSON.stringify({ pid: 1, host: "elsewhere" }), 60_000],
      ] as const) {
        const place = await locked(lock, age);
        expect(() => appendTo(place, { mask: noMask })).toThrow(UsageError);
      }
    } finally {
      child.kill();
    }
  });
});

describe("what others wrote is shown, not obeyed", () => {
  const ESC = "\u001b";

  test("an error of a server, with a key in it, in a live message", async () => {
    world.script({ default: { error: { reason: "auth", message: `bad key k9-secret-Value-77 ${ESC}[2J` } } });
    const { stderr, stdout } = await runMain(world.dir, ["run", ...SCRIPT, "--verbose"], {
      MY_API_KEY: "k9-secret-Value-77",
    });
    expect(stderr).toContain("bad key [masked]");
    expect(stderr + stdout).not.toContain("k9-secret-Value-77");
    expect(stderr + stdout).not.toContain(`${ESC}[2J`);
  });

  test("a file's name, and what is typed, in usage errors", async () => {
    for (const args of [
      ["report", `nothing${ESC}[2J`],
      ["run", `skills/no${ESC}]0;x\u0007`],
      [`--wrong${ESC}[2J`],
      ["run", `--wrong${ESC}[2J`],
    ]) {
      const { code, stderr, stdout } = await runMain(world.dir, args);
      expect(code).toBe(2);
      expect(stderr + stdout).not.toContain(ESC);
    }
  });

  test("a suite's name in --trials", async () => {
    world.write(
      `skills/alpha/evals/x${ESC}[2J.triggers.json`,
      JSON.stringify([{ query: "alpha 9", should_trigger: false }]),
    );
    await runMain(world.dir, ["run", ...SCRIPT]);
    const { stdout } = await runMain(world.dir, ["report", "--trials", "alpha"]);
    expect(stdout).toContain("alpha");
    expect(stdout).not.toContain(ESC);
  });
});
