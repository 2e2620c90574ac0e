import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TrialError, TrialEvent } from "../../../src/model/index.ts";
import { CANARY, checkCell } from "../../../src/targets/agents/canary.ts";

const HOUR = 3_600_000;
const start = Date.parse("2026-11-15T12:00:00Z");
const identity = { host: "fake", model: "m", options: { adapter: 1 }, deterministic: false };

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "proctor-canary-"));
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(cache, { recursive: true, force: true });
});

const loads: TrialEvent[] = [
  { type: "activation", skill: CANARY.name, turn: 1, evidence: "loaded" },
  { type: "end", how: "completed" },
];
const silent: TrialEvent[] = [{ type: "end", how: "completed" }];
const fails = (error: Partial<TrialError>): TrialEvent[] => [
  { type: "end", how: "error", error: { reason: "overloaded", message: "", retryable: true, ...error } },
];

/** What the cell was asked, "canary" or "control", and whether it can be trusted. */
async function check(answers: { canary?: TrialEvent[][]; control?: TrialEvent[][] } = {}, of = identity) {
  const asked: string[] = [];
  const queues = { canary: [...(answers.canary ?? [])], control: [...(answers.control ?? [])] };
  const failure = await checkCell(of, cache, async (prompt) => {
    const which = prompt === CANARY.prompt ? "canary" : "control";
    asked.push(which);
    return { events: queues[which].shift() ?? (which === "canary" ? loads : silent), kept: "last.jsonl" };
  });
  return { asked, failure };
}

test("a cell is put both prompts, and can be trusted when the canary loads and the control loads nothing", async () => {
  expect(await check()).toEqual({ asked: ["canary", "control"], failure: undefined });
});

test.each([
  [23, []],
  [25, ["canary", "control"]],
])("a pass of %i hours ago: asked again is %j", async (hours, asked) => {
  await check();
  vi.setSystemTime(start + hours * HOUR);
  expect(await check()).toEqual({ asked, failure: undefined });
});

test("a pass holds for the identity that passed, and for no other", async () => {
  await check();
  expect((await check({}, { ...identity, model: "n" })).asked).toEqual(["canary", "control"]);
});

test.each([
  [
    "the canary does not load",
    { canary: [silent, silent, silent] },
    ["canary", "canary", "canary"],
    /canary.*not loaded.*last\.jsonl/,
  ],
  [
    "the control loads a skill",
    { control: [loads, loads, loads] },
    ["canary", "control", "control", "control"],
    /control.*loaded one/,
  ],
])(
  "where %s three times the cell is invalid, and that is not kept as a pass",
  async (_what, answers, asked, message) => {
    const first = await check(answers);
    expect(first.asked).toEqual(asked);
    expect(first.failure).toMatchObject({
      reason: "invalid_cell",
      retryable: false,
      message: expect.stringMatching(message),
    });
    expect((await check()).asked).toEqual(["canary", "control"]);
  },
);

test.each(["refused", "mentioned"] as const)("a canary that was only %s has not loaded", async (evidence) => {
  const only: TrialEvent[] = [{ type: "activation", skill: CANARY.name, turn: 1, evidence }, ...silent];
  expect((await check({ canary: [only, only, only] })).failure).toMatchObject({ reason: "invalid_cell" });
});

test.each([
  ["a second try is enough", { canary: [silent, loads] }, ["canary", "canary", "control"], undefined],
  ["an error that can pass is tried again", { canary: [fails({})] }, ["canary", "canary", "control"], undefined],
  ["an error that cannot is not", { canary: [fails({ reason: "auth", retryable: false })] }, ["canary"], "auth"],
  [
    "two time-outs are enough",
    { canary: [fails({ reason: "timeout" }), fails({ reason: "timeout" })] },
    ["canary", "canary"],
    "timeout",
  ],
  ["an interruption ends it", { canary: [fails({ reason: "interrupted" })] }, ["canary"], "interrupted"],
])("%s", async (_what, answers, asked, reason) => {
  const { asked: really, failure } = await check(answers);
  expect(really).toEqual(asked);
  expect(failure?.reason).toBe(reason);
});
