import picocolors, { type createColors } from "picocolors";
import { count, displayWidth } from "../../base/index.ts";
import { directionOf, type PairedRate, pText } from "../../exam/score/index.ts";
import type { ComparedRuns, ComparedTarget } from "../../history/index.ts";
import type { QuestionScore } from "../../model/index.ts";
import type { RenderOptions } from "../reporter.ts";
import {
  apartText,
  brokenText,
  claimText,
  differenceRows,
  emptyText,
  inconclusiveNow,
  isDoubtful,
  leftOutText,
  mixedText,
  notExaminedText,
  notWholeSides,
  sideName,
  visibleText,
} from "../text/comparison.ts";
import { oneLine, table, truncate, wrap } from "../text/fit-text.ts";
import { differenceText, questionsText } from "../text/numbers.ts";
import { titleOf } from "../text/questions.ts";
import { place, promptBelow, subject, withPlace } from "./failures.ts";
import { gateLine } from "./targets.ts";

const MOST = { skills: 12, flows: 8, questions: 8 };

interface ScreenOptions {
  colors: ReturnType<typeof createColors>;
  width: number;
  verbose: boolean;
  quiet: boolean;
  base: string | undefined;
}

export function compareTerminal(compared: ComparedRuns, options: RenderOptions): string {
  const screen: ScreenOptions = {
    colors: picocolors.createColors(options.color ?? false),
    width: Math.min(200, Math.max(40, options.width ?? 100)),
    verbose: options.verbose ?? false,
    quiet: options.quiet ?? false,
    base: options.base,
  };
  const empty = emptyText(compared);
  const parts = [
    ...(screen.quiet ? [] : [headLines(compared, screen)]),
    notWholeLines(compared, screen),
    ...(empty === undefined
      ? compared.targets.map((target) => targetLines(target, screen))
      : [wrap(empty, screen.width)]),
    compared.targets.length === 0 ? ["The two runs have no target in common."] : [],
    gateLines(compared, screen),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headLines(compared: ComparedRuns, { width, colors }: ScreenOptions): string[] {
  const { before, now } = compared;
  const rows = differenceRows(compared);
  const column = Math.max(...rows.map(([kind]) => kind.length));
  const mixed = [...new Set(compared.targets.flatMap((target) => mixedText(target) ?? []))];
  return [
    ...wrap(`${sideName(before)} → ${sideName(now)}   library ${oneLine(now.scores.run.library.name)}`, width),
    "what differed",
    ...rows.flatMap(([kind, what]) =>
      wrap(what, width - column - 4).map((line, index) => `  ${(index === 0 ? kind : "").padEnd(column)}  ${line}`),
    ),
    ...[brokenText(compared) ?? [], notExaminedText(compared) ?? [], ...mixed]
      .flat()
      .flatMap((text) => wrap(text, width).map((line) => colors.yellow(line))),
  ];
}

function notWholeLines(compared: ComparedRuns, { width, colors }: ScreenOptions): string[] {
  return notWholeSides(compared)
    .flatMap((text) => wrap(text, width))
    .map((line) => colors.yellow(line));
}

function targetLines(target: ComparedTarget, screen: ScreenOptions): string[] {
  const { comparison, visible } = target;
  const { colors, width, quiet } = screen;
  const { n, passed, worsened, improved, unsure, unaskable, leftOut, only, predicted } = comparison;
  const worse = target.regressions.length > 0;
  const paint = worse ? colors.red : n === 0 || isDoubtful(comparison) ? colors.yellow : colors.green;
  const name = `${oneLine(comparison.target)}${predicted ? " (predicted)" : ""}`;
  const left = leftOutText(leftOut);
  const apart = apartText(comparison);
  const head = wrap(`${name}: ${claimText(target)}`, width).map((line) => colors.bold(paint(line)));
  if (quiet) return worse || n === 0 || isDoubtful(comparison) ? head : [];
  const noEvidence = visible !== null && comparison.difference !== null && comparison.difference.p >= 0.05 && !worse;
  return [
    ...head,
    ...(n === 0
      ? []
      : wrap(`${passed.before} → ${passed.now} of ${questionsText(comparison)} pass${verdictText(target)}`, width)),
    ...(n === 0 ? [] : rateLines(target, width)),
    ...(noEvidence ? wrap(visibleText(visible, comparison), width) : []),
    ...(left === "" ? [] : wrap(`left out: ${left}`, width)),
    ...(apart === "" ? [] : wrap(`shown apart: ${apart}`, width)),
    ...skillLines(target, screen),
    ...flowLines(target, screen),
    ...questionLines("now fails", worsened, screen),
    ...questionLines("cannot be asked now", unaskable, screen),
    ...questionLines("cannot tell now", unsure.lost, screen),
    ...questionLines("no verdict now", inconclusiveNow(comparison), screen),
    ...questionLines("fails, undecided before", unsure.fail, screen),
    ...questionLines("now passes", improved, screen),
    ...questionLines("passes, undecided before", unsure.pass, screen),
    ...questionLines("only before", only.before, screen),
    ...questionLines("only now", only.now, screen),
  ];
}

function verdictText({ comparison: { verdicts } }: ComparedTarget): string {
  if (verdicts === null || verdicts.better + verdicts.worse === 0) return "";
  return `: ${count(verdicts.worse, "prompt")} worse, ${verdicts.better} better (McNemar ${pText(verdicts.p)})`;
}

function rateLines({ comparison: { rates } }: ComparedTarget, width: number): string[] {
  const shown = (name: string, { before, now, difference, n }: PairedRate) =>
    before === null || now === null
      ? []
      : [
          `${name} ${before.toFixed(2)} → ${now.toFixed(2)}${difference === null ? "" : ` (${differenceText(difference)})`} over ${n}`,
        ];
  const parts = [...shown("recall", rates.recall), ...shown("false positives", rates.fpr)];
  return parts.length === 0 ? [] : wrap(parts.join(" · "), width);
}

function skillLines(
  { comparison: { skills, deterministic } }: ComparedTarget,
  { width, verbose, colors }: ScreenOptions,
): string[] {
  const moved = skills.filter(
    ({ before, now, difference }) => verbose || before !== now || (difference?.value ?? 0) !== 0,
  );
  if (moved.length === 0) return [];
  const ordered = moved.toSorted((a, b) => changeOf(a) - changeOf(b) || (a.skill < b.skill ? -1 : 1));
  const shown = verbose ? ordered : ordered.slice(0, MOST.skills);
  const columns = [
    { title: "skill", most: 32 },
    { title: "pass", align: "right" as const },
    { title: "of", align: "right" as const },
    ...(deterministic ? [] : [{ title: "right runs" }, { title: "p (Holm)" }, { title: "" }]),
  ];
  const rows = shown.map((skill) => [
    oneLine(skill.skill),
    `${skill.before} → ${skill.now}`,
    String(skill.n),
    ...(skill.difference === null || skill.adjusted === null
      ? []
      : [differenceText(skill.difference), pText(skill.adjusted).slice(4), directionOf(skill) ?? "within noise"]),
  ]);
  const [title, ...lines] = table(columns, rows, width);
  const painted = lines.map((line) =>
    / worse$/.test(line) ? colors.red(line) : / better$/.test(line) ? colors.green(line) : line,
  );
  const more = ordered.length - shown.length;
  return [
    "",
    colors.dim(title ?? ""),
    ...painted,
    ...(more > 0 ? [colors.dim(`… and ${more} more: --verbose shows all`)] : []),
  ];
}

function changeOf({ n, before, now, difference }: ComparedTarget["comparison"]["skills"][number]): number {
  return difference?.value ?? (now - before) / n;
}

function flowLines({ comparison: { flow } }: ComparedTarget, { width, verbose, colors }: ScreenOptions): string[] {
  if (flow.length === 0) return [];
  const shown = verbose ? flow : flow.slice(0, MOST.flows);
  const rows = shown.map(({ from, to, prompts, improved, worsened }) => [
    String(prompts),
    oneLine(from),
    "→",
    oneLine(to),
    [
      ...(worsened > 0 ? [`${worsened} now ${worsened === 1 ? "fails" : "fail"}`] : []),
      ...(improved > 0 ? [`${improved} now ${improved === 1 ? "passes" : "pass"}`] : []),
    ].join(", "),
  ]);
  const columns = [
    { title: "prompts", align: "right" as const },
    { title: "from", most: 32 },
    { title: "" },
    { title: "to", most: 32 },
    { title: "" },
  ];
  const [title, ...lines] = table(columns, rows, width);
  const more = flow.length - shown.length;
  return [
    "",
    colors.dim(title ?? ""),
    ...lines,
    ...(more > 0 ? [colors.dim(`… and ${more} more: --verbose shows all`)] : []),
  ];
}

const MARKS: Record<string, ((colors: ScreenOptions["colors"]) => string) | undefined> = {
  "now fails": ({ red }) => red("✗"),
  "fails, undecided before": ({ red }) => red("✗"),
  "cannot be asked now": ({ yellow }) => yellow("?"),
  "cannot tell now": ({ yellow }) => yellow("?"),
  "no verdict now": ({ yellow }) => yellow("?"),
  "now passes": ({ green }) => green("✓"),
  "passes, undecided before": ({ green }) => green("✓"),
};
const EXPLAINED = new Set([
  "now fails",
  "fails, undecided before",
  "cannot be asked now",
  "cannot tell now",
  "no verdict now",
]);

function questionLines(
  label: string,
  questions: readonly QuestionScore[],
  { width, verbose, base, colors }: ScreenOptions,
): string[] {
  if (questions.length === 0) return [];
  const shown = verbose ? questions : questions.slice(0, MOST.questions);
  const more = questions.length - shown.length;
  return [
    "",
    ...shown.flatMap((question) => {
      const at = base === undefined ? place(question) : `${oneLine(base)}/${place(question)}`;
      const mark = MARKS[label] ?? ((of: typeof colors) => of.dim("·"));
      const head = `${label}  ${subject(question)}`;
      const prompt = `"${oneLine(titleOf(question))}"`;
      const why = EXPLAINED.has(label) && question.why !== undefined ? [oneLine(question.why)] : [];
      const indented = (lines: string[]) => lines.map((line) => colors.dim(`    ${line}`));
      const fits = (text: string) => displayWidth(text) <= width - 2;
      if (fits(`${head}  ${prompt}  ${at}`))
        return [`${mark(colors)} ${head}  ${prompt}  ${at}`, ...indented(why.flatMap((text) => wrap(text, width - 4)))];
      const below = fits(`${head}  ${prompt}`)
        ? undefined
        : promptBelow(prompt, width, verbose ? Number.POSITIVE_INFINITY : undefined);
      return [
        `${mark(colors)} ${truncate(below === undefined ? `${head}  ${prompt}` : head, width - 2)}`,
        ...(below ?? []),
        ...indented(withPlace(why, at, width - 4)),
      ];
    }),
    ...(more > 0 ? [colors.dim(`… and ${more} more: --verbose shows all`)] : []),
  ];
}

function gateLines({ gates, targets, allowPredicted }: ComparedRuns, { colors, width }: ScreenOptions): string[] {
  return gates.flatMap((result) => gateLine(result, { several: targets.length > 1, allowPredicted, colors, width }));
}
