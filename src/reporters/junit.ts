import type { ComparedRuns } from "../history/index.ts";
import type { QuestionScore, Scores, TargetScores } from "../model/index.ts";
import { type Checked, shownPath } from "./checked.ts";
import type { Reporter } from "./reporter.ts";
import { inconclusiveNow, notWholeSides } from "./text/comparison.ts";
import { askedElsewhere, notWholeTexts, titleOf } from "./text/questions.ts";

export const junit: Reporter = {
  name: "junit",
  about: "for CI systems: a test suite per skill and target (JUnit XML)",
  render: renderJunit,
  compare: compareJunit,
  check: checkJunit,
};

interface JUnitSuite {
  name: string;
  at?: string;
  tests: Test[];
}

interface Test {
  name: string;
  group: string;
  seconds?: number;
  outcome:
    | { type: "passed" }
    | { type: "failure" | "error" | "skipped"; kind: string; message: string; detail: string };
}

function renderJunit(scores: Scores): string {
  const elsewhere = askedElsewhere(scores);
  const suites = scores.targets.flatMap((target) => {
    const bySkill = new Map<string, QuestionScore[]>();
    for (const question of target.questions.filter(({ id, status }) => status !== "skipped" || !elsewhere.has(id))) {
      const skill = question.skill ?? "library";
      const known = bySkill.get(skill);
      if (known === undefined) bySkill.set(skill, [question]);
      else known.push(question);
    }
    const seconds = target.trials.perTrial.ms === null ? 0 : target.trials.perTrial.ms / 1000;
    return [...bySkill].map(
      ([skill, questions]): JUnitSuite => ({
        name: `${skill} on ${target.id}`,
        at: scores.run.startedAt,
        tests: questions.map((question) => testOf(question, skill, target, seconds)),
      }),
    );
  });
  return documentOf(scores.run.library.name, [...notWhole(notWholeTexts(scores.run), scores.run.startedAt), ...suites]);
}

function notWhole(texts: readonly string[], at: string): JUnitSuite[] {
  const [message] = texts;
  if (message === undefined) return [];
  const outcome = { type: "error", kind: "not whole", message, detail: texts.join("\n") } as const;
  return [{ name: "the record", at, tests: [{ name: "the record is whole", group: "proctor", outcome }] }];
}

function testOf(question: QuestionScore, skill: string, target: TargetScores, seconds: number): Test {
  return {
    name: nameOf(question),
    group: `${target.id}.${skill}`,
    seconds: seconds * question.trials,
    outcome: outcomeOf(question, target),
  };
}

/** Unique, because CI systems merge reports by name. */
function nameOf(question: QuestionScore): string {
  const text = titleOf(question).replace(/\s+/g, " ").trim();
  return `${text.length > 200 ? `${text.slice(0, 200)}…` : text} (${question.id})`;
}

function outcomeOf(question: QuestionScore, { deterministic }: TargetScores): Test["outcome"] {
  const { verdict, status, why = "", reason = "", source, hits, measured, errors, cause = "check", draft } = question;
  const place = source.line === undefined ? source.file : `${source.file}:${source.line}`;
  const fired = question.fired
    .map(({ skill, evidence, turn, trials }) => `${skill} ${evidence} on turn ${turn} in ${trials}`)
    .join("; ");
  const detail = [
    why,
    ...(deterministic ? [] : [`${hits} hits in ${measured} runs`]),
    ...(fired === "" ? [] : [`fired: ${fired}`]),
    `expected: ${question.expected.join(" + ") || (question.kind === "case" ? "its checks pass" : "no such skill fires")}`,
    place,
  ].join("\n");
  if (status === "skipped") return { type: "skipped", kind: "skipped", message: reason, detail };
  if (status === "invalid") return { type: "error", kind: "invalid", message: reason, detail };
  switch (verdict) {
    case "pass":
      return draft
        ? { type: "skipped", kind: "draft", message: "it passes, but nobody has reviewed it", detail }
        : { type: "passed" };
    case "fail":
      return { type: "failure", kind: cause, message: why, detail };
    case "unsure":
      return { type: "skipped", kind: "unsure", message: why || "the target cannot tell", detail };
    case "inconclusive":
      return {
        type: "error",
        kind: status === "not asked" ? "not asked" : errors > 0 ? "error" : "no verdict",
        message: why,
        detail,
      };
  }
}

