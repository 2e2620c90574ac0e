import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunSettings } from "../../src/base/options/index.ts";
import { environmentOf, type RawReply, replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { World } from "../world.ts";

const JUDGE = "anthropic/claude-haiku-4-5";
/** 10 tokens in, 5 out, at $1 and $5 per million. */
const EACH = 35 / 1_000_000;

let world: World;
let server: Awaited<ReturnType<typeof startRawModel>>;
let says: (body: string) => RawReply | "silence";
const verdict = (text: string) => ({ body: replyOf("anthropic", text) });

beforeEach(async () => {
  world = new World();
  world.skill("alpha");
  cases(4);
  world.script({ default: { text: "Dear Ada, we are sorry.", cost: 0.1 }, cost_per_trial: 0.1 });
  says = () => verdict("SCORE=5 REASON=Warm.");
  server = await startRawModel((_path, body) => says(body));
  world.env = environmentOf("anthropic", server.url) as Record<string, string>;
});
afterEach(async () => {
  world.remove();
  await server.close();
});

function cases(count: number, config: object = {}): void {
  const evals = Array.from({ length: count }, (_, index) => ({
    id: `case-${index + 1}`,
    prompt: `Write letter ${index + 1}.`,
    graders: [{ type: "rubric", config: { rubric: "Warm and short.", ...config } }],
  }));
  world.write("skills/alpha/evals/evals.json", { evals });
}

function anotherRubric(): RunSettings {
  cases(4, { rubric: "Cold and long." });
  return {};
}

const sit = (flags: RunSettings = {}, request: Parameters<World["sit"]>[1] = {}) =>
  world.sit({ judge: JUDGE, jobs: 2, ...flags }, request);
const spent = (trials: { costUsd?: number }[]) => trials.reduce((sum, trial) => sum + (trial.costUsd ?? 0), 0);

describe("what a judge said", () => {
  test("is kept: the same cases again ask nobody and cost nothing", async () => {
    const first = await sit();
    expect(server.requests).toHaveLength(4);
    expect(spent(first.trials)).toBeCloseTo(4 * (0.1 + EACH), 9);
    const again = await sit();
    expect(server.requests).toHaveLength(4);
    expect(again.trials.every(({ cached, costUsd }) => cached !== undefined && costUsd === 0)).toBe(true);
    expect(again.scores.targets[0]?.questions.map((question) => question.verdict)).toEqual([
      "pass",
      "pass",
      "pass",
      "pass",
    ]);
  });

  test.each<[string, () => RunSettings]>([
    ["another judge", () => ({ judge: "anthropic/claude-sonnet-4-5" })],
    ["another rubric", () => anotherRubric()],
    ["--refresh", () => ({ refresh: true })],
  ])("is not what %s would say", async (_what, change) => {
    await sit();
    await sit(change());
    expect(server.requests).toHaveLength(8);
  });

  test("that is asked anew about a kept answer is counted, and the target is not asked again", async () => {
    await sit();
    cases(4, { rubric: "Cold and long." });
    const { trials, exit } = await sit();
    expect(trials.map(({ cached }) => cached !== undefined)).toEqual([true, true, true, true]);
    expect(spent(trials)).toBeCloseTo(4 * EACH, 9);
    expect(exit).toBe(0);
  });

  test("is not kept when it could not be read, and then the target is not asked again either", async () => {
    says = () => verdict("Rather good.");
    expect((await sit()).trials.flatMap(({ checks }) => checks.map(({ passed }) => passed))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    says = () => verdict("SCORE=5 REASON=Warm.");
    const { trials } = await sit();
    expect(trials.flatMap(({ checks }) => checks.map(({ passed }) => passed))).toEqual([true, true, true, true]);
    expect(trials.every(({ cached }) => cached !== undefined)).toBe(true);
  });

  test("is asked for once per vote and per run, however alike the answers are", async () => {
    cases(1, { votes: 3 });
    await sit({ runs: 2, earlyStop: false });
    expect(server.requests).toHaveLength(6);
    await sit({ runs: 2, earlyStop: false });
    expect(server.requests).toHaveLength(6);
  });
});

describe("the budget", () => {
  test("counts judges of kept answers, and does not ask those that would exceed it", async () => {
    await sit();
    cases(4, { rubric: "Cold and long." });
    const { trials, lines } = await sit({ budget: 0.000_01 });
    expect(server.requests).toHaveLength(4);
    expect(trials).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ how: "stopped", notAsked: { budget: 4 } });
  });

  test("reserves for a judgement what its token limit allows, until it is known what one costs", async () => {
    await sit();
    cases(4, { rubric: "Cold and long." });
    // One can cost $0.009 at most.
    await sit({ budget: 0.008 });
    expect(server.requests).toHaveLength(4);
    await sit({ budget: 0.01, jobs: 4 });
    expect(server.requests).toHaveLength(8);
  });

  test("in tokens counts what judges used before a resume", async () => {
    const flags = { jobs: 1, budgetTokens: 25, cache: false };
    const { place, trials } = await sit(flags);
    expect(trials.map(({ judged }) => judged)).toEqual(
      trials.map(() => ({ asked: 1, usage: expect.objectContaining({ inputTokens: 10, outputTokens: 5 }) })),
    );
    const asked = server.requests.length;
    expect(asked).toBeLessThan(4);
    await sit(flags, { resume: place });
    expect(server.requests).toHaveLength(asked);
    await sit({ ...flags, budgetTokens: 1_000 }, { resume: place });
    expect(server.requests).toHaveLength(4);
  });

  test("refuses a judge whose price nobody knows, unless something else limits the run", async () => {
    world.env = { ...world.env, ...(environmentOf("ollama", server.url) as Record<string, string>) };
    await expect(sit({ judge: "ollama/qwen3:cloud", budget: 1 })).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining("What a judgement costs is not known"),
    });
    expect(server.requests).toEqual([]);
  });
});

