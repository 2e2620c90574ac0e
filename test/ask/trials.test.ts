import { readFileSync, statSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ExamEvent } from "../../src/exam/ask/index.ts";
import { askExam } from "../../src/exam/index.ts";
import type { RecordPlace } from "../../src/exam/record/index.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { inPassingTime } from "../passing-time.ts";
import { readSat, World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

const positives = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ query: `Question ${index + 1}`, should_trigger: true }));

test.each([
  ["hangs", { fault: "hang" }, "timeout"],
  ["hangs and does not listen", { fault: "deaf" }, "timeout"],
  ["crashes", { fault: "crash" }, "crash"],
  ["cuts its stream", { fault: "cut" }, "cut_stream"],
  ["sends half a line", { fault: "half_line" }, "unparseable"],
  ["sends text that is not valid", { fault: "invalid_text" }, "unparseable"],
  ["names a skill that is not there", { fault: "lie_skill" }, "unparseable"],
  ["lies about its own name", { fault: "lie_model", model: "honest" }, "unparseable"],
  ["floods", { flood: "1gb" }, "flood"],
])("a target that %s gives an error outcome for that trial, and the run goes on", async (_what, reply, reason) => {
  world.skill("alpha", positives(3));
  world.script({ answers: [{ query: "Question 2", ...reply }], default: { skills: ["alpha"] }, model: "honest" });
  const { trials, scores, exit } = await inPassingTime(() => world.sit({ runs: 1, retries: 0, timeoutSeconds: 60 }));
  const byPrompt = (prompt: string) => scores.targets[0]!.questions.find((question) => question.prompt === prompt)!;
  expect(trials).toHaveLength(3);
  expect(trials.find((trial) => trial.error)?.error?.reason).toBe(reason);
  expect(byPrompt("Question 2")).toMatchObject({ verdict: "inconclusive", errors: 1, measured: 0 });
  expect(byPrompt("Question 1").verdict).toBe("pass");
  expect(byPrompt("Question 3").verdict).toBe("pass");
  expect(exit).toBe(3);
});

test("a negative is never green because its trial was an error", async () => {
  world.skill("alpha", [{ query: "Leave me alone", should_trigger: false }]);
  world.script({ default: { error: "auth" } });
  const { scores, exit } = await world.sit();
  expect(scores.targets[0]!.questions[0]!.verdict).toBe("inconclusive");
  expect(exit).toBe(3);
});

test("a trial is ended as soon as everything on it is decided", async () => {
  world.skill("alpha", positives(1));
  world.script({ default: { skills: ["alpha"], tail: 60_000 } });
  const { trials } = await world.sit({ runs: 1, timeoutSeconds: 0.3, retries: 0 });
  expect(trials[0]).toMatchObject({ how: "stopped", checks: [{ passed: true }] });
});

test("an error that can pass is tried again, and every attempt is kept", async () => {
  world.skill("alpha", positives(1));
  world.script({ default: { skills: ["alpha"], error: { reason: "overloaded", times: 2, retry_after: 1 } } });
  const { trials, exit } = await world.sit({ runs: 1 });
  expect(trials).toHaveLength(1);
  expect(trials[0]!.attempts.map((attempt) => attempt.error?.reason)).toEqual(["overloaded", "overloaded", undefined]);
  expect(trials[0]!.checks[0]!.passed).toBe(true);
  expect(exit).toBe(0);
});

test.each([
  ["an error that cannot pass", { error: "auth" }, "auth"],
  ["a trial that ran out of time", { fault: "hang" }, "timeout"],
])("%s is not tried again", async (_what, reply, reason) => {
  world.skill("alpha", positives(1));
  world.script({ default: reply });
  const { trials } = await inPassingTime(() => world.sit({ runs: 1, retries: 2 }));
  expect(trials.map(({ attempts }) => attempts.map(({ error }) => error?.reason))).toEqual([[reason]]);
});

test("a rate limit slows that target down and loses nothing", async () => {
  world.skill("alpha", positives(12));
  world.script({ default: { skills: ["alpha"], error: { reason: "rate_limit", times: 1, retry_after: 1 } } });
  const events: ExamEvent[] = [];
  const { trials, exit } = await world.sit({ runs: 1, jobs: 8 }, { on: (event) => void events.push(event) });
  expect(trials).toHaveLength(12);
  expect(trials.every((trial) => trial.error === undefined)).toBe(true);
  expect(exit).toBe(0);
  const slower = events.flatMap((event) =>
    event.type === "schedule" && event.event.type === "slower" ? [event.event.limit] : [],
  );
  expect(slower[0]).toBe(5);
});

