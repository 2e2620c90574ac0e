import { count } from "../../base/index.ts";
import type { Rates, Scores, SkillScores, TargetScores } from "../../scores/index.ts";
import { oneLine, wrap } from "../text/fit-text.ts";
import { questionsText, rateOverText, rateText, shareText } from "../text/numbers.ts";
import { table } from "../text/table.ts";
import type { ReportScreen } from "./screen.ts";

/** Without --verbose. */
const MOST_SHOWN = 15;

/** The skills with their rates; where there are too many to show, the weakest first. */
export function skillLines(scores: Scores, screen: ReportScreen): string[] {
  const measured = scores.targets.filter((target) => target.total.coverage.verdicts > 0);
  const [first, ...others] = measured;
  if (first === undefined) return [];
  if (others.length === 0) return oneTarget(first, screen);
  const lines = sideBySide(measured, screen);
  return screen.verbose
    ? [...lines, ...measured.flatMap((target) => ["", screen.colors.bold(oneLine(target.id)), ...oneTarget(target, screen)])]
    : lines;
}

function oneTarget(target: TargetScores, { colors, width, verbose }: ReportScreen): string[] {
  const shown = verbose ? target.skills : chosen(target.skills, (skill) => skill.score.value);
  const wide = width >= 100;
  const narrow = width < 76;
  const row = (name: string, rates: Rates, taken: string) => [
    name,
    narrow ? shareText(rates.score).replace(/ .*/, "") : shareText(rates.score),
    rateOverText(rates.recall),
    rateOverText(rates.fpr),
    ...(wide ? [taken] : []),
  ];
  const rows = [...shown.map((skill) => row(oneLine(skill.skill), skill, takesFrom(skill))), row("library", target.total, "")];
  const titles = ["skill", narrow ? "score" : "score [95 %]", "recall [95 %] n", "false positives n", ...(wide ? ["takes from"] : [])];
  const columns = titles.map((title, index) => ({ title, most: index === 0 ? (narrow ? 14 : 30) : 80 }));
  const taken = wide
    ? []
    : shown.filter((skill) => skill.takesFrom.length > 0).map((skill) => `${oneLine(skill.skill)} takes from ${takesFrom(skill)}`);
  return [
    ...finished(table(columns, rows, width), target.skills.length - shown.length, colors),
    ...[...taken, ...precisionLine(target.total), ...promptsLine([target])].flatMap((line) => wrap(line, width)),
  ];
}

/** Precision depends on the number of negatives, so it is shown with how many there were. */
function precisionLine({ precision, f1, recall, fpr }: Rates): string[] {
  if (precision.value === null) return [];
  return [`precision ${rateText(precision)}, F1 ${rateText(f1)}, for ${count(recall.n, "positive")} and ${count(fpr.n, "negative")}`];
}

/** The more questions share a prompt, the less their number says. */
function promptsLine(targets: TargetScores[]): string[] {
  const shared = targets.map(({ total }) => total.score).find(({ n, prompts }) => prompts < n);
  return shared === undefined
    ? []
    : [`${questionsText(shared)}: one trial answers all questions on a prompt, and the library's intervals allow for that`];
}

function sideBySide(targets: TargetScores[], { colors, width, verbose }: ReportScreen): string[] {
  const skills = [...new Set(targets.flatMap((target) => target.skills.map(({ skill }) => skill)))].sort();
  const of = (target: TargetScores, name: string) => target.skills.find(({ skill }) => skill === name);
  const worst = (name: string) => Math.min(...targets.map((target) => of(target, name)?.score.value ?? 1));
  const shown = verbose ? skills : chosen(skills, worst);
  const rows = shown.map((name) => [
    oneLine(name),
    ...targets.map((target) => {
      const skill = of(target, name);
      return skill === undefined ? "—" : shareText(skill.score);
    }),
  ]);
  rows.push(["library", ...targets.map((target) => shareText(target.total.score))]);
  const columns = [{ title: "score of skill", most: 30 }, ...targets.map((target) => ({ title: oneLine(target.id), most: 28 }))];
  return [
    ...finished(table(columns, rows, width), skills.length - shown.length, colors),
    ...promptsLine(targets).flatMap((line) => wrap(line, width)),
  ];
}

/** The table with its head and its last row, the library, set off. */
function finished([head = "", ...rows]: string[], hidden: number, colors: ReportScreen["colors"]): string[] {
  const library = rows.pop() ?? "";
  const more = hidden > 0 ? [colors.dim(`… and ${hidden} more, none with a lower score: --verbose shows all`)] : [];
  return [colors.dim(head), ...rows, ...more, colors.bold(library)];
}

/** All skills of a small library, the weakest of a large one; those without a score come last. */
function chosen<T>(all: T[], score: (item: T) => number | null): T[] {
  if (all.length <= MOST_SHOWN) return all;
  return all
    .map((item, index) => ({ item, index, value: score(item) ?? 2 }))
    .sort((a, b) => a.value - b.value || a.index - b.index)
    .slice(0, MOST_SHOWN)
    .map(({ item }) => item);
}

function takesFrom({ takesFrom: victims }: SkillScores): string {
  const shown = victims.slice(0, 3).map(({ skill, prompts }) => `${oneLine(skill)} ×${prompts}`);
  return victims.length > 3 ? `${shown.join(", ")} and ${victims.length - 3} more` : shown.join(", ");
}
