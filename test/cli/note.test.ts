import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { World } from "../world.ts";
import { runMain } from "./run-main.ts";

let world: World;
beforeEach(async () => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
  world.skill(
    "refund",
    ["money back", "a refund", "another refund"].map((query) => ({ query, should_trigger: true })),
  );
  world.script({ answers: [], default: { skills: [] } });
  await runMain(world.dir, ["run", "-q", "-t", "script:answers.yaml"]);
});
afterEach(() => world.remove());

const note = (...args: string[]) => runMain(world.dir, ["note", ...args]);
const dir = () => join(world.dir, ".proctor/runs", readdirSync(join(world.dir, ".proctor/runs"))[0]!);

test("a note is kept beside the record, never in it, and shown with how often people agree", async () => {
  const record = readFileSync(join(dir(), "record.jsonl"), "utf8");
  expect(await note("money", "It did \u001b[31manswer", "--verdict", "wrong")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Noted on"),
  });
  await note("another refund", "--verdict", "right");
  expect(readFileSync(join(dir(), "record.jsonl"), "utf8")).toBe(record);
  const { stdout } = await runMain(world.dir, ["report"]);
  expect(stdout).toContain("people agree with 1 of 2 verdicts [.02–.98]");
  expect(stdout).toMatch(/note: .*#money-back-\w+ is wrong: It did ␛\[31manswer/);
  const json = JSON.parse((await runMain(world.dir, ["report", "--json"])).stdout);
  expect(json.notes).toMatchObject({ all: [{ verdict: "wrong" }, { verdict: "right" }], agreement: { n: 2, right: 1 } });
  // Second thoughts count; a line that somebody broke does not.
  await note("money", "No, it did not.", "--verdict", "right");
  appendFileSync(join(dir(), "notes.jsonl"), '{"question":3}\nnot json\n');
  expect((await runMain(world.dir, ["report"])).stdout).toContain("people agree with 2 of 2 verdicts");
});

test("what it is about must be one question of the run", async () => {
  expect(await note("refund", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("is in 3 questions") });
  expect(await note("parcel", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("No question of run") });
  expect(await note("money", "x", "--on", "claude:haiku")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not in run") });
  expect(await note("money")).toMatchObject({ code: 2, stderr: expect.stringContaining("says nothing") });
});
