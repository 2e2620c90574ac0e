import { count, displayWidth } from "../../../base/index.ts";
import { onlyDrafts } from "../../../exam/score/index.ts";
import type { Scores, TargetScores } from "../../../model/index.ts";
import { oneLine, wrap } from "../../text/fit-text.ts";
import { notWholeTexts } from "../../text/not-whole.ts";
import { moneyText, timeText } from "../../text/numbers.ts";
import type { ReportScreen } from "../screen.ts";

/** The first lines of the screen: how it went on each target; `bare`, nothing but that. */
export function verdictLines(scores: Scores, { colors, width }: ReportScreen, bare = false): string[] {
  const { targets, plan } = scores;
  if (plan.questions === 0) return [colors.yellow("Nothing was asked: no question is selected.")];
  if (plan.skipped === plan.questions)
    return wrap("Nothing was asked: every question was skipped.", width).map((line) => colors.yellow(line));
  const measured = targets.filter((target) => target.total.coverage.verdicts > 0);
  const lines = measured.flatMap((target) => {
    const text = `${targets.length > 1 ? `${oneLine(target.id)}: ` : ""}${verdictOf(target, targets.length > 1)}`;
    const doubtful = onlyDrafts(scores) || notWholeTexts(scores.run).length > 0;
    const paint = doubtful && paintOf(target, colors) === colors.green ? colors.yellow : paintOf(target, colors);
    return wrap(`${text}${onlyDrafts(scores) ? ": drafts, which prove nothing yet" : ""}`, width).map((line) =>
      colors.bold(paint(line)),
    );
  });
  const aside = bare ? undefined : asideFor(scores, width);
  return aside === undefined ? lines : lines.map((line) => `${line}   ${colors.dim(aside)}`);
}

/** What the run took, to stand beside the verdict; undefined where there is no room for it, or more to tell. */
export function asideFor(scores: Scores, width: number): string | undefined {
  const [target, ...others] = scores.targets;
  if (target === undefined || others.length > 0 || onlyDrafts(scores) || target.total.coverage.verdicts === 0)
    return undefined;
  return asidesOf(scores).find((aside) => displayWidth(verdictOf(target, false)) + displayWidth(aside) + 3 <= width);
}

/** What a prediction took is little, and can be left out. */
function asidesOf({ run, targets }: Scores): string[] {
  if (run.how !== "complete" || run.endedAt === undefined || !targets.every(({ predicted }) => predicted)) return [];
  if (targets.some(({ trials }) => trials.cost.usd > 0 || trials.cost.unknown > 0)) return [];
  const ms = Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt));
  const id = `run ${oneLine(run.id)}`;
  return [`${timeText(ms)}, ${moneyText(0)}, ${id}`, id];
}

function verdictOf({ id, questions, predicted, total: { coverage } }: TargetScores, named: boolean): string {
  const { verdicts, planned, missing } = coverage;
  const failed = questions.filter(({ verdict }) => verdict === "fail").length;
  const open = planned - verdicts - missing.unsure;
  const parts = [
    outcome(failed, verdicts, verdicts < planned, predicted),
    ...(open > 0 ? [`${open} without a verdict`] : []),
    ...(missing.unsure > 0 ? [`${named ? "" : `${oneLine(id)} `}cannot tell for ${missing.unsure}`] : []),
  ];
  return parts.join("; ");
}

function outcome(failed: number, verdicts: number, incomplete: boolean, predicted: boolean): string {
  const only = `the only question${incomplete ? " with a verdict" : ""}`;
  if (failed > 0)
    return verdicts === 1
      ? `${only} fails`
      : `${failed} of ${count(verdicts, "question")} ${failed === 1 ? "fails" : "fail"}`;
  if (verdicts === 1) return `${only} passes${predicted ? " (predicted)" : ""}`;
  const all = verdicts === 2 ? "both questions" : `all ${count(verdicts, "question")}`;
  return `${all}${incomplete ? " with a verdict" : ""} pass${predicted ? " (predicted)" : ""}`;
}

/** Green only where everything is known. */
function paintOf(
  { questions, total: { coverage } }: TargetScores,
  colors: ReportScreen["colors"],
): (text: string) => string {
  if (questions.some(({ verdict }) => verdict === "fail")) return colors.red;
  return coverage.verdicts < coverage.planned ? colors.yellow : colors.green;
}
