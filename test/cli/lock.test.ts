import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

const prompts = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const rows = prompts.map((query) => ({ query, should_trigger: true }));
const run = (...flags: string[]) =>
  runMain(world.dir, ["run", "-q", "-t", "script:answers.yaml", "--no-cache", ...flags]);
const lock = () => readFileSync(join(world.dir, "proctor.lock.json"), "utf8");

describe("proctor.lock.json", () => {
  beforeEach(() => {
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    world.skill("refund", rows);
    world.skill("faq", []);
  });

  test("has one question a line, in order, and holds while nothing changes", async () => {
    world.script({ deterministic: true, answers: [], default: { skills: ["refund"] } });
    expect((await run("--update-lock")).stderr).toContain("proctor.lock.json is written");
    const lines = lock()
      .split("\n")
      .filter((line) => line.includes('"won"'));
    expect(lines).toHaveLength(8);
    expect(lines.toSorted()).toEqual(lines);
    expect(lines[0]).toMatch(/^ {8}".*#eight-.*": \{ "won": "refund", "verdict": "pass", "rate": 1, "n": 1 \},$/);
    expect(await run("--lock")).toMatchObject({ code: 0, stderr: expect.stringContaining("proctor.lock.json holds") });
    const before = lock();
    await run("--update-lock");
    expect(lock()).toBe(before);
  });

  test("without noise every other winner is a difference; one edit is one line of a diff", async () => {
    world.script({ deterministic: true, answers: [], default: { skills: ["refund"] } });
    await run("--update-lock");
    const before = lock().split("\n");
    world.script({
      deterministic: true,
      answers: [{ query: "two", skills: ["faq"] }],
      default: { skills: ["refund"] },
    });
    const shown = await run("--lock");
    expect(shown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/#two-\w+: won by refund \(pass\), now by faq \(fail\)/),
    });
    await run("--update-lock");
    expect(
      lock()
        .split("\n")
        .filter((line, index) => line !== before[index]),
    ).toHaveLength(1);
  });

  test("with noise one prompt that goes elsewhere is within it, and all of them are not", async () => {
    world.script({ answers: [], default: { skills: ["refund"] } });
    await run("--update-lock");
    world.script({ answers: [{ query: "two", skills: ["faq"] }], default: { skills: ["refund"] } });
    expect((await run("--lock")).stderr).toContain("holds; 1 prompt went to another skill, within noise");
    world.script({ answers: [], default: { skills: ["faq"] } });
    expect(await run("--lock")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("refund does worse than the lock says, beyond noise"),
    });
  });

  test("a question that is not in it, and one that is in it alone, are told; part of a run leaves the rest", async () => {
    world.script({ answers: [], default: { skills: ["refund"] } });
    await run("--update-lock");
    await run("--update-lock", "--grep", "one");
    expect(lock().match(/"won"/g)).toHaveLength(8);
    world.skill("refund", [...rows.slice(1), { query: "nine", should_trigger: true }]);
    expect((await run("--lock")).stderr).toMatch(
      /1 question not in the lock[\s\S]*1 question of the lock not in the suites/,
    );
    expect(await run("--lock", "--grep", "two")).toMatchObject({ code: 0 });
  });

  test("a question about a skill that is gone is one that the lock alone has", async () => {
    world.write("evals/poems.json", [{ query: "ten", should_trigger: true, skill: "poems" }]);
    world.skill("poems", []);
    world.script({ answers: [], default: { skills: ["refund"] } });
    await run("--update-lock");
    rmSync(join(world.dir, "skills/poems"), { recursive: true });
    expect((await run("--lock")).stderr).toContain(
      "1 question of the lock not in the suites, or about a skill that is gone",
    );
  });

  test.each([true, false])(
    "an error neither overwrites what was known nor lets the lock hold (deterministic: %s)",
    async (deterministic) => {
      world.script({ deterministic, answers: [], default: { skills: ["refund"] } });
      await run("--update-lock");
      const before = lock();
      world.script({ deterministic, answers: [{ query: "two", error: "api" }], default: { skills: ["refund"] } });
      const one = await run("--lock", "--min-coverage", "0");
      expect(one).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("holds; 1 question without a verdict was left out"),
      });
      world.script({ deterministic, answers: [], default: { error: "api" } });
      const none = await run("--lock", "--min-coverage", "0");
      expect(none.stderr).toContain("no question of the lock has a verdict on script:answers.yaml in this run");
      expect(none.code).not.toBe(0);
      const written = await run("--update-lock");
      expect(written).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("8 questions without a verdict were left out"),
      });
      expect(lock()).toBe(before);
    },
  );

  test("a lock that was written by a run of errors holds nothing", async () => {
    world.script({ answers: [], default: { skills: ["refund"] } });
    await run("--update-lock");
    world.write(
      "proctor.lock.json",
      lock().replaceAll(
        '"won": "refund", "verdict": "pass", "rate": 1, "n": 2',
        '"won": "(none)", "verdict": "inconclusive", "rate": null, "n": 0',
      ),
    );
    expect(lock()).toContain("inconclusive");
    expect(await run("--lock")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no question of the lock has a verdict"),
    });
  });

  test.each([
    ["<<<<<<< HEAD\n{}", "a merge may have left conflict markers"],
    ['{"version":2}', "version 2"],
    ['{"version":1,"x":{}}', "no libraries"],
    ['{"version":1,"libraries":{"x":{"y":{"z":{"won":1}}}}}', "no winner"],
  ])("damaged, it is an error that says so: %s", async (text, message) => {
    world.script({ answers: [], default: { skills: ["refund"] } });
    world.write("proctor.lock.json", text);
    expect(await run("--lock")).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(lock()).toBe(text);
  });

  describe("on a target that only predicts", () => {
    const ask = (...flags: string[]) => runMain(world.dir, ["run", "-q", ...flags]);
    const refund = { query: "Refund my order, I want my money back", should_trigger: true };
    const opening = "What are the opening hours of the shop?";
    beforeEach(async () => {
      world.skill("refund", [refund], "Refunds an order, money back.");
      world.skill("faq", [{ query: opening, should_trigger: true }], "Tells the opening hours of the shop.");
      world.script({ answers: [{ query: opening, skills: ["faq"] }], default: { skills: ["refund"] } });
      expect((await ask("--update-lock", "-t", "embedded", "-t", "script:answers.yaml")).code).toBe(0);
    });
    /** The script does not read descriptions. */
    const gut = () => world.skill("refund", [refund], "Helps.");

    test("it is refused, as a gate is, unless predictions may decide", async () => {
      const refused = await ask("--lock");
      expect(refused).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("--lock would decide nothing: embedded only predicts."),
      });
      expect(refused.stderr).toContain("--allow-predicted");
      expect(await ask("--lock", "--allow-predicted")).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("holds"),
      });
      gut();
      expect((await ask("--lock")).code).toBe(2);
      expect(await ask("--lock", "--allow-predicted")).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("does not match"),
      });
    });

    test("beside one that measures, its differences are shown and fail nothing", async () => {
      gut();
      const both = ["--lock", "-t", "embedded", "-t", "script:answers.yaml", "--no-cache"];
      const shown = await ask(...both);
      expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining("does not match") });
      expect(shown.stderr).toContain("Only predictions differ, and they fail nothing without --allow-predicted.");
      const decided = await ask(...both, "--allow-predicted");
      expect(decided.code).toBe(1);
      expect(decided.stderr).not.toContain("Only predictions differ");
      world.skill("refund", [{ query: "Something else", should_trigger: true }], "Helps.");
      expect((await ask(...both)).code).toBe(1);
    });
  });

  test("missing, it says how to make it", async () => {
    world.script({ answers: [], default: { skills: ["refund"] } });
    expect(await run("--lock")).toMatchObject({ code: 2, stderr: expect.stringContaining("--update-lock") });
  });
});

