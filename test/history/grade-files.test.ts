import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/base/options/index.ts";
import { readTranscript } from "../../src/exam/record/index.ts";
import { regradeRecord } from "../../src/history/index.ts";
import { replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { readSat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.env = { PATH: process.env["PATH"] ?? "" };
  world.skill("letters");
});
afterEach(() => world.remove());

const cases = (assertions: object[], more: object = {}) =>
  world.write("skills/letters/evals/evals.json", {
    evals: [{ id: "one", name: "The letter", prompt: "Write it", assertions, ...more }],
  });
const regrade = async (place: Parameters<typeof regradeRecord>[0], request: object = {}) => {
  const config = await loadConfig({ cwd: world.dir, env: world.env });
  const regraded = await regradeRecord(place, { home: world.dir, config, env: world.env, ...request });
  return { regraded, ...(await readSat(regraded.place)) };
};

describe("what an agent left in its workspace is in the record", () => {
  beforeEach(() =>
    world.script({ default: { text: "Done", files: { "out/letter.txt": "Dear Ada", "old.txt": null } } }),
  );

  test("and graders that were edited afterwards grade it again, files and programs too, asking no target", async () => {
    cases([{ type: "file_exists", path: "out/letter.txt" }]);
    // Its programs run on machines without a sandbox, too.
    const first = await world.sit({ sandbox: "off" });
    expect(first.trials[0]?.checks[0]).toMatchObject({
      passed: true,
      parts: [{ grader: "file_exists", passed: true, message: "out/letter.txt exists" }],
    });
    const transcript = await readTranscript(first.place.dir, first.trials[0]!.transcript!);
    expect(transcript?.workspace?.files).toMatchObject([
      { path: "out/letter.txt", change: "added", text: "Dear Ada" },
      { path: "old.txt", change: "removed" },
    ]);

    cases([
      { type: "file_absent", path: "old.txt" },
      { type: "regex", path: "out/letter.txt", pattern: "^Dear Ada$" },
      { type: "command", run: "grep -q Ada out/letter.txt" },
      { type: "not_regex", path: "out/letter.txt", pattern: "Ada" },
    ]);
    const again = await regrade(first.place);
    expect(again.regraded).toMatchObject({ trials: 1, changed: 1, kept: {} });
    expect(again.trials[0]?.checks[0]?.parts?.map(({ grader, passed }) => [grader, passed])).toEqual([
      ["file_absent", true],
      ["regex", true],
      ["command", true],
      ["not_regex", false],
    ]);
    expect(again.questions[0]?.checks).not.toBe(first.questions[0]?.checks);
  });

  test("with --update-snapshots a diff writes what it compares with", async () => {
    cases([{ type: "diff", expected_files: [{ path: "out/letter.txt", snapshot: "letter.txt" }] }]);
    const first = await world.sit();
    expect(first.trials[0]?.checks[0]).toMatchObject({
      passed: null,
      message: expect.stringContaining("--update-snapshots writes it"),
    });
    expect(first.scores.targets[0]?.questions[0]?.why).toBe(
      "It could not be decided: the snapshot letter.txt cannot be used: there is no such file (--update-snapshots writes it).",
    );
    await regrade(first.place, { updateSnapshots: true });
    expect(readFileSync(join(world.dir, "skills/letters/evals/letter.txt"), "utf8")).toBe("Dear Ada");
    expect((await regrade(first.place)).trials[0]?.checks[0]).toMatchObject({ passed: true });
  });

  test("a case whose prompt was edited since is not graded again by what it says now", async () => {
    cases([{ type: "file_exists", path: "out/letter.txt" }]);
    const first = await world.sit();
    cases([{ type: "file_exists", path: "nope" }], { prompt: "Write another" });
    const again = await regrade(first.place);
    expect(again.regraded.kept).toEqual({ "the suites no longer ask it": 1 });
    expect(again.trials[0]?.checks[0]?.passed).toBe(true);
  });

  test("judged checks stay as they were unless a judge is asked for, and the others are made again", async () => {
    const server = await startRawModel(() => ({ body: replyOf("ollama", "ID=S1 VERDICT=TRUE EVIDENCE=Dear Ada") }));
    onTestFinished(() => server.close());
    world.env["OLLAMA_BASE_URL"] = `${server.url}/v1`;
    const there = { type: "file_exists", path: "out/letter.txt" };
    const gone = { type: "file_absent", path: "out/letter.txt" };
    cases([there], { expectations: ["It is a letter"] });
    const first = await world.sit({ judge: "ollama/qwen3" });
    expect(first.trials[0]?.checks[0]).toMatchObject({ passed: true });
    const again = async (checks: object[], statement: string) => {
      cases(checks, { expectations: [statement] });
      const { trials, regraded } = await regrade(first.place);
      const [check] = trials[0]?.checks ?? [];
      return {
        passed: check?.passed,
        score: check?.score,
        parts: check?.parts?.map(({ passed }) => passed),
        kept: regraded.kept,
      };
    };
    const left = { "it needs a judge (--judge MODEL asks one)": 1 };
    expect(await again([there, there], "It is a letter")).toEqual({
      passed: true,
      score: 1,
      parts: [true, true, true],
      kept: left,
    });
    expect(await again([there, gone], "It is a letter")).toMatchObject({
      passed: false,
      parts: [true, false, true],
      kept: {},
    });
    expect(await again([gone], "It is a poem")).toMatchObject({ passed: false, parts: [false] });
    // Nobody has judged that, so nobody knows.
    expect(await again([there], "It is a poem")).toMatchObject({ passed: null, parts: [true], kept: {} });
  });

  test("a secret in a file is masked like any other text, and a file that is not text is not kept with one in it", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    world.env["ANTHROPIC_API_KEY"] = secret;
    world.script({ default: { text: "Done", files: { "a.env": `KEY=${secret}` } } });
    cases([{ type: "file_exists", path: "a.env" }]);
    const { place, trials } = await world.sit();
    const kept = await readTranscript(place.dir, trials[0]!.transcript!);
    expect(kept?.workspace?.files[0]?.text).toMatch(/^KEY=/);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  test("the same answer from the cache is graded by new graders without being asked again", async () => {
    cases([{ type: "file_exists", path: "out/letter.txt" }]);
    await world.sit();
    cases([{ type: "regex", path: "out/letter.txt", pattern: "Ada" }]);
    const { trials } = await world.sit();
    expect(trials[0]).toMatchObject({ cached: {}, checks: [{ passed: true }] });
  });
});
