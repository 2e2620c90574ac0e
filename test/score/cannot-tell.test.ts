import { expect, test } from "vitest";
import {
  agreement,
  compareRuns,
  compareTargets,
  evaluateGates,
  exitCode,
  parseGate,
  sureText,
} from "../../src/exam/score/index.ts";
import type { Prediction, Ranked } from "../../src/model/index.ts";
import { renderTerminal } from "../../src/reporters/index.ts";
import { claimText, isDoubtful } from "../../src/reporters/text/comparison.ts";
import { embedded, fired, footer, header, negative, positive, score, trial } from "./build.ts";

const ranked = (skill: string, verdict: Ranked["verdict"], value = 0.5): Ranked => ({
  skill,
  score: value,
  probability: value,
  verdict,
  words: ["parcel"],
});
const predicts = (ranking: Ranked[], more: Partial<Prediction> = {}): Prediction => ({
  ranking,
  needs: 0.8,
  silentBelow: 0.2,
  ...more,
});
const open = { score: null, passed: null, message: "cannot tell whether s would fire" };

const [right, wrong, weak, near, foreign] = [
  positive("right", "s"),
  positive("wrong", "s"),
  positive("weak", "s"),
  negative("near", "s"),
  positive("foreign", "s"),
] as const;

const told = [
  trial(right, 1, fired("s"), { target: "embedded", prediction: predicts([ranked("s", "fires")]) }),
  trial(wrong, 1, fired("t"), {
    target: "embedded",
    prediction: predicts([ranked("t", "fires", 0.9), ranked("s", "silent", 0.1)]),
  }),
];
const untold = [
  trial(weak, 1, [], {
    target: "embedded",
    prediction: predicts([ranked("s", "uncertain", 0.44)]),
    checks: [{ question: weak.id, ...open }],
  }),
  trial(near, 1, [], {
    target: "embedded",
    prediction: predicts([ranked("t", "uncertain", 0.61), ranked("s", "uncertain", 0.6)]),
    checks: [{ question: near.id, ...open }],
  }),
  trial(foreign, 1, [], {
    target: "embedded",
    prediction: predicts([], { unsure: "language" }),
    checks: [{ question: foreign.id, ...open }],
  }),
];
const head = header({ targets: [embedded], skills: ["s", "t"] });
const questions = [right, wrong, weak, near, foreign];
const scores = score([head, ...questions, ...told, ...untold, footer]);
const [target] = scores.targets;

test("what it cannot tell has a verdict of its own, with the reason, and is in no rate", () => {
  expect(target!.questions.map(({ verdict }) => verdict)).toEqual(["pass", "fail", "unsure", "unsure", "unsure"]);
  expect(target!.questions.map(({ unsure }) => unsure)).toEqual([undefined, undefined, "weak", "near", "language"]);
  expect(target!.questions[2]!.why).toBe(
    "Cannot tell: s 0.44; too little to go by (a skill fires from 0.80, and is silent below 0.20).",
  );
  expect(target!.questions[4]!.why).toBe("Cannot tell: the prompt is not in the language of the cards.");
  expect(target!.total.score).toMatchObject({ value: 0.5, n: 2 });
  expect(target!.total.recall).toMatchObject({ value: 0.5, n: 2 });
  expect(target!.total.fpr).toMatchObject({ value: null, n: 0 });
  expect(target!.total.coverage).toEqual({
    planned: 5,
    verdicts: 2,
    skipped: 0,
    missing: { invalid: 0, notAsked: 0, errors: 0, undecided: 0, unsure: 3 },
  });
  expect(target!.unsure).toEqual([
    { reason: "language", questions: 1 },
    { reason: "near", questions: 1 },
    { reason: "weak", questions: 1 },
  ]);
});

test("the matrix has a column for it, and nobody is accused of taking such a prompt", () => {
  expect(target!.confusion.cells).toContainEqual({ expected: "s", fired: "(cannot tell)", trials: 2, wrong: 0 });
  expect(target!.confusion.cells.some(({ fired }) => fired === "(none)")).toBe(false);
  expect(target!.steals).toEqual([{ thief: "t", victim: "s", prompts: 1, trials: 1 }]);
  const beaten = trial(weak, 1, fired("t"), {
    target: "embedded",
    prediction: predicts([ranked("t", "fires", 0.9), ranked("s", "uncertain", 0.6)]),
    checks: [{ question: weak.id, ...open }],
  });
  expect(score([head, weak, beaten, footer]).targets[0]!.steals).toEqual([]);
});

