import { count, displayWidth } from "../../base/index.ts";
import { onlyDrafts, sureText } from "../../exam/score/index.ts";
import type { Scores, TargetScores } from "../../model/index.ts";
import { oneLine, pad, wrap } from "../text/fit-text.ts";
import { moneyText, timeText } from "../text/numbers.ts";
import { notWholeTexts, questionsSentence } from "../text/questions.ts";
import type { ReportScreen } from "./screen.ts";

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

/** Duration and cost beside the verdict; undefined if they do not fit or there is more to report. */
export function asideFor(scores: Scores, width: number): string | undefined {
  const [target, ...others] = scores.targets;
  if (target === undefined || others.length > 0 || onlyDrafts(scores) || target.total.coverage.verdicts === 0)
    return undefined;
  return asidesOf(scores).find((aside) => displayWidth(verdictOf(target, false)) + displayWidth(aside) + 3 <= width);
}

/** The duration and cost of a prediction are small, so only the run's id must fit. */
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

/** Green only if everything is known. */
function paintOf(
  { questions, total: { coverage } }: TargetScores,
  colors: ReportScreen["colors"],
): (text: string) => string {
  if (questions.some(({ verdict }) => verdict === "fail")) return colors.red;
  return coverage.verdicts < coverage.planned ? colors.yellow : colors.green;
}

export function headLines(scores: Scores, screen: ReportScreen): string[] {
  const { run, plan, targets } = scores;
  const { width, verbose, colors } = screen;
  const versions = verbose
    ? ` (fingerprint ${oneLine(run.library.fingerprint.slice(0, 6))}, proctor ${oneLine(run.proctor)})`
    : "";
  const library = `library ${oneLine(run.library.name)}: ${count(run.library.skills, "skill")}${versions}, ${questionsSentence(
    plan,
    targets.every(({ predicted }) => predicted),
  )}`;
  const [only, ...others] = targets;
  const alone = only !== undefined && others.length === 0;
  const about = alone ? `${library}. ${oneLine(only.id)}: ${aboutTarget(only)}` : library;
  return [
    ...(plan.questions === 0 ? [] : wrap(about, width).map((line) => colors.dim(line))),
    ...(alone ? [] : targets.flatMap((target) => targetLine(target, scores, screen))),
    ...stateLines(scores, screen),
  ];
}

function targetLine(target: TargetScores, { targets }: Scores, { width, colors }: ReportScreen): string[] {
  const column = Math.min(32, Math.max(14, ...targets.map(({ id }) => displayWidth(oneLine(id)))));
  const lines = wrap(aboutTarget(target), width - column - 2);
  return lines.map((line, index) => `${pad(index === 0 ? oneLine(target.id) : "", column)}  ${colors.dim(line)}`);
}

function aboutTarget(target: TargetScores): string {
  const { predicted, note, identity, deterministic } = target;
  const sure = identity.options["calibrated"] === undefined ? sureText(target) : undefined;
  // The verdict, one line above, already counts what it cannot tell.
  if (sure !== undefined) return `predicted from the cards, no agent ran; ${sure.split("; ")[0]}`;
  if (note !== undefined) return oneLine(note);
  if (predicted) return "predicted, not an agent run";
  const host = [identity.host, identity.version].filter((part) => part !== undefined).join(" ");
  const parts = [
    host,
    identity.model === undefined ? "" : `model ${identity.model}`,
    deterministic ? "deterministic" : "",
  ];
  return oneLine(parts.filter((part) => part !== "").join(", ")) || "version and model unknown";
}

export function notWholeLines({ run }: Scores, { colors, width }: ReportScreen): string[] {
  return notWholeTexts(run)
    .flatMap((line) => wrap(line, width))
    .map((line) => colors.yellow(line));
}

function stateLines({ run, plan }: Scores, { colors, width, room }: ReportScreen): string[] {
  const lines: string[] = [];
  if (run.partial !== undefined)
    lines.push(`partial (${run.partial.map(oneLine).join(", ")}): these are not the scores of the whole library.`);
  if (run.shard !== undefined)
    lines.push(`shard ${run.shard.index} of ${run.shard.count}: proctor merge puts the shards together.`);
  if (run.changed !== undefined && run.changed.length > 0) {
    const names = [
      ...run.changed.slice(0, 5).map(oneLine),
      ...(run.changed.length > 5 ? [`${run.changed.length - 5} more`] : []),
    ].join(", ");
    lines.push(
      `edited while it ran: ${names}. These scores are for what was there at the start; run again to examine what is there now.`,
    );
  }
  if (plan.drafts > 0)
    lines.push(
      `${plan.drafts} of ${count(plan.questions, "question")} ${plan.drafts === 1 ? "is a draft" : "are drafts"} that nobody has edited${plan.drafts < plan.questions ? `: not asked beside the others` : ""}.`,
    );
  const silent = plan.skillsWithoutQuestions;
  if (silent.length > 0 && run.partial === undefined && run.shard === undefined) {
    const names = [
      ...silent.slice(0, 5).map(oneLine),
      ...(silent.length > 5 ? [`${silent.length - 5} more`] : []),
    ].join(", ");
    const [have, them] = silent.length === 1 ? ["has", "it"] : ["have", "them"];
    const which = room?.brief ? "" : ` (${names})`;
    lines.push(
      `${count(silent.length, "skill")} of the library ${have} no question${which}: nothing is known about ${them}.`,
    );
  }
  return lines.flatMap((line) => wrap(line, width)).map((line) => colors.yellow(line));
}
