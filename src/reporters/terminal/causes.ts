import { count, displayWidth } from "../../base/index.ts";
import { causeLabel, errorLabel } from "../../exam/score/index.ts";
import {
  type ErrorReason,
  NONE,
  NOT_SAID,
  type QuestionScore,
  type Scores,
  type TargetScores,
} from "../../model/index.ts";
import { oneLine, truncate, wrap } from "../text/fit-text.ts";
import { rateText } from "../text/numbers.ts";
import { askedElsewhere, titleOf } from "../text/questions.ts";
import { place } from "./failures.ts";
import { commandsFor, type ReportScreen } from "./screen.ts";

export function causeLines(scores: Scores, screen: ReportScreen): string[] {
  const { width, colors, verbose } = screen;
  const several = scores.targets.length > 1;
  const byAll = several ? skippedByAll(scores) : [];
  const notHere = new Set([...askedElsewhere(scores), ...byAll.map(({ id }) => id)]);
  const lines = scores.targets.flatMap((target) => {
    const isMeasured = target.total.coverage.verdicts > 0;
    // Why a target has no verdict is shown elsewhere; what it was never asked is shown only here.
    const own = isMeasured
      ? [
          ...(verbose ? [...missLines(target), ...stealLines(target), ...laterLines(target)] : []),
          ...errorLines(target),
          ...flakyLines(target, screen, scores.run.saved.trials > 0),
          ...firstMoveLines(target),
          // The header already says that cases need an agent.
          ...(verbose || !target.predicted ? skippedLines(target.questions.filter(({ id }) => !notHere.has(id))) : []),
        ]
      : skippedLines(target.questions.filter(({ id }) => !notHere.has(id)));
    return several && own.length > 0 ? [colors.bold(oneLine(target.id)), ...own] : own;
  });
  const told = verbose && scores.targets.some((target) => target.total.coverage.verdicts > 0);
  return [...skippedLines(byAll), ...lines, ...(told ? negativeLines(scores) : [])].flatMap((line) =>
    wrap(line, width),
  );
}

function missLines({ causes }: TargetScores): string[] {
  const misses = causes.misses.filter(({ cause, questions }) => cause !== "error" && questions > 0);
  const misfires = causes.misfires.slice(0, 4).map(({ skill, questions }) => `${oneLine(skill)} ×${questions}`);
  const more = causes.misfires.length - misfires.length;
  return [
    ...(misses.length > 0
      ? [`misses: ${misses.map(({ cause, questions }) => `${questions} ${causeLabel(cause)}`).join(" · ")}`]
      : []),
    ...(misfires.length > 0
      ? [`false positives: ${misfires.join(" · ")}${more > 0 ? ` and ${count(more, "more skill")}` : ""}`]
      : []),
  ];
}

/** The skills table shows steals, but only for part of a large library. */
function stealLines({ steals, skills }: TargetScores): string[] {
  if (skills.length <= 15 || steals.length === 0) return [];
  const shown = steals
    .slice(0, 3)
    .map(({ thief, victim, prompts }) => `${oneLine(thief)} from ${oneLine(victim)} ×${prompts}`);
  const more = steals.length > 3 ? ` and ${count(steals.length - 3, "more pair")}` : "";
  return [`takes the most prompts: ${shown.join(" · ")}${more}`];
}

/**
 * If several skills are expected, one of them firing later is no news. A prediction has no turns, so "later" means
 * beside a nearer skill.
 */
function laterLines({ confusion, predicted }: TargetScores): string[] {
  const told = confusion.later.filter(
    ({ expected, fired }) => expected === fired || !expected.split(" + ").includes(fired),
  );
  if (told.length === 0) return [];
  const shown = told
    .slice(0, 20)
    .map(({ expected, fired, trials }) => `${oneLine(fired)}${expectedText(fired, expected)} ×${trials}`);
  const more = told.length - shown.length;
  return [
    `${predicted ? "fires beside a nearer skill" : "fired later in a trial"}: ${shown.join(" · ")}${more > 0 ? ` and ${more} more` : ""}`,
  ];
}

function expectedText(fired: string, expected: string): string {
  if (fired === expected) return ", as expected";
  if (expected === NONE) return " where no skill was expected";
  return expected === NOT_SAID
    ? " where the suite expects no skill by name"
    : ` where ${oneLine(expected)} was expected`;
}

