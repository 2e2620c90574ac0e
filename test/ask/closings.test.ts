import { existsSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Closings } from "../../src/base/closings.ts";
import type { ExamEvent, RunRequest, Workers } from "../../src/exam/ask/index.ts";
import { askExam } from "../../src/exam/index.ts";
import type { Exam } from "../../src/exam/plan/index.ts";
import { isLocked } from "../../src/exam/record/index.ts";
import type { Target } from "../../src/targets/index.ts";
import { World } from "../world.ts";

let world: World;
let exam: Exam;
/** What was opened and what was closed, by its place among what was opened. */
let opened: unknown[];
let closed: unknown[];

beforeEach(async () => {
  world = new World();
  world.skill("alpha");
  const judged = [{ id: 1, prompt: "Do the work", expectations: ["It is polite"] }];
  world.write("skills/alpha/evals/evals.json", { skill_name: "alpha", evals: judged });
  world.script({ default: { text: "Done." } });
  exam = await world.prepare({ judge: "anthropic/claude-haiku-4-5" });
  opened = [];
  closed = [];
  const add = Closings.prototype.add;
  vi.spyOn(Closings.prototype, "add").mockImplementation(function (this: Closings, value, close) {
    opened.push(value);
    return add.call(this, value, (one: typeof value) => {
      closed.push(one);
      return close(one);
    }) as typeof value;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  world.remove();
});

const judge = {
  identity: { host: "test", options: {}, deterministic: false },
  expectedUsd: 0,
  mostUsd: 0,
  ask: async () => ({ status: "text" as const, text: "{}", cut: false, costUsd: 0 }),
};
const workers: Workers = { judges: async () => () => judge, open: async ({ here }) => here };
const broken = async () => {
  throw new Error("broken");
};

/** Each fails one step later: with how many things open. */
const steps: [name: string, open: number, target: Partial<Target>, request: RunRequest, message: string][] = [
  ["the login runs out", 1, { lasts: { until: 0, advice: "Log in." } }, {}, "expires within the run"],
  ["the judges cannot be found", 1, {}, { fleet: { ...workers, judges: broken } }, "broken"],
  ["nobody knows what a trial costs", 3, { expectedCostUsd: null }, {}, "--budget cannot keep it"],
  ["a key is missing", 3, { missing: async () => "a key is missing" }, {}, "a key is missing"],
  ["the first event cannot be shown", 4, {}, { on: failsAt("record") }, "cannot be shown"],
  ["no worker can be reached", 4, {}, { fleet: { ...workers, open: broken } }, "broken"],
  ["a trial cannot be shown", 5, {}, { on: failsAt("trial") }, "cannot be shown"],
];

test.each(steps)(
  "when %s, what is open is closed, last opened first",
  async (_name, open, changes, request, message) => {
    if (changes.expectedCostUsd === null) exam.options.limits.usd = 1;
    // Of a kind that reads files, so that a copy of the library is made for it.
    const targets = exam.targets.map(({ target, identity }) => ({
      target: { ...target, kind: "own" as const, ...changes },
      identity,
    }));
    const events: ExamEvent[] = [];
    const on = (event: ExamEvent) => {
      events.push(event);
      request.on?.(event);
    };
    await expect(askExam({ ...exam, targets }, { fleet: workers, ...request, on })).rejects.toThrow(message);
    expect(opened).toHaveLength(open);
    expect(closed).toEqual(opened.toReversed());
    const [snapshot] = opened as [{ library: { root: string } }];
    expect(snapshot.library.root).not.toBe(exam.library.root);
    expect(existsSync(snapshot.library.root)).toBe(false);
    for (const event of events) if (event.type === "record") expect(isLocked(event.place.dir)).toBe(false);
  },
);

test("a stored run that cannot be read again is let go", async () => {
  const { place } = await askExam(exam, { fleet: workers, finish: AbortSignal.abort() });
  opened.length = 0;
  closed.length = 0;
  const on = (event: ExamEvent) => {
    if (event.type === "record") rmSync(place.file);
  };
  const compares = { ...exam, plan: { ...exam.plan, checks: new Map([["case", comparing]]) } };
  await expect(askExam(compares, { fleet: workers, resume: place, on })).rejects.toThrow("Cannot read");
  expect(opened).toHaveLength(4);
  expect(closed).toEqual(opened.toReversed());
  expect(isLocked(place.dir)).toBe(false);
});

const comparing = { id: "case", graders: [{ type: "pairwise", config: {} }], dir: "" };

function failsAt(type: ExamEvent["type"]): RunRequest["on"] {
  return (event) => {
    if (event.type === type) throw new Error("cannot be shown");
  };
}
