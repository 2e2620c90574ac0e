import { expect, test } from "vitest";
import { compareRuns, scoreRecord } from "../../src/exam/score/index.ts";
import { renderReport } from "../../src/reporters/index.ts";
import { header, positive, score, trial } from "./build.ts";
import { madeUpRecord } from "./made-up-record.ts";

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
