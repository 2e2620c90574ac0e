import { expect, test } from "vitest";
import type { Job } from "../../src/sitting/executor.ts";
import { createPool } from "../../src/sitting/pool.ts";
import type { Target } from "../../src/targets/index.ts";

const job = (timeoutMs: number): Job => ({
  key: "q",
  ask: { key: "q", kind: "trigger", prompt: "q", files: [], messages: [], library: "", limits: {} },
  target: "slow-start",
  run: 1,
  timeoutMs,
  evidence: "any",
  questions: [],
});

test("what a target does before its first question takes no question's time", async () => {
  const executor = pool(3_000);
  const { transcript, ms } = await executor.execute(job(2_500), new AbortController().signal);
  await executor.close();
  expect(transcript.outcome).toEqual({ status: "activations", activations: [] });
  expect(ms).toBeLessThan(2_500);
});

test("the end of the run ends it", async () => {
  const executor = pool(60_000);
  const run = new AbortController();
  setTimeout(() => run.abort(), 50);
  const { transcript } = await executor.execute(job(600_000), run.signal);
  await executor.close();
  expect(transcript.outcome).toMatchObject({ status: "error", error: { reason: "interrupted" } });
});

function pool(readyMs: number) {
  const target: Target = {
    id: "slow-start",
    kind: "agent",
    predicted: false,
    answers: { trigger: true, case: true },
    expectedCostUsd: null,
    identify: async () => ({ options: {}, deterministic: false }),
    open: async () => ({
      ready: ({ signal }) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, readyMs);
          signal.addEventListener("abort", () => {
            clearTimeout(timer);
            resolve();
          });
        }),
      ask: async (_, { signal }) => {
        signal.throwIfAborted();
        return { events: [{ type: "end", how: "completed" }], dispose: async () => {} };
      },
      close: async () => {},
    }),
  };
  const library = { root: "/", skills: [], problems: [], fingerprint: "" };
  return createPool({ targets: new Map([[target.id, target]]), library: library as never, models: new Map() });
}
