import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/base/index.ts";
import { parseReporters, renderReport, renderTerminal } from "../../src/reporters/index.ts";
import { pad, truncate } from "../../src/reporters/text/fit-text.ts";
import { shortNames } from "../../src/reporters/text/short-names.ts";
import { claude, embedded, fired, footer, header, negative, positive, score, trial } from "../score/build.ts";
import { errorLine, haiku, scene, scenes } from "./scenes.ts";

describe("the screen", () => {
  test.each(Object.keys(scenes))("%s: no line is wider than the terminal, and no control code is in it", (name) => {
    const scores = scenes[name]!();
    for (const width of [60, 80, 100, 137, 200]) {
      for (const verbose of [false, true]) {
        const screen = renderTerminal(scores, { width, verbose });
        expect(screen).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
        const commands = screen.split("\n").filter((line) => /^(next:| {2}or )/.test(line));
        const wide = screen.split("\n").filter((line) => displayWidth(line) > width && !commands.includes(line));
        expect(wide).toEqual([]);
      }
    }
  });

  test("starts with the verdict, then what was examined and by whom, and ends with a command and the way to the page", () => {
    const scores = scenes["five of 48 fail"]!();
    const lines = renderTerminal(scores, { width: 120, record: ".proctor/runs/2026-11-15-a" }).trimEnd().split("\n");
    expect(lines[0]).toBe("5 of 48 questions fail   0.4 s, $0, run 2026-11-15-a");
    expect(lines[1]).toMatch(
      /^library shop: 6 skills, 48 questions: 24 should activate, 24 should not\. embedded: predicted from/,
    );
    expect(lines.slice(-2)).toEqual([
      'next: proctor route "Can I send this back after 40 days?"',
      "  or  proctor doctor   (who on this machine can tell whether they really fail)     page: proctor view",
    ]);
  });

  test("shows a failure with its query, what it wanted, its place, and why", () => {
    const screen = renderTerminal(scenes["five of 48 fail"]!(), { width: 140 });
    expect(screen).toMatch(
      /✗ gift-cards +should activate +"Can I send this back after 40 days\?"\n {4}refund-policy fires \(0\.91\); gift-cards is 0\.41\. Shared: deliver, parcel\. {2}evals\/gift-cards\/triggers\.yaml:4\n/,
    );
    expect(screen).toMatch(
      /✗ order-status +should stay silent +".*"\n {4}It fires .* {2}evals\/order-status\/triggers\.yaml:7\n/,
    );
  });

  test("tells the most certain failure first", () => {
    const [mild, sure] = [negative("mild", "a", { prompt: "mild" }), negative("sure", "b", { prompt: "sure" })];
    const ranked = (skill: string, points: number) => ({
      skill,
      score: points,
      probability: points,
      verdict: "fires" as const,
      words: [],
    });
    const screen = renderTerminal(
      score([
        header({ targets: [embedded] }),
        mild,
        sure,
        trial(mild, 1, fired("a"), { target: embedded.id, prediction: { needs: 0.6, ranking: [ranked("a", 0.7)] } }),
        trial(sure, 1, fired("b"), { target: embedded.id, prediction: { needs: 0.6, ranking: [ranked("b", 0.9)] } }),
        footer,
      ]),
    );
    expect(screen.indexOf('"sure"')).toBeLessThan(screen.indexOf('"mild"'));
  });

  test.each([60, 80, 120])("never cuts a prompt, nor a place, to make room for the other (%i columns)", (width) => {
    const prompt =
      "Please tell me, in as many words as it takes, where the parcel with the blue kettle has got to by now";
    const question = negative("q", "a", {
      prompt,
      source: { file: `evals/${"deep/".repeat(6)}triggers.yaml`, line: 12 },
    });
    const screen = renderTerminal(
      score([
        header({ targets: [embedded] }),
        question,
        trial(question, 1, fired("a"), { target: embedded.id }),
        footer,
      ]),
      { width },
    );
    expect(screen.replace(/\s+/g, " ")).toContain(`"${prompt}"`);
    expect(screen).toContain(`evals/${"deep/".repeat(6)}triggers.yaml:12`);
  });

  test("keeps the matrix, precision and what is counted elsewhere for --verbose", () => {
    const scores = scenes["five of 48 fail"]!();
    const [brief, verbose] = [renderTerminal(scores), renderTerminal(scores, { verbose: true })];
    for (const part of ["expected ↓ fired →", "precision ", "negatives: ", "misses: ", "fingerprint", "trials, "]) {
      expect([part, brief.includes(part), verbose.includes(part)]).toEqual([part, false, true]);
    }
  });

  test("counts what a predicting target cannot tell in one line, late, and lists it with --verbose", () => {
    const questions = ["one", "two"].map((id) => positive(id, "a", { prompt: `prompt ${id}` }));
    const right = positive("right", "a");
    const unsure = { needs: 0.6, silentBelow: 0.4, ranking: [], unsure: "language" as const };
    const lines = questions.map((question) => {
      const line = trial(question, 1, [], { target: embedded.id, prediction: unsure });
      return { ...line, checks: line.checks.map((check) => ({ ...check, passed: null })) };
    });
    const scores = score([
      header({ targets: [embedded] }),
      ...questions,
      right,
      ...lines,
      trial(right, 1, fired("a"), { target: embedded.id }),
      footer,
    ]);
    const screen = renderTerminal(scores);
    expect(screen).toMatch(/^the only question with a verdict passes \(predicted\); embedded cannot tell for 2\b/);
    expect(screen).not.toContain("✗");
    expect(screen).toMatch(/\n\ncannot tell for 2: 2 are not in the language of the cards/);
    expect(screen).not.toContain("prompt one");
    expect(renderTerminal(scores, { verbose: true })).toMatch(/\? a +"prompt one"/);
  });

  test("shows hits, runs and interval of an agent's failure", () => {
    expect(renderTerminal(scenes["an agent, three runs"]!(), { width: 120 })).toContain(
      "fired 3 of 3 [.37–1.00]. gift-cards was loaded on turn 1.",
    );
  });

  test("says of a target that only gave errors that it is not measured, and shows no score for it", () => {
    const screen = renderTerminal(scenes["all errors"]!(), { width: 120 });
    expect(screen).toContain("claude:haiku is not measured: the CLI is not logged in");
    expect(screen).toMatch(/0 of 48 questions have a verdict on this\s+target\. Exit 3\./);
    expect(screen).toContain("next: proctor doctor");
    expect(screen).not.toMatch(/ pass|recall|0\.00/);
  });

  test("never says that all pass while a question has no verdict", () => {
    const scores = scene({ targets: [haiku], trials: (lines) => lines.slice(0, 30) });
    const screen = renderTerminal(scores);
    expect(screen).toContain("all 30 questions with a verdict pass; 18 without a verdict");
    expect(screen).toContain("18 questions have no verdict: 18 not asked");
  });

  test("names the questions without a verdict, those of one reason together, and no more than a few of each", () => {
    const scores = scene({
      targets: [haiku],
      runs: 3,
      trials: (lines) =>
        lines
          .filter((line) => !["ask faq-2", "ask faq-3"].includes(line.ask) || line.run === 1)
          .flatMap((line) =>
            line.ask.startsWith("ask returns")
              ? line.run === 1
                ? [errorLine(line, "overloaded", "529 overloaded")]
                : []
              : [line],
          ),
    });
    for (const width of [60, 80, 120]) {
      const screen = renderTerminal(scores, { width });
      expect(screen.match(/^\? returns +"/gm)).toHaveLength(5);
      expect(screen).toMatch(/^\? .*\n(?: {4}evals.*\n)? {4}… and 3 more\b.*\n {4}1 of 1 trials ended in an error: /m);
      expect(screen.match(/^\? faq +"/gm)).toHaveLength(2);
      expect(screen).toMatch(/ {4}1 of 3 runs is measured; a verdict needs 2\./);
    }
    expect(renderTerminal(scores, { verbose: true }).match(/^\? returns +"/gm)).toHaveLength(8);
  });

  test("names the flaky questions", () => {
    const screen = renderTerminal(scenes["an agent, three runs"]!(), { width: 120 });
    expect(screen).toMatch(
      /flaky: 7 questions were both hit and missed\n(?:~ [12] of 3 {2}".*" {2}evals.*:\d+\n){5}… and 2 more: --verbose shows all/,
    );
  });

  test("says that early stop finds fewer flaky questions, where it stopped any", () => {
    const scores = scenes["an agent, three runs"]!();
    expect(renderTerminal(scores)).not.toContain("early stop finds fewer");
    const stopped = { ...scores, run: { ...scores.run, saved: { trials: 9 } } };
    expect(renderTerminal(stopped, { width: 200 })).toContain(
      "both hit and missed; early stop finds fewer of them, two thirds with 3 runs",
    );
  });

  test("of a run that was too short for verdicts it says what was measured, what it takes, and how to go on", () => {
    const lines = [header({ targets: [claude], options: { limits: { trials: 3 } } })];
    const questions = ["a", "b", "c"].map((id) => positive(id, "refund", { runs: 3 }));
    const stopped = { ...footer, how: "stopped" as const, notAsked: { "--max-trials": 6 } };
    const trials = questions.map((question) => trial(question, 1, fired("refund"), { costUsd: 0.001 }));
    const screen = renderTerminal(score([...lines, ...questions, ...trials, stopped]), { width: 120 });
    expect(screen).toContain(
      "claude:haiku is not measured: 1 of 3 runs per question was measured, and a verdict needs 2.",
    );
    expect(screen).toContain("3 trials, 0 cached");
    expect(screen).toContain("$0.003");
    expect(screen).toContain("next: proctor run --resume 2026-11-15-a --max-trials 9");
  });

  test("says that a partial run is no baseline, and how to finish an unfinished one", () => {
    const screen = renderTerminal(scenes["partial and unfinished"]!());
    expect(screen).toContain("partial (--skill refund-policy):");
    expect(screen).toContain("next: proctor run --resume 2026-11-15-a");
  });

  test("puts two targets side by side and says how far they agree", () => {
    const screen = renderTerminal(scenes["two targets"]!(), { width: 120 });
    expect(screen).toContain("embedded and claude:haiku come to the same verdict on 40 of 48 questions");
    expect(screen).toMatch(/score of skill +embedded +claude:haiku/);
    const trust =
      /claude:haiku fails (\d+) of the (\d+) that embedded fails \[\.\d\d–\.?\d+\.?\d*\],\s+(\d+) of the (\d+) that embedded passes \[/;
    const found = screen.match(trust);
    const [both = 0, failed = 0, missed = 0, passed = 0] = (found ?? []).slice(1).map(Number);
    expect([found !== null, failed + passed, failed - both + missed]).toEqual([true, 48, 8]);
  });

  test("of three targets says how far the first agrees with each; with --verbose how far any two do", () => {
    const scores = scenes["two targets"]!();
    const [, agent] = scores.targets;
    const three = { ...scores, targets: [...scores.targets, { ...agent!, id: "codex:mini" }] };
    const pairs = (screen: string) =>
      [...screen.matchAll(/^(\S+) and (\S+) come to the same verdict/gm)].map(([, one, other]) => [one, other]);
    const first = [
      ["embedded", "claude:haiku"],
      ["embedded", "codex:mini"],
    ];
    expect(pairs(renderTerminal(three, { width: 120 }))).toEqual(first);
    const verbose = renderTerminal(three, { width: 120, verbose: true });
    expect(pairs(verbose)).toEqual([...first, ["claude:haiku", "codex:mini"]]);
    expect(verbose).toMatch(/^codex:mini fails (\d+) of the \1 that claude:haiku fails \[/m);
  });

  test("of a large library shows the weakest skills and the worst confusion, and says what it left out", () => {
    const screen = renderTerminal(scenes["a library of 120 skills"]!(), { width: 120 });
    expect(screen.split("\n").length).toBeLessThanOrEqual(41);
    expect(screen).toMatch(/… and \d+ more: --verbose shows all/);
    expect(screen).toMatch(/^114 others +546 of 684$/m);
    expect(screen).toMatch(/^library +570 of 720/m);
    const verbose = renderTerminal(scenes["a library of 120 skills"]!(), { verbose: true });
    expect(verbose).toMatch(/… and \d+ more confused pairs/);
    expect(verbose.match(/^✗/gm)).toHaveLength(150);
  });

  test("fits the height of the terminal, and always tells two failures with their reasons", () => {
    const scores = scenes["a library of 120 skills"]!();
    const lines = (height: number) => renderTerminal(scores, { width: 120, height }).trimEnd().split("\n");
    const failures = (height: number) => lines(height).filter((line) => line.startsWith("✗")).length;
    // One line less than there are: the shell's prompt comes below.
    for (const height of [24, 30, 40, 60]) expect(lines(height).length).toBeLessThan(height);
    expect(failures(60)).toBe(10);
    expect(failures(60)).toBeGreaterThan(failures(30));
    expect(failures(5)).toBeGreaterThanOrEqual(2);
  });

  test("what the run took gives way to its name beside the verdict", () => {
    const first = (width: number) => renderTerminal(scenes["five of 48 fail"]!(), { width }).split("\n")[0];
    expect(first(60)).toBe("5 of 48 questions fail   0.4 s, $0, run 2026-11-15-a");
    expect(first(50)).toBe("5 of 48 questions fail   run 2026-11-15-a");
  });

  test("names of skills give way before the names of columns do", () => {
    const asked = positive("q", "a-skill-with-a-name-that-says-very-much", { prompt: "p" });
    const open = positive("open", "a-skill-with-a-name-that-says-very-much", { prompt: "other" });
    const lines = [header({ targets: [haiku] }), asked, open, trial(asked, 1, fired(asked.skill!)), footer];
    const [head = ""] = renderTerminal(score(lines), { width: 66 }).match(/^skill .*$/m) ?? [];
    expect(head).toMatch(/^skill +passed +recall \[95 %\] +false positives +no verdict$/);
  });

  test("the rows of the table add up to the library's, with the questions that belong to no single skill", () => {
    const [own, nobody] = [positive("own", "a"), negative("none", "a", { skill: undefined, forbidden: ["a", "b"] })];
    const lines = [
      header({ targets: [embedded] }),
      own,
      nobody,
      trial(own, 1, fired("a"), { target: embedded.id }),
      trial(nobody, 1, fired("a"), { target: embedded.id }),
      footer,
    ];
    const screen = renderTerminal(score(lines), { width: 100 });
    expect(screen).toMatch(/\na +1 of 1 .*\nno single skill +0 of 1\s*\nlibrary +1 of 2 /);
  });

  test("a prompt that is cut says so, inside its quotation marks and the width", () => {
    const question = negative("q", "refund", { prompt: "every word of it counts ".repeat(40) });
    const lines = [
      header({ targets: [embedded] }),
      question,
      trial(question, 1, fired("refund"), { target: embedded.id }),
      footer,
    ];
    const screen = renderTerminal(score(lines), { width: 80 }).split("\n");
    expect(screen.some((line) => /^ {4}every .* …"$/.test(line))).toBe(true);
    expect(Math.max(...screen.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("quiet shows only what is wrong", () => {
    expect(renderTerminal(scenes["all pass"]!(), { quiet: true })).toBe("all 48 questions pass (predicted)\n");
  });

  test("has colours only when asked", () => {
    expect(renderTerminal(scenes["five of 48 fail"]!(), { color: true })).toContain("\x1b[");
  });
});

describe("text that others wrote", () => {
  const nasty = "\x1b]0;title\x07\x1b[31mred\r\nnext\u202eline\u0007 `rm -rf`$(x)";

  test("cannot move the cursor, recolour, or put a command into the next line", () => {
    const question = positive("q", "a\x1b[2J", { prompt: nasty, source: { file: "evil\x1b[1m.yaml", line: 3 } });
    const screen = renderTerminal(
      score([header({ targets: [embedded] }), question, trial(question, 1, [], { target: embedded.id }), footer]),
      {
        verbose: true,
      },
    );
    expect(screen).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(screen).not.toContain("proctor route");
  });

  test("is quoted for a shell where a command carries it", () => {
    const question = positive("q", "a", { prompt: 'what\'s "$(id)" `x`?' });
    const screen = renderTerminal(
      score([header({ targets: [embedded] }), question, trial(question, 1, [], { target: embedded.id }), footer]),
    );
    expect(screen).toContain(`proctor route 'what'\\''s "$(id)" \`x\`?'`);
  });

  test("whatever it is, the screen holds its width and no control code", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 120 }),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
        (prompt, skill) => {
          const questions = [positive("p", skill, { prompt }), negative("n", skill, { prompt })];
          const lines = questions.map((question) =>
            trial(question, 1, question.positive ? [] : fired(skill), { target: embedded.id }),
          );
          const screen = renderTerminal(score([header({ targets: [embedded] }), ...questions, ...lines]), {
            width: 80,
          });
          expect(screen).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
          for (const line of screen.split("\n"))
            if (!/^(next:| {2}or )/.test(line)) expect(displayWidth(line)).toBeLessThanOrEqual(80);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("is cut at whole characters, by the columns it takes", () => {
    expect(truncate("返品の期限", 7)).toBe("返品の…");
    expect(truncate("e\u0301e\u0301e\u0301e\u0301", 3)).toBe("e\u0301e\u0301…");
    expect(displayWidth(pad("📦📦📦", 10))).toBe(10);
  });
});

test.each([
  [
    ["order-status", "refund-policy", "(none)"],
    ["order", "refund", "none"],
  ],
  [
    ["go-style", "go-docs"],
    ["style", "docs"],
  ],
  [
    ["plugin:lint", "plugin:format"],
    ["lint", "format"],
  ],
  [
    ["team-search-helper-1", "team-search-helper-12"],
    ["helper-1", "helper-12"],
  ],
])("short names of %j are %j", (names, short) => {
  expect(shortNames(names, 12)).toEqual(short);
});

test("short names are never two alike", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-c]{1,3}(-[a-c]{1,9}){0,4}$/), { maxLength: 12 }), (names) => {
      expect(new Set(shortNames(names, 10)).size).toBe(names.length);
    }),
  );
});

describe("reporters", () => {
  test("are named on the command line, with a file or without", () => {
    expect(parseReporters("terminal, json=out/a=b.json")).toMatchObject([
      { name: "terminal" },
      { name: "json", file: "out/a=b.json" },
    ]);
  });

  test("that do not exist are refused with the nearest name", () => {
    expect(() => parseReporters("jsn")).toThrow(/no reporter "jsn"/);
    expect(() => renderReport("pdf", scenes["all pass"]!())).toThrow(/no reporter/);
  });
});

test("where all would not fit on a screen, skills without a failure share a row, and --verbose has each", () => {
  const names = Array.from({ length: 14 }, (_, index) => `skill-${index}`);
  const scores = scene({ skills: names, wrong: 4 });
  const rows = renderTerminal(scores).split("\n");
  expect(rows).toContainEqual(expect.stringMatching(/^10 others +80 of 80$/));
  expect(rows.filter((line) => /^skill-\d+ /.test(line))).toHaveLength(4);
  expect(renderTerminal(scores, { verbose: true }).match(/^skill-\d+ +\d of 8/gm)).toHaveLength(14);
});
