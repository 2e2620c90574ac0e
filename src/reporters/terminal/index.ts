import picocolors from "picocolors";
import { agreementOf } from "../../history/index.ts";
import type { QuestionScore, Scores } from "../../model/index.ts";
import type { RenderOptions, Reporter } from "../reporter.ts";
import { liftLines, neverLoadedLines, uncheckedLines } from "./cases.ts";
import { besideLines, causeLines } from "./causes.ts";
import { sinceLines } from "./changes-since.ts";
import { checkText } from "./check.ts";
import { compareTerminal } from "./compare.ts";
import { matrixLines } from "./confusion-matrix.ts";
import { failureLines } from "./failures.ts";
import { nextLines } from "./next-step.ts";
import { noVerdictLines, unsureLines } from "./no-verdict.ts";
import type { ReportScreen, Room } from "./screen.ts";
import { skillLines } from "./skills.ts";
import { attemptLines, gateLines, targetLines } from "./targets.ts";
import { noteLines, totalLines } from "./totals.ts";
import { headLines, notWholeLines, verdictLines } from "./verdict.ts";

export const terminal: Reporter = {
  name: "terminal",
  about: "for people: what failed and why, scores, which skills are confused",
  render: renderTerminal,
  compare: compareTerminal,
  check: checkText,
};

export function renderTerminal(given: Scores, options: RenderOptions = {}): string {
  const scores = options.base === undefined ? given : seenFrom(given, options.base);
  const screen: ReportScreen = {
    colors: picocolors.createColors(options.color ?? false),
    width: Math.min(200, Math.max(40, options.width ?? 100)),
    verbose: options.verbose ?? false,
    record: options.record,
    base: options.base,
    paths: options.paths,
    config: options.config,
    workers: options.workers,
    since: options.since ?? [],
    better: options.better,
  };
  const whole = screenText(scores, screen, options);
  if (screen.verbose || options.quiet) return whole;
  // The shell prompt needs a line below the report, or the verdict scrolls off the top.
  const terminal = options.height === undefined ? undefined : Math.max(ONE_SCREEN, options.height) - 1;
  const fits = (text: string, lines: number) => text.trimEnd().split("\n").length <= lines;
  if (fits(whole, terminal ?? ONE_SCREEN)) return whole;
  const tighter = ROOMS.map((room) => screenText(scores, { ...screen, room }, options));
  return tighter.find((text) => fits(text, terminal ?? ONE_PAGE)) ?? tighter.at(-1) ?? whole;
}

/** Lines of a default terminal. */
const ONE_SCREEN = 24;
/** Lines that count as one screen if the output is a file. */
const ONE_PAGE = 40;
/** Layouts from roomy to tight: the first that fits is used, otherwise the last. */
const ROOMS: readonly Room[] = [
  { failureLines: 40, promptLines: 3, skills: 15 },
  { failureLines: 22, promptLines: 2, skills: 8 },
  { failureLines: 18, promptLines: 2, skills: 6 },
  { failureLines: 12, promptLines: 2, skills: 5 },
  { failureLines: 12, promptLines: 2, skills: 5, brief: true },
  { failureLines: 9, promptLines: 2, skills: 3, brief: true },
  { failureLines: 6, promptLines: 2, skills: 2, brief: true },
];

function screenText(scores: Scores, screen: ReportScreen, { quiet, notes = [] }: RenderOptions): string {
  const verdict = [...notWholeLines(scores, screen), ...verdictLines(scores, screen, quiet)];
  const wrong = [failureLines(scores, screen), noVerdictLines(scores, screen), gateLines(scores, screen)];
  const parts = quiet
    ? [verdict, ...wrong]
    : [
        [...verdict, ...headLines(scores, screen)],
        ...wrong,
        targetLines(scores, screen),
        attemptLines(scores, screen),
        noteLines(notes, agreementOf(notes, scores), screen.width),
        skillLines(scores, screen),
        [...uncheckedLines(scores, screen), ...neverLoadedLines(scores, screen), ...liftLines(scores, screen)],
        ...(screen.verbose ? scores.targets.map((target) => matrixLines(target, scores, screen)) : []),
        causeLines(scores, screen),
        sinceLines(scores, screen),
        [
          ...besideLines(scores, screen),
          ...unsureLines(scores, screen),
          ...totalLines(scores, screen),
          ...nextLines(scores, screen),
        ],
      ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function seenFrom(scores: Scores, base: string): Scores {
  const moved = (question: QuestionScore) => ({
    ...question,
    source: { ...question.source, file: `${base}/${question.source.file}` },
  });
  return {
    ...scores,
    targets: scores.targets.map((target) => ({ ...target, questions: target.questions.map(moved) })),
  };
}
