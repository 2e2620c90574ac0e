import picocolors from "picocolors";
import { displayWidth } from "../../base/index.ts";
import type { QuestionScore, Scores } from "../../model/index.ts";
import { oneLine, pad, truncate, wrap } from "../text/fit-text.ts";
import { rateText } from "../text/numbers.ts";
import { titleOf } from "../text/questions.ts";
import type { ReportScreen } from "./screen.ts";

const MOST_SHOWN = 10;
const LEAST_SHOWN = 2;
const MOST_PROMPT_LINES = 3;

interface Failure {
  question: QuestionScore;
  on: FailedOn[];
}

interface FailedOn {
  target: string;
  deterministic: boolean;
  question: QuestionScore;
}

export function failureLines(scores: Scores, screen: ReportScreen): string[] {
  const failures = failuresOf(scores);
  const blocks = shownBlocks(failures, scores, screen);
  const more = failures.length - blocks.length;
  return more > 0 ? [...blocks.flat(), screen.colors.dim(`… and ${more} more: --verbose shows all`)] : blocks.flat();
}

export function leavesFailuresOut(scores: Scores, screen: ReportScreen): boolean {
  const failures = failuresOf(scores);
  return shownBlocks(failures, scores, screen).length < failures.length;
}

function shownBlocks(failures: Failure[], { targets }: Scores, screen: ReportScreen): string[][] {
  const { verbose, room, width } = screen;
  const first = verbose ? failures : failures.slice(0, MOST_SHOWN);
  const columns = columnsFor(first, width);
  const blocks = first.map((failure) => blockOf(failure, columns, targets.length > 1, screen));
  if (verbose || room === undefined) return blocks;
  let lines = 0;
  const beyond = blocks.findIndex((block, index) => {
    lines += block.length;
    return index >= LEAST_SHOWN && lines > room.failureLines;
  });
  return beyond < 0 ? blocks : blocks.slice(0, beyond);
}

export function failureText(
  target: string,
  question: QuestionScore,
  options: { color: boolean; width: number },
): string[] {
  const failure = { question, on: [{ target, deterministic: question.rate.low === null, question }] };
  const { color, width } = options;
  return blockOf(failure, columnsFor([failure], width), true, {
    colors: picocolors.createColors(color),
    width,
    verbose: false,
  });
}

export function failuresOf({ targets }: Scores): Failure[] {
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
  const certainty = ({ on }: Failure) => Math.max(...on.map(({ question }) => question.certainty ?? 0));
  return [...byId.values()].sort(
    (a, b) => b.on.length - a.on.length || certainty(b) - certainty(a) || position(a) - position(b),
  );
}

interface Columns {
  skill: number;
  wanted: number;
}

function columnsFor(all: Failure[], width: number): Columns {
  const widest = (text: (question: QuestionScore) => string) =>
    Math.max(0, ...all.map(({ question }) => displayWidth(text(question))));
  return {
    skill: Math.min(24, Math.floor(width * 0.22), widest(subject)),
    wanted: Math.min(28, Math.floor(width * 0.3), widest(expectation)),
  };
}

/**
 * Shows the whole prompt, beside the skill if it fits, otherwise below. A location is never cut, because terminals turn
 * it into a link.
 */
function blockOf(
  { question, on }: Failure,
  columns: Columns,
  several: boolean,
  { colors, width, verbose, room: given }: Pick<ReportScreen, "colors" | "width" | "verbose" | "room">,
): string[] {
  const mark = colors.red("✗");
  const prompt = `"${oneLine(titleOf(question))}"`;
  const name = pad(subject(question), columns.skill);
  const wanted = pad(expectation(question), columns.wanted);
  const why = on.map((entry) => whyText(entry, several));
  const indented = (lines: string[]) => lines.map((line) => colors.dim(`    ${line}`));
  const room = width - 4;
  if (displayWidth(`✗ ${name}  ${wanted}  ${prompt}`) <= width)
    return [`${mark} ${colors.bold(name)}  ${wanted}  ${prompt}`, ...indented(withPlace(why, place(question), room))];
  const below = promptBelow(prompt, width, verbose ? Number.POSITIVE_INFINITY : given?.promptLines);
  const head = `✗ ${name}  ${wanted}`;
  const beside = displayWidth(head) + displayWidth(place(question)) + 2 <= width;
  const first = `${mark} ${truncate(`${subject(question)}  ${expectation(question)}`, width - 2)}`;
  if (beside)
    return [
      `${mark} ${colors.bold(name)}  ${wanted}  ${colors.dim(place(question))}`,
      ...below,
      ...indented(why.flatMap((text) => wrap(text, room))),
    ];
  return [first, ...below, ...indented(withPlace(why, place(question), room))];
}

export function promptBelow(prompt: string, width: number, most = MOST_PROMPT_LINES): string[] {
  const room = width - 4;
  const whole = wrap(prompt, room);
  const cut =
    whole.length <= most ? whole : [...whole.slice(0, most - 1), `${wrap(whole[most - 1] ?? "", room - 3)[0]} …"`];
  return cut.map((line) => `    ${truncate(line, room)}`);
}

export function withPlace(why: string[], at: string, room: number): string[] {
  const lines = why.flatMap((text) => wrap(text, room));
  const last = lines.at(-1);
  if (last === undefined || displayWidth(last) + displayWidth(at) + 2 > room) return [...lines, ...wrap(at, room)];
  return [...lines.slice(0, -1), `${last}  ${at}`];
}

function whyText({ target, deterministic, question }: FailedOn, several: boolean): string {
  const interval = rateText(question.rate).replace(/^\S+ /, "");
  const hits = deterministic ? "" : `${hitWord(question)} ${question.hits} of ${question.measured} ${interval}. `;
  return `${several ? `${oneLine(target)}: ` : ""}${hits}${oneLine(question.why ?? "")}`.trim();
}

/** A question that expects a sibling is right if the sibling fires and its own skill does not. */
function hitWord({ kind, role, positive }: QuestionScore): string {
  if (kind === "case") return "passed";
  return role === "positive" ? "hit" : positive ? "right" : "fired";
}

export function subject(question: QuestionScore): string {
  return oneLine(question.skill ?? "library");
}

function expectation(question: QuestionScore): string {
  if (question.kind === "case") return "should pass its checks";
  const names = question.expected.map(oneLine).join(" + ");
  if (question.role === "positive")
    return question.expected.length === 1 && question.expected[0] === question.skill
      ? "should activate"
      : `should activate ${names}`;
  const itself = question.fired.some(({ skill }) => skill === question.skill);
  if (question.positive && !itself) return `should go to ${names}`;
  return question.skill === undefined ? "no skill should fire" : "should stay silent";
}

export function place({ source }: QuestionScore): string {
  return oneLine(source.line === undefined ? source.file : `${source.file}:${source.line}`);
}
