import { count, displayWidth } from "../../base/index.ts";
import type { CaseLift, Lift, QuestionScore, Scores } from "../../model/index.ts";
import { oneLine, pad, truncate } from "../text/fit-text.ts";
import { casesText, claimOf, liftWords } from "../text/lift-words.ts";
import { differenceText } from "../text/numbers.ts";
import type { ReportScreen } from "./screen.ts";

/** Cases that pass although some checks could not be made, so the pass means less than it seems. */
export function uncheckedLines({ targets }: Scores, { colors, width }: ReportScreen): string[] {
  return targets.flatMap(({ id, questions }) => {
    const cases = questions.filter(({ kind, verdict }) => kind === "case" && verdict === "pass");
    const open = cases.filter(({ unchecked }) => unchecked !== undefined);
    if (open.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const passing =
      cases.length === 1 ? "the only case that passes" : `${open.length} of ${cases.length} cases that pass`;
    return [
      colors.yellow(`${where}${passing} could be checked only in part:`),
      ...open
        .slice(0, MOST_UNCHECKED)
        .map((one) => truncate(`  ${calledCase(one)}  ${oneLine((one.unchecked ?? []).join("; "))}`, width)),
      ...(open.length > MOST_UNCHECKED ? [colors.dim(`  … and ${open.length - MOST_UNCHECKED} more`)] : []),
    ];
  });
}

const MOST_UNCHECKED = 5;

function calledCase({ name, id }: QuestionScore): string {
  return oneLine(name ?? id.slice(id.indexOf("#") + 1));
}

/** Cases in which the skill under test never loaded: shown next to the scores, which are not the skill's doing. */
export function neverLoadedLines({ targets }: Scores, { colors, width }: ReportScreen): string[] {
  return targets.flatMap(({ id, questions }) => {
    const cases = questions.filter(({ kind, status }) => kind === "case" && status === "asked");
    const never = cases.filter(({ neverLoaded }) => neverLoaded);
    if (never.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const names = never.map(calledCase).join(", ");
    const text = `${where}in ${never.length} of ${count(cases.length, "case")} the skill was never loaded, so their scores are not its doing: ${names}`;
    return [colors.yellow(truncate(text, width * 2))];
  });
}

const MOST_SHOWN = 12;

export function liftLines({ targets }: Scores, screen: ReportScreen): string[] {
  return targets.flatMap(({ id, lift }) => (lift === undefined ? [] : linesOf(id, lift, targets.length > 1, screen)));
}

function linesOf(target: string, lift: Lift, several: boolean, { colors, verbose, width }: ReportScreen): string[] {
  const { cases, label, n } = lift;
  const where = several ? `${oneLine(target)}: ` : "";
  const over = n === 0 ? "nothing could be compared" : `${difference(lift)} over ${casesText(lift)}`;
  const shown = n === 0 ? [] : verbose ? cases : cases.slice(0, MOST_SHOWN);
  const columns = [nameOf, difference, (one: CaseLift) => `${share(one.with)} against ${share(one.without)}`];
  const widths = columns.map((column) => shown.reduce((most, one) => Math.max(most, displayWidth(column(one))), 0));
  return [
    colors.bold(`${where}lift, compared ${oneLine(label)}: ${over}`),
    ...costLines(lift),
    ...shown.flatMap((one) => {
      const [mark, paint] = [liftWords(one, label), colors[COLORS[claimOf(one)]]];
      const row = `  ${columns.map((column, at) => pad(truncate(column(one), MOST_NAME), Math.min(widths[at] ?? 0, MOST_NAME))).join("  ")}`;
      const fits = displayWidth(row) + 2 + displayWidth(mark) <= width;
      return fits ? [`${row}  ${paint(mark)}`] : [row, `      ${paint(mark)}`];
    }),
    ...(n > 0 && cases.length > shown.length
      ? [colors.dim(`  … and ${cases.length - shown.length} more: --verbose shows all`)]
      : []),
  ];
}

const MOST_NAME = 36;
const COLORS = { helps: "green", harms: "red", nothing: "dim" } as const;

function costLines({ with: own, without }: Lift): string[] {
  const parts = [
    ...(own.usd === null || without.usd === null
      ? []
      : [`$${own.usd.toFixed(4)} a trial against $${without.usd.toFixed(4)}${times(own.usd, without.usd)}`]),
    ...(own.ms === null || without.ms === null
      ? []
      : [`${seconds(own.ms)} against ${seconds(without.ms)}${times(own.ms, without.ms)}`]),
  ];
  return parts.length === 0 ? [] : [`  ${parts.join(", ")}`];
}

function times(own: number, without: number): string {
  return without > 0 && (own / without >= 1.1 || own / without <= 0.9) ? ` (${(own / without).toFixed(1)} times)` : "";
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function nameOf({ name, question }: CaseLift): string {
  return oneLine(name ?? question.slice(question.indexOf("#") + 1));
}

function share({ passed, runs }: { passed: number; runs: number }): string {
  return runs === 0 ? "—" : `${passed}/${runs}`;
}

function difference({ difference: value, low, high }: Pick<CaseLift, "difference" | "low" | "high">): string {
  if (value === null) return "—";
  return low === null || high === null ? value.toFixed(2) : differenceText({ value, low, high });
}