describe.runIf(isHere("git"))("--changed", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
      cwd: world.dir,
      env: { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "ignore",
    });

  test("asks about what the branch touches, by files or by questions, and says so; an untouched branch asks nothing", async () => {
    world.skill("refund", rows.slice(0, 1), "Handles refunds, money back and returned goods.");
    world.skill("weather", rows.slice(1, 2), "Knows tomorrow's weather and rain.");
    world.skill("poems", [], "Writes poems.");
    world.write("evals/poems.json", [{ query: "three", should_trigger: true, skill: "poems" }]);
    world.script({ answers: [], default: { skills: ["refund"] } });
    git("init");
    git("add", ".");
    git("commit", "-m", "one");
    expect(await run("--changed", "--base", "main")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("nothing to ask"),
    });
    git("checkout", "-b", "edit");
    world.skill("weather", rows.slice(1, 2), "Knows tomorrow's weather, rain and snow.");
    const shown = await runMain(world.dir, ["run", "-t", "script:answers.yaml", "--changed", "--json"]);
    expect(shown.stderr).toMatch(/Touched since main \([0-9a-f]{7}\): weather\.\n/);
    expect(JSON.parse(shown.stdout).targets[0].questions.map(({ prompt }: { prompt: string }) => prompt)).toEqual([
      "two",
    ]);
    world.write("evals/poems.json", [{ query: "a poem", should_trigger: true, skill: "poems" }]);
    expect((await runMain(world.dir, ["run", "-t", "script:answers.yaml", "--changed"])).stderr).toContain(
      "poems, weather",
    );
  });
});

