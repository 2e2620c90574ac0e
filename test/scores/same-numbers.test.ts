import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { renderReport } from "../../src/reports/index.ts";
import { compareRuns, type Scores, scoreRecord } from "../../src/scores/index.ts";
import { header, positive, score, trial } from "./build.ts";
import { madeUpRecord } from "./made-up-record.ts";

/** Everything that is a number, a verdict or a name in it, as text; what is only said about them may change. */
function numbersOf({ plan, targets }: Scores): string {
  const told = targets.map(({ questions, identity: _, note: __, attempts, ...rates }) => ({
    ...{ ...rates, attempts: attempts.map(({ k, n, passAt, passAll }) => ({ k, n, passAt, passAll })) },
    questions: questions.map((one) => [
      ...[one.id, one.skill, one.role, one.verdict, one.flaky, one.hits, one.measured, one.planned, one.trials, one.errors, one.rate],
      ...[one.unbiased, one.won, one.causes, one.cause, one.certainty, one.fired, one.unsure, one.status, one.measuredAt],
    ]),
  }));
  return JSON.stringify({ plan, told });
}

function printOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/**
 * Made when every question was scored by itself and every rate from its own list of questions, with a plain loop over all trials. A change that is meant to change a
 * number changes these; one that is meant to be quicker does not.
 */
test.each([
  ["one", "053c73b979100646"],
  ["two", "a69d48e1565c7d7a"],
  ["three", "d29b5c27135fad73"],
])("the numbers of made-up record %s are what they were when they were worked out the long way", async (seed, print) => {
  expect(printOf(numbersOf(await scoreRecord(madeUpRecord(seed))))).toBe(print);
});

test("a record that is read in pieces gives the same report, byte by byte, as one that is read line by line", async () => {
  const lines = madeUpRecord("pieces");
  async function* pieces() {
    for (let at = 0; at < lines.length; at += 7) yield structuredClone(lines.slice(at, at + 7));
  }
  const [one, other] = [await scoreRecord(structuredClone(lines)), await scoreRecord(pieces())];
  for (const name of ["json", "markdown", "terminal"]) expect(renderReport(name, other)).toBe(renderReport(name, one));
});

test("what one report shares among its questions is not changed by the next", async () => {
  const first = await scoreRecord(madeUpRecord("first"));
  const before = renderReport("json", first);
  await scoreRecord(madeUpRecord("second"));
  expect(compareRuns(first, await scoreRecord(madeUpRecord("third")), "claude:haiku")).not.toBeNull();
  expect(renderReport("json", first)).toBe(before);
});

test.each([5, 2_000, 2 ** 31, 2 ** 32, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER])(
  "a trial that claims to be run %d is counted as one, in no time",
  (run) => {
    const question = positive("q", "a", { runs: 2 });
    const scores = score([header({ skills: ["a"] }), question, trial(question, 1, []), trial(question, run, [])]);
    expect(scores.targets[0]!.trials).toMatchObject({ total: 2, measured: 2 });
    // It is beyond what was planned, so it is none of the question's.
    expect(scores.targets[0]!.questions[0]).toMatchObject({ trials: 2, measured: 1 });
  },
);
