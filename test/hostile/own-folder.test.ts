import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownFolder } from "../../src/base/index.ts";
import { appendTo, listRuns, openRecord } from "../../src/exam/record/index.ts";
import { storeCapture } from "../../src/targets/first-move/capture.ts";
import { runMain } from "../cli/run-main.ts";
import { footer, noMask, transcript, trial } from "../record/sample.ts";
import { isHere } from "../tools.ts";
import { readSat, World } from "../world.ts";

/** A cloned project may bring a `.proctor` of its own, with links in it that lead wherever its author likes. */
const isPosix = process.platform !== "win32";
let world: World;
let outside: string;
beforeEach(() => {
  world = new World();
  outside = mkdtempSync(join(tmpdir(), "proctor-outside-"));
  writeFileSync(join(outside, "victim"), "mine\n");
  world.skill("alpha", [
    { query: "alpha please", should_trigger: true },
    { query: "nothing", should_trigger: false },
  ]);
  world.script({ answers: [{ pattern: "alpha", skills: ["alpha"], text: "$(touch owned)" }], default: { skills: [] } });
});
afterEach(() => {
  world.remove();
  rmSync(outside, { recursive: true, force: true });
});

const at = (...path: string[]) => join(world.dir, ".proctor", ...path);
const untouched = () => {
  expect(readdirSync(outside)).toEqual(["victim"]);
  expect(readFileSync(join(outside, "victim"), "utf8")).toBe("mine\n");
};

describe.runIf(isPosix)("nothing is written through a link in .proctor", () => {
  test.each([".proctor", ".proctor/runs"])(
    "%s that leads out of the project is refused, with its place",
    async (path) => {
      mkdirSync(join(world.dir, path, ".."), { recursive: true });
      symlinkSync(outside, join(world.dir, path));
      await expect(world.sit()).rejects.toMatchObject({
        name: "UsageError",
        message: expect.stringMatching(/\.proctor.* is a link that leads out of the project/) as unknown as string,
      });
      untouched();
    },
  );

  test(".proctor that leads to another folder of the project is used", async () => {
    world.write("elsewhere/.gitignore", "*\n");
    symlinkSync("elsewhere", at());
    expect((await world.sit({ runs: 1 })).exit).toBe(0);
    expect(readdirSync(join(world.dir, "elsewhere"))).toContain("runs");
  });

  test.each([".proctor/cache", ".proctor/cache/v2"])(
    "%s that leads out: nothing is cached, and the run says so",
    async (path) => {
      mkdirSync(join(world.dir, path, ".."), { recursive: true });
      symlinkSync(outside, join(world.dir, path));
      const notices: string[] = [];
      const sat = await world.sit({ runs: 1 }, { on: (event) => event.type === "notice" && notices.push(event.text) });
      expect(sat.exit).toBe(0);
      expect(notices).toEqual([expect.stringMatching(/^The cache was not written: .*leads out of the project/)]);
      untouched();
    },
  );

  test("a file of the cache", async () => {
    await world.sit({ runs: 1 });
    for (const name of readdirSync(at("cache/v2"))) {
      renameSync(at("cache/v2", name), at("cache/v2", `${name}.kept`));
      symlinkSync(join(outside, "victim"), at("cache/v2", name));
      symlinkSync(join(outside, `new-${name}`), at("cache/v2", `${name}.new`));
    }
    expect((await world.sit({ runs: 2 })).exit).toBe(0);
    untouched();
  });

  test("a name in the cache that leads nowhere yet", async () => {
    await world.sit({ runs: 1 });
    for (const name of readdirSync(at("cache/v2"))) {
      rmSync(at("cache/v2", name));
      symlinkSync(join(outside, name), at("cache/v2", name));
    }
    expect((await world.sit({ runs: 1 })).exit).toBe(0);
    untouched();
  });

  test("a run's folder is no run, and the newest is another", async () => {
    const { place } = await world.sit({ runs: 1 });
    writeFileSync(join(outside, "record.jsonl"), readFileSync(place.file));
    symlinkSync(outside, at("runs/2099-01-01-a"));
    expect(await listRuns(world.dir)).toEqual([place.run]);
    expect((await openRecord(world.dir)).run).toBe(place.run);
  });

  test("a record, its segments, and the folder of them", async () => {
    const { place } = await world.sit({ runs: 1 });
    writeFileSync(join(outside, "victim"), readFileSync(place.file));
    const victim = readFileSync(join(outside, "victim"), "utf8");
    rmSync(place.file);
    symlinkSync(join(outside, "victim"), place.file);
    expect(() => appendTo(place, { mask: noMask })).toThrow(/record\.jsonl/);
    rmSync(place.file);
    writeFileSync(place.file, victim);
    const write = async () => {
      const writer = appendTo(place, { mask: noMask });
      try {
        await writer.trial(trial(9), { transcript: transcript("$(touch owned)") });
      } finally {
        await writer.close(footer).catch(() => {});
      }
    };
    mkdirSync(join(place.dir, "segments"), { recursive: true });
    symlinkSync(join(outside, "victim"), join(place.dir, "segments", "transcripts-001.jsonl"));
    await expect(write()).rejects.toThrow(/transcripts-001\.jsonl|in the way/);
    rmSync(join(place.dir, "segments"), { recursive: true });
    symlinkSync(outside, join(place.dir, "segments"));
    await expect(write()).rejects.toThrow(/segments/);
    expect(readdirSync(outside)).toEqual(["victim"]);
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe(victim);
    expect((await readSat(place)).trials.length).toBeGreaterThan(0);
  });

  test("captured requests and vectors", async () => {
    mkdirSync(at("cache"), { recursive: true });
    symlinkSync(outside, at("first-requests"));
    symlinkSync(outside, at("cache/minilm"));
    const key = { host: "claude", hostVersion: "1", model: "m", adapter: 1, realistic: false, skills: "s" };
    const capture = {
      version: 1,
      key,
      capturedAt: "",
      placeholder: "",
      workspace: "",
      folders: {},
      protocol: "",
      requestModel: "",
    } as const;
    await expect(storeCapture(world.dir, { ...capture, headers: {}, body: {} })).rejects.toThrow(
      /leads out of the project/,
    );
    expect(() => ownFolder(world.dir, "cache", "minilm")).toThrow(/leads out of the project/);
    untouched();
  });

  test("a folder inside the project, in place of one of Proctor's own", async () => {
    mkdirSync(at(), { recursive: true });
    symlinkSync("..", at("base"));
    symlinkSync(join(outside, "not-there"), at("runs"));
    expect(() => ownFolder(world.dir, "base")).toThrow(/base is a link/);
    await expect(world.sit()).rejects.toThrow(/runs is a link/);
    untouched();
  });
});