test("it is no missing verdict for the exit code, unless nothing at all could be told", () => {
  expect(exitCode(score([head, right, weak, told[0]!, untold[0]!, footer]))).toBe(0);
  expect(exitCode(score([head, weak, untold[0]!, footer]))).toBe(3);
  expect(exitCode(score([head, right, weak, told[0]!, footer]))).toBe(3);
  expect(exitCode(score([head, right, weak, ...told.slice(0, 1), untold[0]!, footer], { allowPredicted: true }))).toBe(
    0,
  );
  expect(exitCode(score([head, ...questions, ...told, ...untold, footer], { allowPredicted: true }))).toBe(1);
});

test("a gate holds for what can be told, and says what it leaves out; coverage counts it as missing", () => {
  const of = (text: string) => evaluateGates(scores, [parseGate(text)])[0]!;
  expect(of("recall>=0.5")).toMatchObject({
    status: "met",
    message: "recall is 0.50 over 2 questions, the gate is >= 0.5; 3 it cannot tell are left out",
  });
  expect(of("coverage>=0.5")).toMatchObject({ status: "breached", value: 0.4 });
  const none = score([head, weak, untold[0]!, footer]);
  expect(evaluateGates(none, [parseGate("recall>=0")])[0]).toMatchObject({
    status: "unmeasured",
    message: "recall was not measured; 1 it cannot tell is left out",
  });
});

test("two targets agree or differ only on what both can tell, and so do two runs", () => {
  const both = score([
    header({ targets: [embedded, { ...embedded, id: "claude:haiku", predicted: false }], skills: ["s", "t"] }),
    ...questions,
    ...told,
    ...untold,
    ...questions.map((question) => trial(question, 1, [])),
    footer,
  ]);
  expect(agreement(both, "embedded", "claude:haiku")).toMatchObject({ n: 2 });
  const earlier = score([
    head,
    ...questions,
    ...told,
    ...untold.slice(1),
    trial(weak, 1, fired("s"), { target: "embedded" }),
    footer,
  ]);
  const compared = compareRuns(earlier, scores, "embedded");
  expect(compared).toMatchObject({ worsened: [], improved: [] });
});

test("a run says what has become of what could not be told, as compare does, though no verdict has changed", () => {
  const sees = score([
    head,
    ...questions,
    ...told,
    ...untold.slice(1),
    trial(weak, 1, fired("s"), { target: "embedded" }),
    footer,
  ]);
  const since = (before: typeof scores, now: typeof scores) =>
    renderTerminal(now, {
      width: 200,
      since: [{ run: "r", edited: ["s"], target: [], options: [], comparison: compareRuns(before, now, "embedded")! }],
    });
  const better = since(scores, sees);
  expect(better).toContain(
    'since r (edited since: s): 1 that was "cannot tell" now passes; the same verdicts on all 2 questions with a verdict in both\n',
  );
  expect(better).toMatch(/^ {2}now passes: "query weak"/m);
  const worse = since(sees, scores);
  expect(worse).toContain(
    'since r (edited since: s): 1 that passed is now "cannot tell"; the same verdicts on all 2 questions',
  );
  expect(worse).toMatch(/^ {2}now "cannot tell": "query weak"/m);
  const nothing = score([head, weak, untold[0]!, footer]);
  const all = score([head, weak, trial(weak, 1, fired("s"), { target: "embedded" }), footer]);
  expect(since(nothing, all)).toContain('since r (edited since: s): 1 that was "cannot tell" now passes\n');
});

test("a record from before says what it said: a doubtful skill was silent, and its question failed", () => {
  const before = trial(weak, 1, [], {
    target: "embedded",
    prediction: { ranking: [ranked("s", "uncertain", 0.5)], needs: 0.58 },
  });
  const [old] = score([head, weak, before, footer]).targets;
  expect(old!.questions[0]).toMatchObject({ verdict: "fail", unsure: undefined });
});

