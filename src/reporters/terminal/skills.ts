import { count } from "../../base/index.ts";
import type { Rates, Scores, SkillScores, TargetScores } from "../../model/index.ts";
import { type Column, oneLine, table, widthOf, wrap } from "../text/fit-text.ts";
import { portionText, questionsText, rateText, shareText } from "../text/numbers.ts";
import { leavesFailuresOut } from "./failures.ts";
import type { ReportScreen } from "./screen.ts";

const MOST_SHOWN = 15;

export function skillLines(scores: Scores, screen: ReportScreen): string[] {
  const measured = scores.targets.filter((target) => target.total.coverage.verdicts > 0);
  const [first, ...others] = measured;
  if (first === undefined) return [];
  if (others.length === 0) return oneTarget(first, scores, screen);
  const lines = sideBySide(measured, screen);
  return screen.verbose
    ? [
        ...lines,
        ...measured.flatMap((target) => [
          "",
          screen.colors.bold(oneLine(target.id)),
          ...oneTarget(target, scores, screen),
        ]),
      ]
    : lines;
}

function oneTarget(target: TargetScores, scores: Scores, screen: ReportScreen): string[] {
  const { colors, width, verbose, room } = screen;
  const failing = target.skills.filter(({ score }) => score.value !== null && score.value < 1);
  const isShort = room !== undefined && failing.length > 0 && target.skills.length - failing.length > 1;
  const told = isShort ? failing : target.skills;
  const shown = verbose ? target.skills : chosen(told, (skill) => skill.score.value, room?.skills);
  const others = isShort ? target.skills.filter((skill) => !shown.includes(skill)) : [];
  const open = openTitle(target);
  const row = (name: string, rates: Rates, taken: string) => [
    name,
    passedText(rates),
    portionText(rates.recall),
    portionText(rates.fpr),
    ...(open === undefined ? [] : [openText(rates)]),
    taken,
  ];
  const whole =
    target.skills.length === 1 && target.questions.every(({ skill }) => skill !== undefined)
      ? []
      : [row("library", target.total, "")];
  const rest = others.length > 0 ? [othersRow(others, open !== undefined)] : [];
  const ownerless = ownerlessRow(target, open !== undefined);
  const rows = [
    ...shown.map((skill) => row(oneLine(skill.skill), skill, takesFrom(skill))),
    ...rest,
    ...ownerless,
    ...whole,
  ];
  const titles = [
    "skill",
    "passed",
    "recall [95 %]",
    "false positives",
    ...(open === undefined ? [] : [open]),
    "takes from",
  ];
  const columns = titles.map((title, index) => ({
    title,
    most: index === 0 ? Math.max(14, Math.floor(width * 0.25)) : 80,
  }));
  const taking = shown.filter((skill) => skill.takesFrom.length > 0);
  // The last column is dropped if it is empty or does not fit.
  const withTaken = taking.length > 0 && widthOf(columns, rows) <= width;
  const [cells, wide] = withTaken ? [rows, columns] : [rows.map((one) => one.slice(0, -1)), columns.slice(0, -1)];
  const heads = withNarrowNames(wide, cells, width);
  const alsoTold = withTaken || !(verbose || leavesFailuresOut(scores, screen)) ? [] : taking;
  return [
    ...finished(table(heads, cells, width), isShort ? 0 : told.length - shown.length, colors, {
      ownerless: ownerless.length,
      library: whole.length,
    }),
    ...[
      ...alsoTold.map((skill) => `${oneLine(skill.skill)} takes from ${takesFrom(skill)}`),
      ...(verbose ? [...precisionLine(target.total), ...promptsLine([target])] : []),
    ].flatMap((line) => wrap(line, width)),
  ];
}

/** On narrow terminals truncates skill names, which appear in full elsewhere, but never column titles. */
function withNarrowNames([first, ...others]: Column[], rows: string[][], width: number): Column[] {
  if (first === undefined) return [];
  const names = widthOf([first], rows);
  const over = widthOf([first, ...others], rows) - width;
  return over <= 0 ? [first, ...others] : [{ ...first, most: Math.max(8, names - over) }, ...others];
}

function othersRow(others: SkillScores[], hasOpen: boolean): string[] {
  const sum = (of: (skill: SkillScores) => number) => others.reduce((total, skill) => total + of(skill), 0);
  const asked = sum(({ score }) => score.n);
  const passed = sum(({ score }) => Math.round((score.value ?? 0) * score.n));
  const open = sum(({ coverage }) => coverage.planned - coverage.verdicts);
  return [
    `${others.length} others`,
    `${passed} of ${asked}`,
    "",
    "",
    ...(hasOpen ? [open === 0 ? "" : `${open}`] : []),
    "",
  ];
}

