import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { scoreRecord } from "../../src/exam/score/index.ts";
import type { Scores } from "../../src/model/index.ts";
import { madeUpRecord } from "./made-up-record.ts";

/** Everything that is a number, a verdict or a name in it, as text; what is only said about them may change. */
function numbersOf({ plan, targets }: Scores): string {
  const told = targets.map(({ questions, identity: _, note: __, attempts, ...rates }) => ({
    ...{ ...rates, attempts: attempts.map(({ k, n, passAt, passAll }) => ({ k, n, passAt, passAll })) },
    questions: questions.map((one) => [
      ...[
        one.id,
        one.skill,
        one.role,
        one.verdict,
        one.flaky,
        one.hits,
        one.measured,
        one.planned,
        one.trials,
        one.errors,
        one.rate,
      ],
      ...[
        one.unbiased,
        one.won,
        one.causes,
        one.cause,
        one.certainty,
        one.fired,
        one.unsure,
        one.status,
        one.measuredAt,
      ],
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
])(
  "the numbers of made-up record %s are what they were when they were worked out the long way",
  async (seed, print) => {
    expect(printOf(numbersOf(await scoreRecord(madeUpRecord(seed))))).toBe(print);
  },
);