test("what a cheap target's word is worth: how often the other fails, given what it says, with n and interval", () => {
  const agent = { ...embedded, id: "claude:haiku", kind: "agent", predicted: false };
  const both = score([
    header({ targets: [embedded, agent], skills: ["s", "t"] }),
    ...questions,
    ...told,
    ...untold,
    trial(right, 1, fired("s")),
    trial(wrong, 1, fired("t")),
    trial(weak, 1, fired("s")),
    trial(near, 1, fired("s")),
    trial(foreign, 1, fired("s")),
    footer,
  ]);
  const { secondFails } = agreement(both, "embedded", "claude:haiku")!;
  expect(secondFails.givenFail).toMatchObject({ value: 1, n: 1 });
  expect(secondFails.givenPass).toMatchObject({ value: 0, n: 1 });
  expect(secondFails.givenUnsure).toMatchObject({ value: 1 / 3, n: 3 });
  expect(secondFails.givenUnsure.low).toBeLessThan(1 / 3);
  expect(secondFails.givenUnsure.high).toBeGreaterThan(1 / 3);
  expect(agreement(both, "claude:haiku", "embedded")!.secondFails.givenUnsure).toMatchObject({ value: null, n: 0 });
});

test("the sentence of a run: how much is sure, what that is worth, and how much is open", () => {
  const measured = { accuracyWhenSure: 0.91, collections: 22 };
  const told22 = { ...embedded, identity: { options: { measured }, deterministic: true } };
  const of = (lines: Parameters<typeof score>[0]) => sureText(score(lines).targets[0]!);
  const head22 = header({ targets: [told22], skills: ["s", "t"] });
  expect(of([head22, ...questions, ...told, ...untold, footer])).toBe(
    "sure about 2 of 5: right 9 times in 10 on 22 collections it had never seen; cannot tell for the other 3",
  );
  expect(of([head22, right, told[0]!, footer])).toBe(
    "sure about it: right 9 times in 10 on 22 collections it had never seen",
  );
  expect(of([head22, weak, untold[0]!, footer])).toBe("cannot tell");
  expect(of([head, right, told[0]!, footer])).toBeUndefined();
});

test("a comparison says what passed and can no longer be told, and what could not be told and passes or fails: it is no change of verdicts, and no silence either", () => {
  const passing = (line: typeof right) =>
    trial(line, 1, fired("s"), { target: "embedded", prediction: predicts([ranked("s", "fires")]) });
  const failing = (line: typeof right) =>
    trial(line, 1, fired("t"), {
      target: "embedded",
      prediction: predicts([ranked("t", "fires", 0.9), ranked("s", "silent", 0.1)]),
    });
  const open = (line: typeof right) =>
    trial(line, 1, [], {
      target: "embedded",
      prediction: predicts([ranked("s", "uncertain", 0.44)]),
      checks: [{ question: line.id, passed: null, score: null, message: "cannot tell" }],
    });
  const asked = [right, wrong, weak, foreign];
  const before = score([head, ...asked, passing(right), open(wrong), open(weak), failing(foreign), footer]);
  const now = score([head, ...asked, open(right), failing(wrong), passing(weak), open(foreign), footer]);
  const comparison = compareTargets(before.targets[0]!, now.targets[0]!, true);
  expect(comparison).toMatchObject({
    n: 0,
    worsened: [],
    leftOut: { unsure: 4 },
    unsure: { lost: [{ id: right.id }], fail: [{ id: wrong.id }], pass: [{ id: weak.id }] },
  });
  expect(isDoubtful(comparison)).toBe(true);
  expect(claimText({ comparison, changes: [], causes: [], regressions: [], visible: null })).toBe(
    'nothing to compare; 1 that passed is now "cannot tell", 1 that was "cannot tell" now fails, 1 that was "cannot tell" now passes',
  );
});

test("of a skill that no model may activate it says that, and not that its card lacks the words", () => {
  const line = header({ targets: [embedded], skills: ["s", "t"] });
  const [s, ...others] = line.library.skills;
  const closed = { ...line, library: { ...line.library, skills: [{ ...s!, modelInvocable: false }, ...others] } };
  const asked = trial(weak, 1, [], {
    target: "embedded",
    prediction: predicts([], { unsure: "nobody" }),
    checks: [{ question: weak.id, ...open }],
  });
  const [only] = score([closed, weak, asked, footer]).targets;
  expect(only!.unsure).toEqual([{ reason: "locked", questions: 1 }]);
  expect(only!.questions[0]!.why).toBe(
    "Cannot tell: s has disable-model-invocation, and hosts that honour it never offer it to a model.",
  );
  expect(renderTerminal(score([closed, weak, asked, footer]))).toContain(
    "cannot tell for 1: it is about skills that no model may activate",
  );
  const better = { target: "router:ollama/qwen3:8b", flags: [], what: "Ollama", costUsd: 0 };
  const next = renderTerminal(score([closed, weak, asked, footer]), { better });
  expect(next).toContain("next: proctor check   (no model may activate these skills)");
});