function ownerlessRow({ questions }: TargetScores, hasOpen: boolean): string[][] {
  const asked = questions.filter(({ skill, status }) => skill === undefined && status !== "skipped");
  if (asked.length === 0) return [];
  const decided = asked.filter(({ verdict }) => verdict === "pass" || verdict === "fail");
  const passed = decided.filter(({ verdict }) => verdict === "pass").length;
  const open = asked.length - decided.length;
  const share = decided.length === 0 ? "—" : `${passed} of ${decided.length}`;
  return [["no single skill", share, "", "", ...(hasOpen ? [open === 0 ? "" : `${open}`] : []), ""]];
}

function passedText({ score }: Rates): string {
  return score.value === null ? "—" : `${Math.round(score.value * score.n)} of ${score.n}`;
}

function openTitle({ total: { coverage } }: TargetScores): string | undefined {
  const open = coverage.planned - coverage.verdicts;
  return open === 0 ? undefined : open === coverage.missing.unsure ? "cannot tell" : "no verdict";
}

function openText({ coverage: { planned, verdicts } }: Rates): string {
  return planned === verdicts ? "" : `${planned - verdicts}`;
}

/** Precision depends on the number of negatives, so that number is shown with it. */
function precisionLine({ precision, f1, recall, fpr }: Rates): string[] {
  if (precision.value === null) return [];
  return [
    `precision ${rateText(precision)}, F1 ${rateText(f1)}, for ${count(recall.n, "positive")} and ${count(fpr.n, "negative")}`,
  ];
}

/** Questions that share a prompt are not independent, so the count says less. */
function promptsLine(targets: TargetScores[]): string[] {
  const shared = targets.map(({ total }) => total.score).find(({ n, prompts }) => prompts < n);
  return shared === undefined
    ? []
    : [
        `${questionsText(shared)}: one trial answers all questions on a prompt, and the library's intervals allow for that`,
      ];
}

function sideBySide(targets: TargetScores[], { colors, width, verbose, room }: ReportScreen): string[] {
  const skills = [...new Set(targets.flatMap((target) => target.skills.map(({ skill }) => skill)))].sort();
  const of = (target: TargetScores, name: string) => target.skills.find(({ skill }) => skill === name);
  const worst = (name: string) => Math.min(...targets.map((target) => of(target, name)?.score.value ?? 1));
  const shown = verbose ? skills : chosen(skills, worst, room?.skills);
  const rows = shown.map((name) => [
    oneLine(name),
    ...targets.map((target) => {
      const skill = of(target, name);
      return skill === undefined ? "—" : shareText(skill.score);
    }),
  ]);
  rows.push(["library", ...targets.map((target) => shareText(target.total.score))]);
  const columns = [
    { title: "score of skill", most: 30 },
    ...targets.map((target) => ({ title: oneLine(target.id), most: 28 })),
  ];
  return [
    ...finished(table(columns, rows, width), skills.length - shown.length, colors),
    ...(verbose ? promptsLine(targets).flatMap((line) => wrap(line, width)) : []),
  ];
}

/** The rows that end the table follow the count of hidden skills. */
function finished(
  [head = "", ...rows]: string[],
  hidden: number,
  colors: ReportScreen["colors"],
  last: { ownerless: number; library: number } = { ownerless: 0, library: 1 },
): string[] {
  const library = rows.splice(rows.length - last.library);
  const ownerless = rows.splice(rows.length - last.ownerless);
  const more = hidden > 0 ? [colors.dim(`… and ${hidden} more, none with a lower score: --verbose shows all`)] : [];
  return [colors.dim(head), ...rows, ...more, ...ownerless, ...library.map((line) => colors.bold(line))];
}

function chosen<T>(all: T[], score: (item: T) => number | null, most = MOST_SHOWN): T[] {
  if (all.length <= most) return all;
  return all
    .map((item, index) => ({ item, index, value: score(item) ?? 2 }))
    .sort((a, b) => a.value - b.value || a.index - b.index)
    .slice(0, most)
    .map(({ item }) => item);
}

function takesFrom({ takesFrom: victims }: SkillScores): string {
  const shown = victims.slice(0, 3).map(({ skill, prompts }) => `${oneLine(skill)} ×${prompts}`);
  return victims.length > 3 ? `${shown.join(", ")} and ${victims.length - 3} more` : shown.join(", ");
}
