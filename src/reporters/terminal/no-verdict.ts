import { count, displayWidth } from "../../base/index.ts";
import { errorLabel, exitCode } from "../../exam/score/index.ts";
import type { ErrorReason, QuestionScore, Scores, TargetScores } from "../../model/index.ts";
import { oneLine, pad, truncate, wrap } from "../text/fit-text.ts";
import { titleOf } from "../text/questions.ts";
import { place, subject } from "./failures.ts";
import { commandsFor, type ReportScreen } from "./screen.ts";

const MOST_SHOWN = 5;

export function noVerdictLines(scores: Scores, screen: ReportScreen): string[] {
  return scores.targets.flatMap((target) => {
    const { planned, verdicts, missing } = target.total.coverage;
    // What a predicting target cannot tell is shown later, on its own line.
    if (planned === 0 || (verdicts > 0 && verdicts + missing.unsure === planned)) return [];
    return verdicts === 0 ? notMeasured(target, scores, screen) : someMissing(target, scores, screen);
  });
}

function notMeasured(target: TargetScores, scores: Scores, screen: ReportScreen): string[] {
  const { colors, width } = screen;
  const { planned } = target.total.coverage;
  const worst = byTrials(target)[0];
  const what = worst === undefined ? withoutErrors(target, scores) : errorText(worst[0], oneLine(worst[1].message));
  // An error message that already says what to do needs no advice.
  const advice = worst === undefined || /[.?!] \p{Lu}/u.test(worst[1].message) ? "" : adviceFor(worst[0]);
  const raw = worst?.[1].raw ? `${commandsFor(scores, screen).report("--trials")} shows its raw output.` : "";
  const detail = [
    advice,
    raw,
    `0 of ${count(planned, "question")} ${planned === 1 ? "has" : "have"} a verdict on this target. Exit ${exitCode(scores)}.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
  return [
    ...wrap(`${oneLine(target.id)} is not measured: ${what.replace(/\.$/, "")}.`, width).map((line) =>
      colors.bold(colors.yellow(line)),
    ),
    ...wrap(detail, width - 2).map((line) => `  ${line}`),
    ...invalidLines(target, width),
  ];
}

function withoutErrors({ trials, questions, total: { coverage } }: TargetScores, { options }: Scores): string {
  if (coverage.missing.unsure > 0) return "it cannot tell for any of these questions, from the cards";
  if (trials.total > 0)
    return options.confidence === null ? tooFew(questions) : "no question is decided at this confidence yet";
  return coverage.missing.invalid === coverage.planned ? "every question is invalid" : "nothing was asked";
}

/** A verdict needs half of a question's runs, so a budget for one run of each yields no verdicts. */
function tooFew(questions: QuestionScore[]): string {
  const asked = questions.filter(({ status, measured }) => status === "asked" && measured > 0);
  const [nearest] = asked.toSorted((a, b) => b.measured * 2 - b.planned - (a.measured * 2 - a.planned));
  if (nearest === undefined) return "nothing could be checked in its trials";
  const { measured, planned } = nearest;
  const atMost = asked.every((question) => question.measured === measured) ? "" : "at most ";
  return `${atMost}${measured} of ${planned} runs per question ${measured === 1 ? "was" : "were"} measured, and a verdict needs ${Math.ceil(planned / 2)}`;
}

function errorText(reason: ErrorReason, message: string): string {
  const label = errorLabel(reason);
  if (message === "") return label;
  return message.toLowerCase().includes(label.toLowerCase()) ? message : `${label} (${message.replace(/\.$/, "")})`;
}

function someMissing(target: TargetScores, { targets, run }: Scores, screen: ReportScreen): string[] {
  const { colors, width } = screen;
  const { planned, verdicts, missing } = target.total.coverage;
  const never = target.questions.filter(({ status }) => status === "not asked").length;
  const reasons = byTrials(target).map(([reason, { trials }]) => `${trials} ${errorLabel(reason)}`);
  const parts = [
    ...(missing.errors > 0 ? [`${missing.errors} because of errors (${reasons.join(", ")})`] : []),
    ...(never > 0 ? [`${never} not asked`] : []),
    ...(missing.notAsked > never ? [`${missing.notAsked - never} not asked often enough`] : []),
    ...(missing.undecided > 0 ? [`${missing.undecided} undecided`] : []),
    ...(missing.invalid > 0 ? [`${missing.invalid} invalid`] : []),
  ];
  const where = targets.length > 1 ? ` on ${oneLine(target.id)}` : "";
  const open = planned - verdicts - missing.unsure;
  const head = `${count(open, "question")} ${open === 1 ? "has" : "have"} no verdict${where}: ${parts.join(", ")}`;
  return [
    ...wrap(head, width).map((line) => colors.yellow(line)),
    ...openLines(target, run, screen),
    ...invalidLines(target, width),
  ];
}

function openLines(
  { questions }: TargetScores,
  run: Scores["run"],
  { colors, width, verbose }: ReportScreen,
): string[] {
  const open = questions.filter(
    ({ status, verdict }) => verdict === "inconclusive" && (status === "asked" || status === "not asked"),
  );
  const groups = new Map<string, QuestionScore[]>();
  for (const question of open.sort((a, b) => Number(a.status === "not asked") - Number(b.status === "not asked"))) {
    const why = question.status === "not asked" ? notAsked(run) : oneLine(question.why ?? "");
    groups.set(why, [...(groups.get(why) ?? []), question]);
  }
  const shown = verbose ? [...groups] : [...groups].slice(0, MOST_SHOWN);
  const column = Math.min(
    24,
    Math.floor(width * 0.22),
    Math.max(0, ...open.map((question) => displayWidth(subject(question)))),
  );
  const lines = shown.flatMap(([why, all]) => {
    const named = verbose ? all : all.slice(0, MOST_SHOWN);
    const more = all.length - named.length;
    return [
      ...named.flatMap((question) => questionLines(question, column, width)),
      ...(more > 0 ? [`    … and ${more} more: --verbose shows all`] : []),
      ...wrap(why, width - 4).map((line) => colors.dim(`    ${line}`)),
    ];
  });
  const others = [...groups.values()].slice(shown.length).reduce((sum, all) => sum + all.length, 0);
  return others > 0 ? [...lines, colors.dim(`… and ${others} more: --verbose shows all`)] : lines;
}

function notAsked({ notAsked: reasons }: Scores["run"]): string {
  const [reason, ...others] = Object.keys(reasons).filter((known) => known !== "early stop");
  return reason !== undefined && others.length === 0 ? `Not asked: ${oneLine(reason)}.` : "Not asked.";
}

/** A location is never cut, because terminals turn it into a link; without room beside the prompt it goes below. */
function questionLines(question: QuestionScore, column: number, width: number): string[] {
  const start = `? ${pad(subject(question), column)}  `;
  const prompt = `"${truncate(oneLine(titleOf(question)), width - displayWidth(start) - 2)}"`;
  const whole = `${start}${prompt}  ${place(question)}`;
  if (displayWidth(whole) <= width) return [whole];
  return [`${start}${prompt}`, ...wrap(place(question), width - 4).map((line) => `    ${line}`)];
}

function invalidLines(target: TargetScores, width: number): string[] {
  const invalid = target.questions.filter((question) => question.status === "invalid");
  const lines = invalid.slice(0, MOST_SHOWN).flatMap((question) => {
    const [first, ...rest] = wrap(`${place(question)}  ${oneLine(question.reason ?? "invalid")}`, width - 4);
    return [`  ${first ?? ""}`, ...rest.map((line) => `    ${line}`)];
  });
  return invalid.length > MOST_SHOWN
    ? [...lines, `  … and ${invalid.length - MOST_SHOWN} more: proctor check shows all`]
    : lines;
}

function byTrials(target: TargetScores): [ErrorReason, { trials: number; message: string; raw?: true }][] {
  return (
    Object.entries(target.trials.errors) as [ErrorReason, { trials: number; message: string; raw?: true }][]
  ).sort((a, b) => b[1].trials - a[1].trials);
}

function adviceFor(reason: ErrorReason): string {
  switch (reason) {
    case "auth":
      return "Log in or set the provider's key; proctor doctor says what is missing.";
    case "rate_limit":
    case "overloaded":
      return "Wait, or ask with fewer --jobs; proctor run --resume asks only what is missing.";
    case "timeout":
      return "Raise --timeout if the model is slow.";
    case "interrupted":
      return "proctor run --resume asks what is missing.";
    case "blocked":
    case "invalid_cell":
    case "crash":
      return "proctor doctor tests this target on this machine.";
    default:
      return "";
  }
}

type Reason = TargetScores["unsure"][number]["reason"];

export function unsureLines({ targets }: Scores, { width, verbose, colors }: ReportScreen): string[] {
  return targets.flatMap((target) => {
    const { unsure } = target.total.coverage.missing;
    if (unsure === 0) return [];
    const who = `${targets.length > 1 ? `${oneLine(target.id)} cannot` : "cannot"} tell for ${unsure}`;
    const reasons = target.unsure.map(
      ({ reason, questions }) => `${unsure === 1 ? "it" : questions} ${because(reason, questions === 1)}`,
    );
    if (!verbose) return wrap(inOneLine(who, reasons, target, width), width);
    const questions = target.questions.filter(({ verdict }) => verdict === "unsure");
    return [
      ...wrap(`${who}: ${reasons.join(", ")}`, width),
      ...questions.flatMap((one) => unsureQuestionLines(one, width, colors)),
    ];
  });
}

/** Includes the command that lists them. Rare reasons are dropped first if space is short. */
function inOneLine(who: string, reasons: string[], { unsure, total }: TargetScores, width: number): string {
  const all = total.coverage.missing.unsure;
  const more = all === 1 ? " (--verbose shows it)" : " (--verbose lists them)";
  for (let told = reasons.length; told > 0; told--) {
    const left = all - unsure.slice(0, told).reduce((sum, { questions }) => sum + questions, 0);
    const line = `${who}: ${[...reasons.slice(0, told), ...(left > 0 ? [`${left} more`] : [])].join(", ")}${more}`;
    if (displayWidth(line) <= width) return line;
  }
  return `${who}${more}`;
}

function because(reason: Reason, one: boolean): string {
  switch (reason) {
    case "language":
      return `${one ? "is" : "are"} not in the language of the cards`;
    case "words":
      return `${one ? "shares" : "share"} next to nothing with the card`;
    case "locked":
      return `${one ? "is" : "are"} about skills that no model may activate`;
    case "alone":
      return `${one ? "has" : "have"} no other skill to compare with`;
    case "excluded":
      return `${one ? "names" : "name"} what the card excludes`;
    case "near":
      return `${one ? "is" : "are"} near two skills`;
    case "weak":
      return `${one ? "is" : "are"} too weak a match`;
  }
}

function unsureQuestionLines(question: QuestionScore, width: number, colors: ReportScreen["colors"]): string[] {
  const start = `? ${pad(subject(question), Math.min(24, Math.floor(width * 0.22)))}  `;
  const prompt = `"${truncate(oneLine(question.prompt), width - displayWidth(start) - 2)}"`;
  const below = wrap(`${oneLine(question.why ?? "")}  ${place(question)}`, width - 4);
  return [`${start}${prompt}`, ...below.map((line) => colors.dim(`    ${line}`))];
}