test("of a skill that is not in the ranking it claims no more than that: the ranking is cut", () => {
  const lost = trial(wrong, 1, fired("t"), { target: "embedded", prediction: predicts([ranked("t", "fires", 0.9)]) });
  const screen = renderTerminal(score([head, wrong, lost, footer]));
  expect(screen).toContain("t fires (0.90); s is not among the nearest. Shared: parcel.");
  expect(screen).toMatch(/^the only question fails\b/);
});

test("a score that would be enough, but rests on one word, is told as that", () => {
  const asked = trial(weak, 1, [], {
    target: "embedded",
    prediction: predicts([ranked("s", "uncertain", 0.84)], { unsure: "nobody" }),
    checks: [{ question: weak.id, ...open }],
  });
  const [only] = score([head, weak, asked, footer]).targets;
  expect(only!.questions[0]!.why).toBe('Cannot tell: the score of s (0.84) rests on one word of the prompt, "parcel".');
});

test("where the card excludes some of what the prompt names, the reason says so", () => {
  const excluded = positive("excluded", "s");
  const prediction = predicts([{ ...ranked("s", "uncertain", 0.9), excluded: true }, ranked("t", "silent", 0.1)]);
  const untold = trial(excluded, 1, [], {
    target: "embedded",
    prediction,
    checks: [{ question: excluded.id, ...open }],
  });
  const [only] = score([head, excluded, untold, footer]).targets;
  expect(only!.unsure).toEqual([{ reason: "excluded", questions: 1 }]);
  expect(only!.questions[0]!.why).toBe(
    "Cannot tell: s 0.90; its card says that it is not for some of what the prompt names.",
  );
});

test.each([40, 60, 80, 100])(
  "the line about them says how to list them, and is one, however narrow it is (%i columns)",
  (width) => {
    const lines = renderTerminal(scores, { width })
      .split("\n")
      .filter((line) => line.startsWith("cannot tell"));
    expect(lines).toEqual([expect.stringMatching(/^cannot tell for 3\b.*\(--verbose lists them\)$/)]);
  },
);

test("where nothing fails, the first next step lists them; with --verbose they are listed already", () => {
  const open = score([head, right, weak, near, told[0]!, ...untold.slice(0, 2), footer]);
  const list = "next: proctor report 2026-11-15-a --verbose   (lists the 2 it cannot tell)";
  const better = { target: "router:ollama/qwen3:8b", flags: [], what: "Ollama", costUsd: 0 };
  for (const who of [undefined, "nobody", better] as const) {
    expect(renderTerminal(open, { better: who })).toContain(`${list}\n  or  `);
    expect(renderTerminal(open, { better: who, verbose: true })).not.toContain("(lists the");
  }
  expect(renderTerminal(scores)).not.toContain("(lists the");
});

test("what fires beside the nearest has no turn, and a skill where it is expected is told as that", () => {
  const both = trial(right, 1, fired("t", "s"), {
    target: "embedded",
    prediction: predicts([ranked("t", "fires"), ranked("s", "fires")]),
  });
  const screen = renderTerminal(score([head, right, both, footer]), { verbose: true });
  expect(screen).toContain("fires beside a nearer skill: s, as expected ×1\n");
  expect(screen).not.toContain("later in a trial");
});

test("that another skill fires too, on a question that passes, is said where the suite says nothing of it", () => {
  const both = trial(right, 1, fired("s", "t"), {
    target: "embedded",
    prediction: predicts([ranked("s", "fires"), ranked("t", "fires")]),
  });
  const screen = (...lines: Parameters<typeof score>[0]) => renderTerminal(score([head, right, ...lines, footer]));
  expect(screen(both)).toContain("on the one that passes another skill fires too: proctor collisions\n");
  expect(screen(told[0]!)).not.toContain("another skill");
  const forbidden = { ...negative("forbidden", "t"), ask: right.ask };
  const checks = [
    ...both.checks,
    { question: forbidden.id, passed: false, score: 0, message: "t fired, but must not" },
  ];
  expect(screen(forbidden, { ...both, checks })).not.toContain("another skill");
  const fine = { ...positive("fine", "s"), expect: { ...right.expect!, also_fine: ["t"] } };
  expect(
    renderTerminal(
      score([head, fine, { ...both, ask: fine.ask, checks: [{ ...both.checks[0]!, question: fine.id }] }, footer]),
    ),
  ).not.toContain("another skill");
});
