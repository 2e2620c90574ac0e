import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPool } from "../../src/exam/ask/attempts/pool.ts";
import type { Job } from "../../src/exam/grade/executor.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import type { Target } from "../../src/targets/index.ts";

const job = (timeoutMs: number, questions: Job["questions"] = []): Job => ({
  key: "q",
  ask: { key: "q", kind: "trigger", prompt: "q", files: [], messages: [], library: "", limits: {} },
  target: "slow",
  run: 1,
  timeoutMs,
  evidence: "any",
  questions,
});

describe("what a target does before its first question", () => {
  test("takes no question's time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const executor = pool({ readyMs: 3_000 });
    const executed = executor.execute(job(2_500), new AbortController().signal);
    await vi.advanceTimersByTimeAsync(3_000);
    const { transcript, ms } = await executed;
    await executor.close();
    expect(transcript.outcome).toEqual({ status: "activations", activations: [] });
    expect(ms).toBeLessThan(2_500);
  });

  test("ends with the run", async () => {
    const executor = pool({ readyMs: 60_000 });
    const run = new AbortController();
    setTimeout(() => run.abort(), 5);
    const { transcript } = await executor.execute(job(600_000), run.signal);
    await executor.close();
    expect(transcript.outcome).toMatchObject({ status: "error", error: { reason: "interrupted" } });
  });
});

describe("an answer that loads alpha and then does not end", () => {
  const loadsAndHangs: Answering = async function* (signal) {
    yield { type: "activation", skill: "alpha", turn: 1, evidence: "loaded" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const question = (expect: { required_skills?: string[]; forbidden_skills?: string[] }): Job["questions"] => [
    {
      id: "q",
      expect: {
        required_skills: [],
        forbidden_skills: [],
        also_fine: [],
        mode: "any_order",
        allow_extra: true,
        ...expect,
      },
    },
  ];
  const execute = (timeoutMs: number, questions: Job["questions"]) => {
    const executor = pool({ events: loadsAndHangs });
    return executor.execute(job(timeoutMs, questions), new AbortController().signal).finally(() => executor.close());
  };

  test.each([
    ["required", { required_skills: ["alpha"] }, true],
    ["forbidden", { forbidden_skills: ["alpha"] }, false],
  ])(
    "is measured when its time is over, where alpha is %s: nothing could change that any more",
    async (_what, expected, passed) => {
      const { transcript, checks } = await execute(20, question(expected));
      expect(transcript).toMatchObject({
        how: "stopped",
        outcome: { status: "activations", activations: [{ skill: "alpha" }] },
      });
      expect(checks).toMatchObject([{ question: "q", passed }]);
    },
  );

  test.each([
    ["another skill is required", question({ required_skills: ["beta"] })],
    ["another skill is forbidden", question({ forbidden_skills: ["beta"] })],
    [
      "one of two questions is still open",
      [...question({ required_skills: ["alpha"] }), ...question({ required_skills: ["beta"] })],
    ],
  ])("ran out of time where %s", async (_what, questions) => {
    const { transcript, checks } = await execute(20, questions);
    expect(transcript.outcome).toMatchObject({ status: "error", error: { reason: "timeout", retryable: false } });
    expect(checks).toEqual([]);
  });
});

type Answering = (signal: AbortSignal) => AsyncIterable<TrialEvent>;

function pool({ readyMs, events }: { readyMs?: number; events?: Answering }) {
  const ready = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, readyMs);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  const target: Target = {
    id: "slow",
    kind: "agent",
    predicted: false,
    answers: { trigger: true, case: true },
    expectedCostUsd: null,
    identify: async () => ({ options: {}, deterministic: false }),
    open: async () => ({
      ...(readyMs !== undefined && { ready }),
      ask: async (_, { signal }) => {
        signal.throwIfAborted();
        return { events: events?.(signal) ?? [{ type: "end", how: "completed" }], dispose: async () => {} };
      },
      close: async () => {},
    }),
  };
  const library = { root: "/", skills: [{ id: "alpha" }, { id: "beta" }], problems: [], fingerprint: "" };
  return createPool({
    targets: [{ target, identity: { options: {}, deterministic: false } }],
    library: library as never,
  });
}