test("a burst of refusals for rate slows a target down once: trials that were under way say nothing new", async () => {
  world.skill("alpha", positives(8));
  world.script({ default: { skills: ["alpha"] } });
  let asked = 0;
  let allAsked = () => {};
  const burst = new Promise<void>((resolve) => {
    allAsked = resolve;
  });
  async function* refusedAtFirst(): AsyncGenerator<TrialEvent> {
    if (++asked > 8) return yield { type: "end", how: "completed" };
    if (asked === 8) allAsked();
    await burst;
    yield {
      type: "end",
      how: "error",
      error: { reason: "rate_limit", message: "slow down", retryable: true, retryAfterMs: 1 },
    };
  }
  const open = async () => ({
    ask: async () => ({ events: refusedAtFirst(), dispose: async () => {} }),
    close: async () => {},
  });
  const exam = await world.prepare({ runs: 1, jobs: 8, cache: false });
  const targets = exam.targets.map(({ target, ...rest }) => ({ ...rest, target: { ...target, open } }));
  const slower: number[] = [];
  const on = (event: ExamEvent) =>
    void (event.type === "schedule" && event.event.type === "slower" && slower.push(event.event.limit));
  const { trials } = await readSat((await askExam({ ...exam, targets }, { on })).place);
  expect(trials.map(({ attempts }) => attempts.length)).toEqual(Array.from({ length: 8 }, () => 2));
  expect(slower).toEqual([5]);
});

test.each([
  ["45 s, as the server says", 45_000, [45_000, 45_000 + 500 / 4]],
  ["a moment, where it says nothing", undefined, [250, 500]],
])("after a rate limit the target is left alone for %s", async (_what, retry_after, [least = 0, most = 0]) => {
  world.skill("alpha", positives(4));
  world.script({
    answers: [{ query: "Question 1", skills: ["alpha"], error: { reason: "rate_limit", times: 1, retry_after } }],
    default: { skills: ["alpha"] },
  });
  const started: number[] = [];
  const on = (event: ExamEvent) =>
    void (event.type === "schedule" && event.event.type === "started" && started.push(performance.now()));
  const { trials } = await inPassingTime(() => world.sit({ runs: 1, jobs: 1 }, { on }));
  const [first = 0, ...later] = started;
  expect(later).toHaveLength(4);
  expect(Math.min(...later) - first).toBeGreaterThanOrEqual(least);
  expect(Math.min(...later) - first).toBeLessThanOrEqual(most);
  expect(trials.every(({ error }) => error === undefined)).toBe(true);
});

test("targets and skills take turns", async () => {
  world.skill(
    "alpha",
    Array.from({ length: 6 }, (_, index) => ({ query: `a${index}`, should_trigger: true })),
  );
  world.skill(
    "beta",
    Array.from({ length: 6 }, (_, index) => ({ query: `b${index}`, should_trigger: true })),
  );
  world.script({ default: { skills: [] } }, "one.yaml");
  world.script({ default: { skills: [] } }, "two.yaml");
  const { trials, questions } = await world.sit({ targets: ["script:one.yaml", "script:two.yaml"], runs: 1, jobs: 1 });
  const skillOf = new Map(questions.map((question) => [question.ask, question.skill]));
  const firstFour = trials.slice(0, 4);
  expect(new Set(firstFour.map((trial) => trial.target)).size).toBe(2);
  expect(new Set(firstFour.map((trial) => skillOf.get(trial.ask))).size).toBe(2);
});

test("one slow trial does not hold back the rest", async () => {
  world.skill("alpha", positives(20));
  world.script({ answers: [{ query: "Question 1", fault: "hang" }], default: { skills: ["alpha"] } });
  const stop = new AbortController();
  let done = 0;
  const on = (event: ExamEvent) => void (event.type === "trial" && ++done === 19 && stop.abort());
  const { trials, lines, exit } = await world.sit({ runs: 1, jobs: 2 }, { stop: stop.signal, on });
  expect(exit).toBe(130);
  expect(trials).toHaveLength(19);
  expect(lines.at(-1)).toMatchObject({ how: "interrupted", notAsked: { interrupted: 1 } });
});

