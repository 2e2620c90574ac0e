import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";
import { type Built, buildCommand, type Ended, startCommand } from "./run-built.ts";

let built: Built;
let world: World;
beforeAll(async () => {
  built = await buildCommand();
});
afterAll(() => built.remove());
beforeEach(() => {
  world = new World("shop");
  world.write(".gitignore", ".proctor\ntmp\nanswers.yaml\n");
  mkdirSync(join(world.dir, "tmp"));
  world.skill(
    "alpha",
    Array.from({ length: 30 }, (_, index) => ({ query: `Question ${index}`, should_trigger: true })),
  );
  git("init");
  git("add", ".");
  git("commit", "-m", "as it was");
  world.skill("alpha", [], "Does the work of alpha, and more.");
});
afterEach(() => world.remove());

function git(...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...own, ...args], {
    cwd: world.dir,
    env,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
  }).trim();
}

const HOMES = { before: ".proctor/base", now: "." };

/** Waits until the record of a side has so many trials: the command is in the middle of asking it. */
async function trialsOf(side: keyof typeof HOMES, count: number): Promise<void> {
  const runs = join(world.dir, HOMES[side], ".proctor", "runs");
  for (;;) {
    const file = existsSync(runs) ? join(runs, readdirSync(runs)[0] ?? "", "record.jsonl") : "";
    if (existsSync(file) && readFileSync(file, "utf8").split('"type":"trial"').length > count) return;
    await sleep(20);
  }
}

/** Compares with the commit, sends signals while a side is asked, and returns how it ended. */
async function interrupted(side: keyof typeof HOMES, signals: readonly NodeJS.Signals[], pause = 0): Promise<Ended> {
  const args = ["compare", "--base", "main", "-t", "script:answers.yaml", "--jobs", "3", "--runs", "1", "--no-cache"];
  const { process: child, ended } = startCommand(built, world.dir, args, { TMPDIR: join(world.dir, "tmp") });
  await trialsOf(side, 2);
  for (const signal of signals) {
    child.kill(signal);
    await sleep(pause);
  }
  return ended;
}

function expectNothingLeft(edited: readonly string[] = []): void {
  expect(readdirSync(join(world.dir, "tmp"))).toEqual([]);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(existsSync(join(world.dir, ".git/worktrees"))).toBe(false);
  const changes = git("status", "--porcelain").split("\n");
  expect(changes.map((line) => line.trim())).toEqual(["M skills/alpha/SKILL.md", ...edited]);
  expect(git("branch", "--list")).toBe("* main");
}

describe.skipIf(process.platform === "win32" || !isHere("git"))(
  "Ctrl-C while a revision is compared leaves nothing behind",
  () => {
    test("once, while the library is asked as it was: what runs is finished, nothing is compared, 130", async () => {
      world.script({
        default: { skills: ["alpha"], latency: 1_000 },
        answers: [{ pattern: "[0-5]$", skills: ["alpha"] }],
      });
      const { code, stdout, stderr } = await interrupted("before", ["SIGINT"]);
      expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
      expect(stderr).toMatch(/Ctrl-C again to stop now[\s\S]*Interrupted before there was anything to compare/);
      expectNothingLeft();
    });

    test("once, while it is asked as it is: what both were asked is compared, nothing is claimed of the rest, 130", async () => {
      // Only the library of today has this skill, so that its questions take no time before.
      const slow = Array.from({ length: 30 }, (_, index) => ({ query: `Another ${index}`, should_trigger: true }));
      world.skill("beta", slow);
      git("add", "-N", ".");
      world.script({
        answers: [{ pattern: "^Another", skills: ["beta"], latency: 1_000 }],
        default: { skills: ["alpha"] },
      });
      const { code, stdout, stderr } = await interrupted("now", ["SIGINT"]);
      expect(code).toBe(130);
      expect(stdout).toMatch(/is incomplete: it was interrupted/);
      expect(stderr).toMatch(/Interrupted\. Run the same command again/);
      expectNothingLeft(["A skills/beta/SKILL.md", "A skills/beta/evals/triggers.json"]);
    });

    test("twice, while nobody answers", async () => {
      world.script({
        answers: [{ query: ["Question 0", "Question 1"], skills: ["alpha"] }],
        default: { fault: "deaf" },
      });
      const { code, stdout } = await interrupted("before", ["SIGINT", "SIGINT"], 100);
      expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
      expectNothingLeft();
    });

    test("again and again", async () => {
      world.script({
        answers: [{ query: ["Question 0", "Question 1"], skills: ["alpha"] }],
        default: { fault: "deaf" },
      });
      expect((await interrupted("before", ["SIGINT", "SIGTERM", "SIGTERM", "SIGTERM"])).code).toBe(130);
      expectNothingLeft();
    });
  },
);