function errorLines({ trials }: TargetScores): string[] {
  const errors = (Object.entries(trials.errors) as [ErrorReason, { trials: number }][]).sort(
    (a, b) => b[1].trials - a[1].trials,
  );
  return errors.length === 0
    ? []
    : [
        `errors (not part of any rate): ${errors.map(([reason, entry]) => `${entry.trials} ${errorLabel(reason)}`).join(" · ")}`,
      ];
}

const MOST_FLAKY = 5;

function flakyLines({ total, questions }: TargetScores, { verbose, width }: ReportScreen, stopped: boolean): string[] {
  if (total.flaky === 0) return [];
  const flaky = questions.filter((question) => question.flaky);
  const named = verbose ? flaky : flaky.slice(0, MOST_FLAKY);
  const more = flaky.length - named.length;
  return [
    `flaky: ${count(total.flaky, "question")} ${total.flaky === 1 ? "was" : "were"} both hit and missed${stopped ? fewer : ""}`,
    ...named.flatMap((question) => {
      const start = `~ ${question.hits} of ${question.measured}  `;
      const room = width - displayWidth(start) - 2;
      const roomForPrompt = room - displayWidth(place(question)) - 2;
      const prompt = (most: number) => `${start}"${truncate(oneLine(titleOf(question)), most)}"`;
      return roomForPrompt >= 30
        ? [`${prompt(roomForPrompt)}  ${place(question)}`]
        : [prompt(room), `    ${place(question)}`];
    }),
    ...(more > 0 ? [`… and ${more} more: --verbose shows all`] : []),
  ];
}

/**
 * Early stopping ends a question once its verdict is settled (hit, hit is not asked a third time), often before it
 * shows that it is flaky.
 */
const fewer = "; early stop finds fewer of them, two thirds with 3 runs (--no-early-stop asks every run)";

/** Shown only if the first move alone gives other rates. */
function firstMoveLines({ total, predicted }: TargetScores): string[] {
  const same = total.firstMove.recall.value === total.recall.value && total.firstMove.fpr.value === total.fpr.value;
  if (predicted || same) return [];
  return [
    `on the first move only: recall ${rateText(total.firstMove.recall)}, false positives ${rateText(total.firstMove.fpr)}`,
  ];
}

function skippedByAll({ targets: [first, ...others] }: Scores): QuestionScore[] {
  const reasons = others.map(
    ({ questions }) =>
      new Map(questions.map(({ id, status, reason }) => [id, status === "skipped" ? reason : undefined])),
  );
  const skipped = first?.questions.filter(({ status }) => status === "skipped") ?? [];
  return skipped.filter(({ id, reason = "" }) => reasons.every((by) => by.get(id) === reason));
}

function skippedLines(questions: readonly QuestionScore[]): string[] {
  const reasons = new Map<string, number>();
  for (const { status, reason = "" } of questions)
    if (status === "skipped") reasons.set(oneLine(reason), (reasons.get(oneLine(reason)) ?? 0) + 1);
  const parts = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${n} (${reason})`);
  const more = parts.length > 3 ? ` and ${count(parts.length - 3, "more reason")}` : "";
  return parts.length === 0 ? [] : [`not asked: ${parts.slice(0, 3).join(" · ")}${more}`];
}

/** Goes by labels alone: only the author knows what the other negatives are about. */
function negativeLines({ plan, run }: Scores): string[] {
  const { negatives, hard } = plan.negatives;
  if (negatives === 0 || run.library.skills < 2) return [];
  return [
    `negatives: of ${negatives}, ${hard} ${hard === 1 ? "is" : "are"} labelled as a sibling's (by expect, or as its positive)`,
  ];
}

/** Questions that pass although another skill fires too. The suite allows it, but a reader may not expect it. */
export function besideLines(scores: Scores, screen: ReportScreen): string[] {
  const { targets } = scores;
  // On a small screen, failures take precedence.
  if (screen.room?.brief && targets.some(({ questions }) => questions.some(({ verdict }) => verdict === "fail")))
    return [];
  const commands = commandsFor(scores, screen);
  return targets.flatMap(({ id, questions, predicted }) => {
    const passing = questions.filter(({ verdict }) => verdict === "pass");
    const beside = passing.filter(({ beside: others }) => others !== undefined);
    if (beside.length === 0) return [];
    const where = targets.length > 1 ? `${oneLine(id)}: ` : "";
    const which = passing.length === 1 ? "the one that passes" : `${beside.length} of the ${passing.length} that pass`;
    // Predictions from cards do not show what an agent did.
    const more = predicted ? commands.about("collisions") : "--cross counts it";
    return wrap(`${where}on ${which} another skill fires too: ${more}`, screen.width);
  });
}
