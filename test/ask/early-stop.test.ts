import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.remove());

/** A script in which each question hits exactly in the runs that say so. */
function scripted(hits: boolean[][]): object {
  const answers = hits.map((runs, index) => ({
    query: `Question ${index + 1}`,
    skills: [],
    runs: Object.fromEntries(runs.map((hit, run) => [String(run + 1), { skills: hit ? ["alpha"] : [] }])),
  }));
  return { answers };
}

const questions = (count: number, positive: boolean[]) =>
  Array.from({ length: count }, (_, index) => ({ query: `Question ${index + 1}`, should_trigger: positive[index]! }));

test("two runs that agree decide three, and what was saved is in the record", async () => {
  world.skill("alpha", questions(2, [true, false]));
  world.script(
    scripted([
      [true, true, true],
      [true, false, false],
    ]),
  );
  const { trials, lines, scores } = await world.sit({ runs: 3 });
  expect(trials).toHaveLength(5);
  expect(lines.at(-1)).toMatchObject({ type: "footer", saved: { trials: 1 }, notAsked: {} });
  expect(scores.targets[0]!.questions.map(({ verdict, measured }) => [verdict, measured])).toEqual([
    ["pass", 2],
    ["pass", 3],
  ]);
});

test("--no-early-stop makes every run", async () => {
  world.skill("alpha", questions(1, [true]));
  world.script(scripted([[true, true, true, true, true]]));
  expect((await world.sit({ runs: 5, earlyStop: false })).trials).toHaveLength(5);
});

test("a trial is asked again while one question on it is undecided", async () => {
  world.skill("alpha", [{ query: "Question 1", should_trigger: true, runs: 2 }]);
  world.skill("beta", [{ query: "Question 1", should_trigger: false, runs: 5 }]);
  world.script({
    answers: [
      {
        query: "Question 1",
        skills: ["alpha"],
        runs: { 1: { skills: ["alpha", "beta"] }, 2: { skills: ["alpha", "beta"] } },
      },
    ],
  });
  const { trials, scores } = await world.sit();
  expect(trials).toHaveLength(5);
  expect(scores.targets[0]!.questions.map(({ verdict }) => verdict)).toEqual(["pass", "pass"]);
});

test("a question counts its own runs alone, and early stop gives the verdicts of all runs", async () => {
  const nine = (runs: number[]) => Object.fromEntries(runs.map((run) => [run, { skills: ["alpha", "beta"] }]));
  world.skill("alpha", [{ query: "Question 1", should_trigger: true, runs: 5 }]);
  world.skill("beta", [{ query: "Question 1", should_trigger: true, runs: 9 }]);
  world.script({ answers: [{ query: "Question 1", skills: ["beta"], runs: nine([1, 3, 5]) }] });
  for (const earlyStop of [true, false]) {
    const { trials, scores } = await world.sit({ earlyStop });
    expect(trials).toHaveLength(earlyStop ? 5 : 9);
    expect(scores.targets[0]!.questions.map(({ verdict, hits, measured }) => [verdict, hits, measured])).toEqual([
      ["pass", 3, 5],
      ["pass", earlyStop ? 5 : 9, earlyStop ? 5 : 9],
    ]);
  }
});

test("a resumed run asks the runs that a question lacks, though others have enough", async () => {
  world.skill("alpha", [{ query: "Question 1", should_trigger: true, runs: 3 }]);
  world.skill("beta", [{ query: "Question 1", should_trigger: true, runs: 5 }]);
  const runs = { 1: { skills: ["alpha", "beta"] }, 2: { error: { reason: "rate_limit", times: 1 }, skills: ["beta"] } };
  world.script({ answers: [{ query: "Question 1", skills: ["beta"], runs }] });
  const first = await world.sit({ retries: 0 });
  const of = ({ scores }: typeof first) =>
    scores.targets[0]!.questions.map(({ verdict, hits, measured }) => [verdict, hits, measured]);
  expect(of(first)[0]).toEqual(["pass", 1, 2]);
  const resumed = await world.sit({ retries: 3 }, { resume: first.place });
  expect(of(resumed)[0]).toEqual(["fail", 1, 3]);
});

test("an error in the first half is made up for before anything is cut", async () => {
  world.skill("alpha", questions(1, [true]));
  world.script({ answers: [{ query: "Question 1", skills: ["alpha"], runs: { 1: { error: "unknown" } } }] });
  const { trials } = await world.sit({ runs: 3 });
  expect(trials.map(({ run, error }) => [run, error?.reason])).toEqual([
    [1, "unknown"],
    [2, undefined],
    [3, undefined],
  ]);
});

describe("laws", () => {
  const suite = fc.record({
    runs: fc.integer({ min: 1, max: 7 }),
    threshold: fc.constantFrom(0.3, 0.5, 0.8, 1),
    negativeThreshold: fc.constantFrom(0.2, 0.5, 0.9),
    questions: fc.array(
      fc.record({ positive: fc.boolean(), hits: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
  });

  test("early stop changes no verdict, and never cuts the first half of the runs", async () => {
    await fc.assert(
      fc.asyncProperty(suite, async ({ runs, threshold, negativeThreshold, questions: drawn }) => {
        const small = new World();
        try {
          small.skill(
            "alpha",
            questions(
              drawn.length,
              drawn.map((one) => one.positive),
            ),
          );
          small.script(scripted(drawn.map((one) => one.hits)));
          const flags = { runs, threshold, negativeThreshold, cache: false };
          const stopped = await small.sit(flags);
          const whole = await small.sit({ ...flags, earlyStop: false });
          const verdicts = (sat: typeof stopped) =>
            sat.scores.targets[0]!.questions.map(({ id, verdict }) => [id, verdict]);
          expect(verdicts(stopped)).toEqual(verdicts(whole));
          expect(whole.trials).toHaveLength(drawn.length * runs);
          for (const { measured } of stopped.scores.targets[0]!.questions)
            expect(measured).toBeGreaterThanOrEqual(Math.ceil(runs / 2));
          const footer = stopped.lines.at(-1)!;
          if (footer.type === "footer") expect(footer.saved.trials + stopped.trials.length).toBe(whole.trials.length);
        } finally {
          small.remove();
        }
      }),
      { numRuns: 20 },
    );
  });
});

test("--confidence samples until the threshold is cleared, and what never clears is inconclusive and flaky", async () => {
  world.skill("alpha", questions(2, [true, true]));
  const always = Array.from({ length: 40 }, () => true);
  const coin = Array.from({ length: 40 }, (_, index) => index % 2 === 0);
  world.script(scripted([always, coin]));
  const { scores } = await world.sit({ confidence: 0.95, maxRuns: 40 });
  const [sure, unsure] = scores.targets[0]!.questions;
  expect(sure).toMatchObject({ verdict: "pass", flaky: false });
  expect(sure!.measured).toBeLessThan(15);
  expect(unsure).toMatchObject({ verdict: "inconclusive", flaky: true, measured: 40 });
});