test("proctor plan says how many runs see a drop of ten points, and what they cost", async () => {
  world.write(".git/HEAD", "ref: refs/heads/main\n");
  world.skill("refund", rows);
  world.script({ answers: [], default: { skills: ["refund"] }, cost_per_trial: 0.01 });
  const plan = async () =>
    (
      await runMain(world.dir, ["plan", "-t", "script:answers.yaml", "-t", "embedded"], { COLUMNS: "160" })
    ).stdout.replace(/\s+/g, " ");
  expect(await plan()).toMatch(
    /this plan would notice a drop of 10 points \d+ times in 100\. \d+ runs of each question would notice it 4 times in 5: --runs (\d+) --no-early-stop, \d+ trials/,
  );
  expect(await plan()).toMatch(
    /85 % of the runs come out right, which is a guess[\s\S]*embedded answers the same each time/,
  );
  const json = await runMain(world.dir, ["plan", "-t", "script:answers.yaml", "-t", "embedded", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    version: 1,
    targets: [
      {
        target: "script:answers.yaml",
        drop: { visible: { drop: 0.1 }, needed: { runs: expect.any(Number), usd: expect.any(Number) } },
      },
      { target: "embedded", drop: { visible: null } },
    ],
  });
  await run();
  const after = await plan();
  expect(after).toMatch(/at \d\d % right, as in \d{4}-\d\d-\d\d-a/);
  expect(after).toMatch(/\$\d/);
});

describe("the plan of a first run, whose price nobody knows", () => {
  const bare = { PATH: "" };
  const plan = async (...flags: string[]) =>
    (await runMain(world.dir, ["plan", ...flags], bare)).stdout.replace(/\s+/g, " ");
  beforeEach(() => {
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    world.skill("refund", rows);
  });

  test("says what limits it: dollars where the first trial will tell, else trials", async () => {
    expect(await plan("-t", "claude:haiku")).toContain(
      "no earlier trial to estimate from: --budget 1 keeps a first run to about $1, and the next plan uses its trials This is the plan.",
    );
    expect(await plan("-t", "codex")).toContain(
      "no earlier trial to estimate from: --max-trials 6 keeps a first run small, and the next plan uses its trials This is the plan.",
    );
    expect(await plan("-t", "claude:haiku", "--budget", "2")).toContain(
      "no earlier trial to estimate from This is the plan.",
    );
    expect(await plan("-t", "router:anthropic/claude-haiku-4-5")).not.toMatch(/no earlier trial|--budget|--max-trials/);
    expect(await plan()).not.toMatch(/no earlier trial|--budget|--max-trials/);
  });

  test("plan takes --failed as run does", async () => {
    world.script({ answers: [{ query: "two", skills: [] }], default: { skills: ["refund"] } });
    await run();
    expect(await plan("-t", "script:answers.yaml", "--failed")).toMatch(
      /1 question: 1 should activate partial \(--failed\)/,
    );
  });
});
