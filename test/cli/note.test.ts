import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agreementOf, type Note } from "../../src/history/index.ts";
import type { QuestionLine, TrialLine } from "../../src/model/index.ts";
import { renderReport } from "../../src/reporters/index.ts";
import { caseQuestion, claude, footer, header, positive, score, target, trial } from "../score/build.ts";
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

test("a note is kept beside the record, never in it, and shown; nobody judged, so no judge is agreed with", async () => {
  const record = readFileSync(join(dir(), "record.jsonl"), "utf8");
  expect(await note("money", "It did \u001b[31manswer", "--verdict", "wrong")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Noted on"),
  });
  await note("another refund", "--verdict", "right");
  expect(readFileSync(join(dir(), "record.jsonl"), "utf8")).toBe(record);
  const { stdout } = await runMain(world.dir, ["report"]);
  expect(stdout).not.toContain("people agree");
  expect(stdout).toMatch(/note: .*#money-back-\w+ is wrong: It did ␛\[31manswer/);
  const json = JSON.parse((await runMain(world.dir, ["report", "--json"])).stdout);
  expect(json.notes).toMatchObject({ all: [{ verdict: "wrong" }, { verdict: "right" }], agreement: null });
  // Second thoughts count; a line that somebody broke does not.
  await note("money", "No, it did not.", "--verdict", "right");
  appendFileSync(join(dir(), "notes.jsonl"), '{"question":3}\nnot json\n');
  expect((await runMain(world.dir, ["report"])).stdout).toMatch(/note: .*#money-back-\w+ is right: No, it did not\./);
});

test("what it is about must be one question of the run", async () => {
  expect(await note("refund", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("is in 3 questions") });
  expect(await note("parcel", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("No question of run") });
  expect(await note("money", "x", "--on", "claude:haiku")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is not in run"),
  });
  expect(await note("money")).toMatchObject({ code: 2, stderr: expect.stringContaining("says nothing") });
});

test("agreement with a judge is over the questions that it had a say in", () => {
  const judge = target("judge:haiku");
  const [judged, counted, trigger] = [
    caseQuestion("judged", "refund"),
    caseQuestion("counted", "refund"),
    positive("trigger", "refund"),
  ];
  const onJudge = { ...positive("asked", "refund"), runs: { [judge.id]: 1 } };
  const caseTrial = ({ ask, id }: QuestionLine, more: Partial<TrialLine> = {}) =>
    trial(trigger, 1, [], { ask, checks: [{ question: id, passed: true, score: 1, message: "" }], ...more });
  const scores = score([
    header({ skills: ["refund"], targets: [claude, judge] }),
    ...[judged, counted, trigger, onJudge],
    caseTrial(judged, { judged: { asked: 2, usage: {} } }),
    caseTrial(counted),
    trial(trigger, 1, []),
    trial(onJudge, 1, [], { target: judge.id }),
    footer,
  ]);
  const note = ({ id }: { id: string }, verdict: Note["verdict"], on?: string): Note => ({
    question: id,
    verdict,
    text: "",
    at: "2026-11-16",
    ...(on !== undefined && { target: on }),
  });
  const all = [note(judged, "right"), note(counted, "wrong"), note(trigger, "wrong"), note(onJudge, "wrong", judge.id)];
  expect(agreementOf(all, scores)).toMatchObject({ n: 2, right: 1 });
  // It was not judged on that target.
  expect(agreementOf([note(onJudge, "wrong", claude.id), note(counted, "right")], scores)).toBeNull();
  expect(renderReport("terminal", scores, { notes: all, width: 100 })).toContain(
    "people agree with the judge on 1 of 2 questions [.02–.98]",
  );
});