test("beside a judge whose price nobody knows the cost of a trial is unknown", async () => {
  says = () => ({ body: replyOf("ollama", "SCORE=5 REASON=Warm.") });
  world.env = environmentOf("ollama", server.url) as Record<string, string>;
  const { trials } = await sit({ judge: "ollama/qwen3:cloud" });
  expect(trials).toHaveLength(4);
  expect(trials.map(({ costUsd, checks }) => [costUsd, checks[0]?.passed])).toEqual(
    Array.from({ length: 4 }, () => [undefined, true]),
  );
});

describe("a judge that keeps one waiting", () => {
  test("with a retry-after beyond the time limit is an error at once", async () => {
    cases(1);
    says = () => ({
      status: 429,
      headers: { "retry-after": "86400" },
      body: { type: "error", error: { type: "rate_limit_error", message: "later" } },
    });
    const { trials } = await sit({ timeoutSeconds: 5 });
    expect(server.requests).toHaveLength(1);
    expect(trials[0]?.checks).toMatchObject([
      { passed: null, message: expect.stringContaining("asks for a wait of 86400 s, and the time limit is 5 s") },
    ]);
  });

  test("in silence gets the time limit of the trial", async () => {
    cases(1);
    says = () => "silence";
    const { trials } = await sit({ timeoutSeconds: 0.3 });
    expect(trials[0]?.checks).toMatchObject([
      { passed: null, message: expect.stringContaining("did not answer: No end within 300 ms") },
    ]);
  });

  test.each([
    ["a trial", false],
    ["a kept answer", true],
  ])("ends with the run, and %s that was not judged is asked for again", async (_what, kept) => {
    cases(1);
    if (kept) await sit();
    cases(1, { rubric: "Cold and long." });
    const stop = new AbortController();
    says = () => {
      stop.abort();
      return "silence";
    };
    const { trials, lines, place } = await sit({ timeoutSeconds: 600 }, { stop: stop.signal });
    expect(trials).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ how: "interrupted" });
    says = () => verdict("SCORE=5 REASON=Warm.");
    expect((await sit({ timeoutSeconds: 600 }, { resume: place })).trials).toHaveLength(1);
  });
});

describe("a case that needs a judge, and none is set", () => {
  test("is not asked, and says what to do", async () => {
    const { trials, questions, exit } = await world.sit();
    expect(trials).toEqual([]);
    expect(questions[0]?.skipped["script:answers.yaml"]).toMatch(/needs a judge, and none is set: --judge MODEL/);
    expect(exit).toBe(3);
  });

  test("leaves the others as they are", async () => {
    world.skill("beta", [{ query: "Hello", should_trigger: false }]);
    expect((await world.sit({ runs: 1 })).trials).toHaveLength(1);
  });
});
