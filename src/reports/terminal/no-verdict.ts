import { errorLabel, exitCode, type QuestionScore, type Scores, type TargetScores } from "../../scores/index.ts";
import type { ErrorReason } from "../../transcripts/index.ts";
import { count } from "../text/numbers.ts";
import { oneLine, truncate, wrap } from "../text/width.ts";
import { place } from "./failures.ts";
import type { Screen } from "./screen.ts";

const cap = 5;

/** What has no verdict, and what to do about it. */
export function noVerdictLines(scores: Scores, screen: Screen): string[] {
  return scores.targets.flatMap((target) => {
    const { planned, verdicts } = target.total.coverage;
    if (planned === 0 || verdicts === planned) return [];
    return verdicts === 0 ? notMeasured(target, scores, screen) : someMissing(target, scores, screen);
  });
}

function notMeasured(target: TargetScores, scores: Scores, { colors, width }: Screen): string[] {
  const { planned } = target.total.coverage;
  const worst = byTrials(target)[0];
  const what = worst === undefined ? withoutErrors(target) : errorText(worst[0], oneLine(worst[1].message));
  // An error that says itself what to do needs no second advice.
  const advice = worst === undefined || /[.?!] \p{Lu}/u.test(worst[1].message) ? "" : `${adviceFor(worst[0])} `;
  const detail = `${advice}0 of ${count(planned, "question")} ${planned === 1 ? "has" : "have"} a verdict on this target. Exit ${exitCode(scores)}.`;
  return [
    ...wrap(`${oneLine(target.id)} is not measured: ${what.replace(/\.$/, "")}.`, width).map((line) => colors.bold(colors.yellow(line))),
    ...wrap(detail, width - 2).map((line) => `  ${line}`),
    ...invalidLines(target, width),
  ];
}

function withoutErrors({ trials, total: { coverage } }: TargetScores): string {
  if (trials.total > 0) return "its trials decide nothing";
  return coverage.missing.invalid === coverage.planned ? "every question is invalid" : "nothing was asked";
}

function errorText(reason: ErrorReason, message: string): string {
  const label = errorLabel(reason);
  if (message === "") return label;
  return message.toLowerCase().includes(label.toLowerCase()) ? message : `${label} (${message.replace(/\.$/, "")})`;
}

function someMissing(target: TargetScores, { targets }: Scores, { colors, width, verbose }: Screen): string[] {
  const { planned, verdicts, missing } = target.total.coverage;
  const reasons = byTrials(target).map(([reason, { trials }]) => `${trials} ${errorLabel(reason)}`);
  const parts = [
    ...(missing.errors > 0 ? [`${missing.errors} for errors (${reasons.join(", ")})`] : []),
    ...(missing.notAsked > 0 ? [`${missing.notAsked} not asked`] : []),
    ...(missing.undecided > 0 ? [`${missing.undecided} undecided`] : []),
    ...(missing.invalid > 0 ? [`${missing.invalid} invalid`] : []),
  ];
  const where = targets.length > 1 ? ` on ${oneLine(target.id)}` : "";
  const open = planned - verdicts;
  const head = `${count(open, "question")} ${open === 1 ? "has" : "have"} no verdict${where}: ${parts.join(", ")}`;
  const listed = verbose ? target.questions.filter((question) => question.status === "asked" && question.verdict === "inconclusive") : [];
  return [
    ...wrap(head, width).map((line) => colors.yellow(line)),
    ...listed.flatMap((question) => questionLines(question, width)),
    ...invalidLines(target, width),
  ];
}

function questionLines(question: QuestionScore, width: number): string[] {
  return [
    truncate(`? "${oneLine(question.prompt)}"  ${place(question)}`, width),
    ...wrap(oneLine(question.why ?? ""), width - 4).map((line) => `    ${line}`),
  ];
}

function invalidLines(target: TargetScores, width: number): string[] {
  const invalid = target.questions.filter((question) => question.status === "invalid");
  const lines = invalid.slice(0, cap).flatMap((question) => {
    const [first, ...rest] = wrap(`${place(question)}  ${oneLine(question.reason ?? "invalid")}`, width - 4);
    return [`  ${first ?? ""}`, ...rest.map((line) => `    ${line}`)];
  });
  return invalid.length > cap ? [...lines, `  … and ${invalid.length - cap} more: proctor check shows all`] : lines;
}

function byTrials(target: TargetScores): [ErrorReason, { trials: number; message: string }][] {
  return (Object.entries(target.trials.errors) as [ErrorReason, { trials: number; message: string }][]).sort(
    (a, b) => b[1].trials - a[1].trials,
  );
}

/** What to do about an error, as far as its reason says. */
function adviceFor(reason: ErrorReason): string {
  switch (reason) {
    case "auth":
      return "Log in or set the provider's key; proctor doctor says what is missing.";
    case "rate_limit":
    case "overloaded":
      return "Wait, or ask with fewer --jobs; proctor run --resume asks only what is missing.";
    case "timeout":
      return "Raise --timeout, or see in the record's raw output what it waited for.";
    case "interrupted":
      return "proctor run --resume asks what is missing.";
    case "blocked":
    case "invalid_cell":
    case "crash":
      return "proctor doctor tests this target on this machine.";
    default:
      return "The record holds its raw output.";
  }
}
