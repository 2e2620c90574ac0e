import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunSettings } from "../../src/base/options/index.ts";
import type { RunRequest } from "../../src/exam/ask/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

const query = (index: number) => `Question ${index + 1}`;
const positives = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ query: query(index), should_trigger: true }));

/** Runs one at a time, and what happened to the target meanwhile. */
async function sit(flags: RunSettings = {}, request: RunRequest = {}) {
  const events: string[] = [];
  const said = ["paused", "resumed", "given up"];
  const on: RunRequest["on"] = (event) =>
    void (event.type === "schedule" && said.includes(event.event.type) && events.push(event.event.type));
  return { ...(await world.sit({ runs: 1, jobs: 1, retries: 0, cache: false, ...flags }, { on, ...request })), events };
}

test.each(["auth", "invalid_cell"])(
  "a target that gives nothing but errors of a hopeless kind (%s) is given up after three, and the others go on",
  async (reason) => {
    world.skill("alpha", positives(6));
    world.script({ default: { error: { reason, message: "not today" } } }, "bad.yaml");
    world.script({ default: { skills: ["alpha"] } }, "good.yaml");
    const { trials, lines, exit, events } = await sit({ targets: ["script:bad.yaml", "script:good.yaml"] });
    expect(trials.filter((trial) => trial.target === "script:bad.yaml")).toHaveLength(3);
    expect(trials.filter((trial) => trial.target === "script:good.yaml")).toHaveLength(6);
    expect(events).toEqual(["given up"]);
    const footer = lines.at(-1);
    expect(footer).toMatchObject({ type: "footer", how: "stopped" });
    expect(footer?.type === "footer" && Object.entries(footer.notAsked)).toEqual([
      [expect.stringMatching(/^script:bad\.yaml was given up: 3 of its last 3 trials were errors \(/), 3],
    ]);
    expect(exit).toBe(3);
  },
);

test("a target whose first five trials are errors pauses, and goes on when one that it is given alone is measured", async () => {
  world.skill("alpha", positives(12));
  const broken = Array.from({ length: 7 }, (_, index) => query(index));
  world.script({ answers: [{ query: broken, error: "timeout" }], default: { skills: ["alpha"] } });
  const { trials, events } = await sit();
  expect(trials).toHaveLength(12);
  expect(events).toEqual(["paused", "resumed"]);
});

test("a target that pauses and fails three times more is given up", async () => {
  world.skill("alpha", positives(12));
  world.script({ default: { error: "timeout" } });
  const { trials, lines, events } = await sit();
  expect(trials).toHaveLength(8);
  expect(lines.at(-1)).toMatchObject({
    how: "stopped",
    notAsked: { "script:answers.yaml was given up: 8 of its last 8 trials were errors (time-out)": 4 },
  });
  expect(events).toEqual(["paused", "given up"]);
});

test.each([1, 8])(
  "a target that only ever crashes is given up after a handful of attempts, with %i at once",
  async (jobs) => {
    world.skill("alpha", positives(40));
    world.script({ default: { error: "crash" } });
    const { trials, events } = await sit({ jobs, retries: 3 });
    const attempts = trials.reduce((sum, trial) => sum + trial.attempts.length, 0);
    // Five trials, two of them tried twice, and what had started meanwhile.
    expect(attempts).toBeLessThanOrEqual(6 + jobs);
    expect(events).toEqual(["given up"]);
  },
);

test("a crash among answers is tried again, however late in the run", async () => {
  world.skill("alpha", positives(6));
  const crash = { reason: "crash", times: 1 };
  world.script({
    answers: [{ query: [query(1), query(2), query(3), query(4)], error: crash, skills: ["alpha"] }],
    default: { skills: ["alpha"] },
  });
  const { trials } = await sit({ retries: 1 });
  expect(trials.map(({ error }) => error)).toEqual(Array.from({ length: 6 }, () => undefined));
});

test("errors of chance, three in ten, never give a target up", async () => {
  world.skill("alpha", positives(300));
  for (const seed of [1, 2]) {
    let state = seed * 7919;
    const random = () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return state / 2147483648;
    };
    const late = positives(300)
      .map((row) => row.query)
      .filter(() => random() < 0.3);
    world.script({ answers: [{ query: late, error: "timeout" }], default: { skills: ["alpha"] } });
    const { trials, lines, events } = await sit();
    expect([seed, trials.length, lines.at(-1), events]).toMatchObject([seed, 300, { how: "complete" }, []]);
  }
});

test.each(["filtered", "denied", "not_asked", "cut_answer", "flood"])(
  "what belongs to one question (%s) never gives a target up, however often it comes",
  async (reason) => {
    world.skill("alpha", positives(30));
    world.script({ default: { error: reason } });
    const { trials, events } = await sit();
    expect(trials).toHaveLength(30);
    expect(events).toEqual([]);
  },
);

test("a resumed run asks first what was never asked, and is not stuck behind what failed before", async () => {
  world.skill("alpha", positives(40));
  const blocked = Array.from({ length: 8 }, (_, index) => query(index));
  world.script({ answers: [{ query: blocked, error: "blocked" }], default: { skills: ["alpha"] } });
  const first = await sit();
  expect(first.trials).toHaveLength(8);
  expect(first.events).toEqual(["paused", "given up"]);
  const resumed = await sit({}, { resume: first.place });
  expect(resumed.trials.filter(({ error }) => error === undefined)).toHaveLength(32);
  const asked = resumed.trials.slice(8).map(({ error }) => error?.reason);
  expect(asked.slice(0, 32).every((reason) => reason === undefined)).toBe(true);
});
