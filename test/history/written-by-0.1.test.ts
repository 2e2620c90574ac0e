import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

/** What Proctor 0.1 wrote for one library: two runs, the first one unfinished, a lock, its cache, a configuration and a JSON report. */
const FIXTURE = join(import.meta.dirname, "..", "fixtures", "0.1");

let world: World;
beforeEach(() => {
  // The lock knows the library by the name of its folder.
  world = new World("shop");
  cpSync(join(FIXTURE, "shop"), world.dir, { recursive: true });
  cpSync(join(FIXTURE, "dot-proctor"), join(world.dir, ".proctor"), { recursive: true });
  // Cached answers expire after 30 days.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-10T10:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
  world.remove();
});

const proctor = (...words: string[]) => runMain(world.dir, words);
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe("what 0.1 wrote is read:", () => {
  test("report shows its record, with the numbers and members that 0.1 reported", async () => {
    const { code, stdout } = await proctor("report", "2026-01-06-a", "--reporter", "json");
    expect(code).toBe(0);
    expect(json(stdout)).toEqual(json(readFileSync(join(FIXTURE, "report.json"), "utf8")));
  });

  test("compare puts two of its runs side by side", async () => {
    const { code, stdout } = await proctor("compare", "2026-01-05-a", "2026-01-06-a");
    // The first run is unfinished, so nothing can be said about most questions.
    expect(code).toBe(3);
    expect(stdout).toContain("skills, suites, targets and options are the same");
    expect(stdout).toContain("4 → 4 of 4 questions on 3 prompts pass");
  });

  test("compare sees no difference between one of its runs and a run of today", async () => {
    await proctor("run", "--refresh");
    const { code, stdout } = await proctor("compare", "2026-01-06-a", "2026-01-10-a");
    expect(code).toBe(0);
    expect(stdout).toContain("6 → 6 of 7 questions on 6 prompts pass");
  });

  test("run --resume finishes its unfinished run, and makes only the missing trials", async () => {
    const file = join(world.dir, ".proctor/runs/2026-01-05-a/record.jsonl");
    const before = readFileSync(file, "utf8");
    const { code, stdout, stderr } = await proctor(
      "run",
      "--resume",
      "2026-01-05-a",
      "--max-trials",
      "12",
      "--no-cache",
    );
    expect([code, stderr]).toEqual([0, "Resuming run 2026-01-05-a: 6 trials are in the record.\n"]);
    expect(stdout).toContain("6 of 7");
    const after = readFileSync(file, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.split('"type":"trial"')).toHaveLength(1 + 12);
  });

  test("grade grades its transcripts again", async () => {
    const { code, stdout } = await proctor("grade", "2026-01-06-a");
    expect(code).toBe(0);
    expect(stdout).toContain("6 of 7");
  });

  test("run --lock holds a new run against its lock, under its configuration, with its cached answers", async () => {
    const { code, stdout, stderr } = await proctor("run", "--lock", "--reporter", "json");
    expect([code, stderr]).toEqual([0, expect.stringContaining("proctor.lock.json holds")]);
    expect(json(stdout)).toMatchObject({
      targets: [{ trials: { total: 12, cached: 12 } }],
      options: { threshold: 0.5, minCoverage: 0.9 },
    });
  });
});

describe("what this version cannot read is refused by name, with the command that renews it:", () => {
  test("a lock of another version", async () => {
    world.write("proctor.lock.json", { version: 0, libraries: {} });
    const { code, stderr } = await proctor("run", "--lock");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /proctor\.lock\.json is not a Proctor lock: it has version 0, and this Proctor reads 1\.\n.*proctor run --update-lock/,
    );
  });

  test("a record of a later version", async () => {
    const file = ".proctor/runs/2026-01-06-a/record.jsonl";
    world.write(file, readFileSync(join(world.dir, file), "utf8").replace('"version":3', '"version":99'));
    const { code, stderr } = await proctor("report", "2026-01-06-a");
    expect(code).toBe(2);
    expect(stderr).toMatch(/record\.jsonl:1 .*version 99/);
  });
});
