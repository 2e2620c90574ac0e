import { describe, expect, test } from "vitest";
import { exitCode } from "../../src/exam/score/index.ts";
import type { Scores } from "../../src/model/index.ts";
import { renderReport, renderTerminal } from "../../src/reporters/index.ts";
import {
  claude,
  failedTrial,
  fired,
  footer,
  header,
  negative,
  positive,
  score,
  target,
  trial,
} from "../score/build.ts";

const questions = [positive("one", "refund"), negative("two", "refund")];
const lines = [...questions, trial(questions[0]!, 1, fired("refund")), trial(questions[1]!, 1, [])];
const whole = score([header({ skills: ["refund"] }), ...lines, footer]);

const notWhole: [string, Scores, RegExp][] = [
  ["unfinished", score([header({ skills: ["refund"] }), ...lines]), /unfinished/],
  ["interrupted", score([header({ skills: ["refund"] }), ...lines, { ...footer, how: "interrupted" }]), /interrupted/],
  ["damaged", { ...whole, run: { ...whole.run, damage: ["record.jsonl:3 was changed"] } }, /damaged/],
  [
    "merged without a shard",
    score([header({ skills: ["refund"], missingShards: [2] }), ...lines, footer]),
    /shard 2 missing/,
  ],
];

describe.each(notWhole)("a run that is %s, though all it holds has passed,", (_, scores, why) => {
  test("says so on the screen before anything else, and nothing of it is green", () => {
    const text = renderTerminal(scores, { color: true });
    expect(text.split("\n")[0]).toMatch(why);
    expect(text).not.toContain("\u001b[32m");
    expect(text).not.toContain("to enforce this in CI");
  });

  test("is an error in JUnit", () => {
    expect(renderReport("junit", scores)).toMatch(/<testsuites [^>]*errors="1"/);
    expect(renderReport("junit", scores)).toMatch(why);
  });

  test("is no result in markdown", () => {
    const [first, second] = renderReport("markdown", scores).split("\n");
    expect(first).toMatch(/^❔ \*\*no result/);
    expect(second).toMatch(why);
  });

  test("is an error for GitHub, an issue for GitLab, and no success in SARIF", () => {
    expect(renderReport("github", scores)).toMatch(/^::error /);
    expect(renderReport("github", scores)).toMatch(why);
    expect(JSON.parse(renderReport("gitlab", scores))).toMatchObject([
      { check_name: "record/not-whole", severity: "blocker" },
    ]);
    const { invocations } = JSON.parse(renderReport("sarif", scores)).runs[0];
    expect(invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ message: { text: expect.stringMatching(why) } }] },
    ]);
  });
});

test("a whole run says none of this", () => {
  expect(renderTerminal(whole, { color: true })).toContain("\u001b[32m");
  expect(renderReport("junit", whole)).toContain('errors="0"');
  expect(renderReport("markdown", whole)).toMatch(/^✅/);
  expect(renderReport("github", whole)).toBe("");
  expect(JSON.parse(renderReport("gitlab", whole))).toEqual([]);
});

test("questions without a verdict are not green in markdown either, though --min-coverage accepts them", () => {
  const open = negative("three", "refund");
  const scores = score([header({ skills: ["refund"] }), ...lines, open, failedTrial(open, 1), footer], {
    minCoverage: 0.5,
  });
  expect(exitCode(scores)).toBe(0);
  expect(renderReport("markdown", scores)).toMatch(
    /^⚠️ \*\*all 2 questions with a verdict pass\*\*, 1 without a verdict/,
  );
});

test("markdown has every rate with its n and its interval", () => {
  expect(renderReport("markdown", whole)).toContain(
    "| `claude:haiku` | 2/2 [.22–1.00] | 1/1 [.05–1.00] | 0/1 [.00–.95] | 2/2 |",
  );
});

test.each([40, 60, 75, 90, 120])(
  "with several targets side by side, no rate is cut at %i columns, and each has n and interval",
  (width) => {
    const other = target("codex:gpt-6.1-sol");
    const many = Array.from({ length: 12 }, (_, at) => {
      const of = at < 6 ? positive : negative;
      return of(`${at}`, "refund", { runs: { [claude.id]: 3, [other.id]: 3 } });
    });
    const scores = score([
      header({ targets: [claude, other], options: { earlyStop: false } }),
      ...many,
      ...[claude, other].flatMap(({ id }) =>
        many.flatMap((question, at) =>
          [1, 2, 3].map((run) => trial(question, run, (at + run) % 4 === 0 ? [] : fired("refund"), { target: id })),
        ),
      ),
      footer,
    ]);
    const shown = renderTerminal(scores, { width }).split("\n");
    const rows = shown.slice(shown.findIndex((line) => line.startsWith("target "))).slice(1, 3);
    const [, ...cells] = rows[0]!.split(/ {2,}/);
    for (const cell of cells.slice(0, 3))
      expect(cell).toMatch(/^(?:\d+\/\d+|\d\.\d\d of \d+) \[\.\d\d–[.1]\d*\.?\d*\]$/);
    expect(rows.join()).not.toContain("…");
  },
);