describe.runIf(isPosix)("another project's records", () => {
  /** More than the comparisons that are kept. */
  const kept = Array.from({ length: 14 }, (_, index) => `2026-01-${String(index + 1).padStart(2, "0")}-a`);
  let runs: string;
  beforeEach(() => {
    runs = join(outside, ".proctor", "runs");
    for (const run of kept) {
      mkdirSync(join(runs, run), { recursive: true });
      writeFileSync(join(runs, run, "record.jsonl"), "{}\n");
    }
  });
  const unharmed = () => {
    expect(readdirSync(runs).sort()).toEqual(kept);
    expect(readdirSync(outside).sort()).toEqual([".proctor", "victim"]);
  };

  test.runIf(isHere("git")).each([
    [".proctor/base", () => outside],
    [".proctor/base/.proctor", () => join(outside, ".proctor")],
    [".proctor", () => outside],
  ])("are neither written nor pruned by compare --base through %s", async (path, target) => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: world.dir,
        env: { PATH: process.env["PATH"] },
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "a commit");
    mkdirSync(join(world.dir, path, ".."), { recursive: true });
    symlinkSync(target(), join(world.dir, path));
    const ended = await runMain(world.dir, ["compare", "--base", "HEAD"]);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${path} is a link that leads out of the project`),
    });
    unharmed();
  });

  test.each([
    [".proctor", () => join(outside, ".proctor")],
    [".proctor/runs", () => runs],
  ])("are neither listed nor pruned through %s", async (path, target) => {
    mkdirSync(join(world.dir, path, ".."), { recursive: true });
    symlinkSync(target(), join(world.dir, path));
    for (const words of [["runs"], ["runs", "prune", "--keep", "1"], ["report"], ["note", "alpha", "seen"]]) {
      const ended = await runMain(world.dir, words);
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${path} is a link that leads out of the project`),
      });
    }
    unharmed();
  });
});

test("a path below .proctor that is made by hand is found by the check of files", () => {
  const made = [
    'join(home, ".proctor", "runs")',
    "resolve(home, '.proctor')",
    "`somewhere/.proctor/base`",
    'join(home, ".proctor/cache")',
  ];
  for (const [index, text] of made.entries())
    world.write(`src/made-${index}.ts`, `// as in '.proctor'\nexport const path = ${text};\n`);
  const ended = spawnSync(process.execPath, [join(import.meta.dirname, "../../scripts/files.mjs")], {
    cwd: world.dir,
    encoding: "utf8",
  });
  expect(ended.status).toBe(1);
  for (const index of made.keys())
    expect(ended.stderr).toContain(`src/made-${index}.ts:2  makes a path below .proctor`);
});
