import { count, displayWidth } from "../../base/index.ts";
import type { QuestionScore, Scores } from "../../scores/index.ts";
import { oneLine, pad, truncate, wrap } from "../text/fit-text.ts";
import { rateText } from "../text/numbers.ts";
import type { ReportScreen } from "./screen.ts";

/** Without --verbose. */
const MOST_SHOWN = 10;

/** A question, and the targets it failed on. */
interface Failure {
  question: QuestionScore;
  on: { target: string; deterministic: boolean; question: QuestionScore }[];
}

/** The headline, then every question that failed, with what fired instead and why. */
export function failureLines(scores: Scores, screen: ReportScreen): string[] {
  const failures = failuresOf(scores);
  const shown = screen.verbose ? failures : failures.slice(0, MOST_SHOWN);
  const several = scores.targets.length > 1;
  const columns = columnsFor(shown, screen.width);
  const lines = [...headline(scores, screen), ...shown.flatMap((failure) => blockOf(failure, columns, several, screen))];
  const more = failures.length - shown.length;
  if (more > 0) lines.push(screen.colors.dim(`… and ${more} more: --verbose shows all`));
  return lines;
}

function headline({ targets, plan }: Scores, { colors }: ReportScreen): string[] {
  if (plan.questions === 0) return [colors.yellow("Nothing was asked: no question is selected.")];
  const lines = targets
    .filter((target) => target.total.coverage.verdicts > 0)
    .map((target) => {
      const { verdicts, planned } = target.total.coverage;
      const failed = target.questions.filter((question) => question.verdict === "fail").length;
      const where = targets.length > 1 ? `${oneLine(target.id)}: ` : "";
      const { skipped } = target.total.coverage;
      const open = verdicts < planned ? `, ${planned - verdicts} without a verdict` : "";
      const left = skipped > 0 ? `, ${skipped} skipped` : "";
      const paint = failed > 0 ? colors.red : verdicts < planned ? colors.yellow : colors.green;
      return colors.bold(paint(`${where}${outcome(failed, verdicts, open !== "", target.predicted)}${open}${left}`));
    });
  return targets.some(hasFailure) ? [...lines, ""] : lines;
}

function outcome(failed: number, verdicts: number, incomplete: boolean, predicted: boolean): string {
  if (failed > 0) return `${failed} of ${count(verdicts, "question")} ${failed === 1 ? "fails" : "fail"}`;
  const all = verdicts === 1 ? "the only question" : `all ${count(verdicts, "question")}`;
  return `${all}${incomplete ? " with a verdict" : ""} ${verdicts === 1 ? "passes" : "pass"}${predicted ? " (predicted)" : ""}`;
}

function hasFailure(target: Scores["targets"][number]): boolean {
  return target.questions.some((question) => question.verdict === "fail");
}

/** One entry per question, with the targets it failed on. */
function failuresOf({ targets }: Scores): Failure[] {
  const byId = new Map<string, Failure>();
  for (const target of targets) {
    for (const question of target.questions) {
      if (question.verdict !== "fail") continue;
      const failure = byId.get(question.id) ?? { question, on: [] };
      failure.on.push({ target: target.id, deterministic: target.deterministic, question });
      byId.set(question.id, failure);
    }
  }
  const positions = new Map(targets[0]?.questions.map(({ id }, index) => [id, index]));
  const position = ({ question }: Failure) => positions.get(question.id) ?? positions.size;
  return [...byId.values()].sort((a, b) => position(a) - position(b));
}

function blockOf({ question, on }: Failure, columns: Columns, several: boolean, { colors, width }: ReportScreen): string[] {
  const { skill, wanted, where, query } = columns;
  const why = on.flatMap((entry) => whyLines(entry, several, width));
  if (columns.stacked) {
    const [prompt, at] = [`"${truncate(oneLine(question.prompt), width - 6)}"`, wrap(place(question), width - 4)];
    return [
      `${colors.red("✗")} ${truncate(`${subject(question)}  ${expectation(question)}`, width - 2)}`,
      `    ${prompt}`,
      ...[...at.map((line) => `    ${line}`), ...why].map((line) => colors.dim(line)),
    ];
  }
  const head = [
    colors.bold(pad(subject(question), skill)),
    pad(`"${truncate(oneLine(question.prompt), query - 2)}"`, query),
    where === 0 ? truncate(expectation(question), wanted) : pad(expectation(question), wanted),
    ...(where === 0 ? [] : [colors.dim(place(question))]),
  ];
  const below = where === 0 ? wrap(place(question), width - 4).map((line) => `    ${line}`) : [];
  return [`${colors.red("✗")} ${head.join("  ")}`, ...[...below, ...why].map((line) => colors.dim(line))];
}

/** A query cut shorter than this says too little, and gets a line of its own. */
const SHORTEST_QUERY = 30;

interface Columns {
  skill: number;
  wanted: number;
  where: number;
  query: number;
  /** There is no room for the query next to the other columns. */
  stacked: boolean;
}

/** The query gets the room the others leave. A place is never cut, since terminals turn it into a link; too long, it gets its own line. */
function columnsFor(all: Failure[], width: number): Columns {
  const widest = (text: (question: QuestionScore) => string) =>
    all.reduce((most, failure) => Math.max(most, displayWidth(text(failure.question))), 0);
  const skill = Math.min(24, Math.floor(width * 0.22), widest(subject));
  const wanted = Math.min(28, Math.floor(width * 0.3), widest(expectation));
  const room = width - skill - wanted - 6;
  const where = widest(place) + 2 <= room - 36 ? widest(place) : 0;
  const left = where === 0 ? room : room - where - 2;
  const longest = widest((question) => oneLine(question.prompt)) + 2;
  return { skill, wanted, where, query: Math.min(left, longest), stacked: left < SHORTEST_QUERY && longest > left };
}

function whyLines({ target, deterministic, question }: Failure["on"][number], several: boolean, width: number): string[] {
  const interval = rateText(question.rate).replace(/^\S+ /, "");
  const hits = deterministic ? "" : `${hitWord(question)} ${question.hits} of ${question.measured} ${interval}. `;
  const text = `${several ? `${oneLine(target)}: ` : ""}${hits}${oneLine(question.why ?? "")}`;
  return wrap(text.trim(), width - 4).map((line) => `    ${line}`);
}

/** A question that expects a sibling is right when the sibling fires and its own skill does not. */
function hitWord({ kind, role, positive }: QuestionScore): string {
  if (kind === "case") return "passed";
  return role === "positive" ? "hit" : positive ? "right" : "fired";
}

export function subject(question: QuestionScore): string {
  return oneLine(question.skill ?? "library");
}

/** What should have happened, as seen from the question's own skill. */
function expectation(question: QuestionScore): string {
  if (question.kind === "case") return "should pass its checks";
  const names = question.expected.map(oneLine).join(" + ");
  if (question.role === "positive")
    return question.expected.length === 1 && question.expected[0] === question.skill ? "should activate" : `should activate ${names}`;
  const itself = question.fired.some(({ skill }) => skill === question.skill);
  if (question.positive && !itself) return `should go to ${names}`;
  return question.skill === undefined ? "no skill should fire" : "should stay silent";
}

export function place({ source }: QuestionScore): string {
  return oneLine(source.line === undefined ? source.file : `${source.file}:${source.line}`);
}