test("a target's own limit holds, whatever --jobs says", async () => {
  world.skill("alpha", positives(12));
  world.script({ default: { skills: ["alpha"], latency: 5 }, concurrency: 2 });
  let running = 0;
  let most = 0;
  await world.sit(
    { runs: 1, jobs: 8 },
    {
      on(event) {
        if (event.type !== "schedule") return;
        if (event.event.type === "started") most = Math.max(most, ++running);
        if (event.event.type === "ended") running--;
      },
    },
  );
  expect(most).toBe(2);
});

test("finishing lets what runs end, starts nothing new, and says what was not asked", async () => {
  world.skill("alpha", positives(20));
  world.script({ default: { skills: ["alpha"], latency: 20 } });
  const finish = new AbortController();
  const { trials, lines, exit } = await world.sit(
    { runs: 1, jobs: 4 },
    { finish: finish.signal, on: (event) => event.type === "trial" && finish.abort() },
  );
  // At most so many were being asked, and as many being written.
  expect(trials.length).toBeGreaterThanOrEqual(1);
  expect(trials.length).toBeLessThanOrEqual(8);
  expect(lines.at(-1)).toMatchObject({ how: "interrupted", notAsked: { interrupted: 20 - trials.length } });
  expect(exit).toBe(130);
});

test("stopping drops what runs, and the record is whole", async () => {
  world.skill("alpha", positives(20));
  world.script({ answers: [{ query: "Question 1", skills: ["alpha"] }], default: { fault: "deaf" } });
  const stop = new AbortController();
  const { trials, lines, exit } = await world.sit(
    { runs: 1, jobs: 4 },
    { stop: stop.signal, on: (event) => event.type === "trial" && stop.abort() },
  );
  expect(trials).toHaveLength(1);
  expect(lines.at(-1)).toMatchObject({ how: "interrupted", notAsked: { interrupted: 19 } });
  expect(exit).toBe(130);
});

test("what goes wrong while a trial is kept ends the run with that error, and the run can be resumed", async () => {
  world.skill("alpha", positives(6));
  world.script({ default: { skills: ["alpha"] } });
  let place: RecordPlace | undefined;
  let kept = 0;
  const sitting = world.sit(
    { runs: 1, jobs: 2, cache: false },
    {
      on(event) {
        if (event.type === "record") place = event.place;
        if (event.type === "trial" && ++kept === 3) throw new Error("no room");
      },
    },
  );
  await expect(sitting).rejects.toThrow("no room");
  const { trials, scores } = await world.sit({ runs: 1, jobs: 2, cache: false }, { resume: place! });
  expect(trials).toHaveLength(6);
  expect(scores.run.how).toBe("complete");
});

test("a failure is told when it is settled, and passes and fails are counted as they come", async () => {
  world.skill("alpha", positives(4));
  world.script({ answers: [{ query: "Question 2", skills: [] }], default: { skills: ["alpha"] } });
  const events: ExamEvent[] = [];
  await world.sit({ runs: 3, jobs: 1, cache: false }, { on: (event) => events.push(structuredClone(event)) });
  const told = events.filter((event) => event.type === "failed");
  expect(told.map(({ question }) => [question.prompt, question.why])).toEqual([["Question 2", "No skill was used."]]);
  const after = events.slice(events.indexOf(told[0]!)).find((event) => event.type === "progress");
  expect(after?.type === "progress" && after.snapshot.targets[0]).toMatchObject({ passed: 1, failed: 1 });
  expect(events.filter((event) => event.type === "progress").at(-1)).toMatchObject({
    snapshot: { targets: [{ passed: 3, failed: 1 }] },
  });
});

test("--resume of a run that has ended leaves its record as it is, its time too", async () => {
  world.skill("alpha", [{ query: "One", should_trigger: true }]);
  world.script({ default: { skills: ["alpha"] } });
  const { place } = await world.sit({ cache: false });
  const past = new Date("2026-01-02T03:04:05Z");
  utimesSync(place.file, past, past);
  const before = readFileSync(place.file, "utf8");
  await world.sit({ cache: false }, { resume: place });
  expect(readFileSync(place.file, "utf8")).toBe(before);
  expect(statSync(place.file).mtime).toEqual(past);
});