function compareJunit(compared: ComparedRuns): string {
  const { targets, now } = compared;
  const suites = targets.map(({ comparison }): JUnitSuite => {
    const tests = (questions: readonly QuestionScore[], outcome: (question: QuestionScore) => Test["outcome"]) =>
      questions.map((question) => ({
        name: nameOf(question),
        group: `${comparison.target}.${question.skill ?? "library"}`,
        outcome: outcome(question),
      }));
    return {
      name: `changes on ${comparison.target}`,
      at: now.scores.run.startedAt,
      tests: [
        ...tests(comparison.worsened, ({ why = "", source, cause = "check" }) => ({
          type: "failure",
          kind: cause,
          message: `passed before: ${why}`,
          detail: `${why}\n${source.file}:${source.line ?? 1}`,
        })),
        ...tests(comparison.unaskable, ({ reason = "", source }) => ({
          type: "error",
          kind: "invalid",
          message: `can no longer be asked: ${reason}`,
          detail: `${reason}\n${source.file}:${source.line ?? 1}`,
        })),
        ...tests(inconclusiveNow(comparison), ({ why = "", source }) => ({
          type: "error",
          kind: "no verdict",
          message: `passed before, and has no verdict now: ${why}`,
          detail: `${why}\n${source.file}:${source.line ?? 1}`,
        })),
        ...tests(comparison.improved, () => ({ type: "passed" })),
      ],
    };
  });
  return documentOf(now.scores.run.library.name, [
    ...notWhole(notWholeSides(compared), now.scores.run.startedAt),
    ...suites,
  ]);
}

/** A test per file with problems; only errors fail it. */
function checkJunit({ problems, cwd }: Checked): string {
  const files = new Map<string, Checked["problems"]>();
  for (const problem of problems)
    files.set(problem.location.file, [...(files.get(problem.location.file) ?? []), problem]);
  const tests = [...files].map(([file, own]): Test => {
    const errors = own.filter(({ severity }) => severity === "error");
    const lines = own.map(
      ({ location, code, message }) => `${shownPath(file, cwd)}:${location.line ?? 1} ${code} ${message}`,
    );
    const [first] = errors;
    return {
      name: shownPath(file, cwd),
      group: "proctor.check",
      outcome:
        first === undefined
          ? { type: "passed" }
          : { type: "failure", kind: first.code, message: first.message, detail: lines.join("\n") },
    };
  });
  return documentOf("proctor check", tests.length === 0 ? [] : [{ name: "proctor check", tests }]);
}

function documentOf(name: string, suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ tests }) => tests);
  const counts = (tests: readonly Test[]) => {
    const count = (type: Test["outcome"]["type"]) => tests.filter(({ outcome }) => outcome.type === type).length;
    return `tests="${tests.length}" failures="${count("failure")}" errors="${count("error")}"`;
  };
  const skipped = (tests: readonly Test[]) => tests.filter(({ outcome }) => outcome.type === "skipped").length;
  const seconds = (tests: readonly Test[]) => tests.reduce((sum, test) => sum + (test.seconds ?? 0), 0).toFixed(3);
  const lines = suites.flatMap(({ name: suite, tests, at }) => [
    `  <testsuite name="${asXml(suite)}" ${counts(tests)} skipped="${skipped(tests)}" time="${seconds(tests)}"${at === undefined ? "" : ` timestamp="${asXml(at.slice(0, 19))}"`}>`,
    ...tests.map(testLine),
    "  </testsuite>",
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${asXml(name)}" ${counts(all)} time="${seconds(all)}">\n${lines.map((line) => `${line}\n`).join("")}</testsuites>\n`;
}

function testLine({ name, group, seconds = 0, outcome }: Test): string {
  const start = `    <testcase name="${asXml(name)}" classname="${asXml(group)}" time="${seconds.toFixed(3)}"`;
  if (outcome.type === "passed") return `${start}/>`;
  const { type, kind, message, detail } = outcome;
  const body =
    type === "skipped"
      ? `<skipped message="${asXml(`${kind}: ${message}`)}"/>`
      : `<${type} type="${asXml(kind)}" message="${asXml(message)}">${asXml(detail).replaceAll("&#10;", "\n")}</${type}>`;
  return `${start}>${body}</testcase>`;
}

/** Replaces characters that XML cannot contain with visible ones. */
function asXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\n", "&#10;");
}
