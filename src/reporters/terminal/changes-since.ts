import { count } from "../../base/index.ts";
import { pText } from "../../exam/score/index.ts";
import type { Since } from "../../history/index.ts";
import type { QuestionScore, Scores } from "../../model/index.ts";
import { sightText } from "../text/comparison.ts";
import { oneLine, truncate, wrap } from "../text/fit-text.ts";
import { differenceText, questionsText } from "../text/numbers.ts";
import { titleOf } from "../text/questions.ts";
import { place } from "./failures.ts";
import type { ReportScreen } from "./screen.ts";

const most = { skills: 4, edited: 4, questions: 3, differences: 4 };

export function sinceLines({ targets }: Scores, { since, width, colors, verbose, room }: ReportScreen): string[] {
  return since.flatMap((one) => {
    if (!verbose && isNoNews(one)) return [];
    const { n, improved, worsened, skills, target, unsure, lost } = one.comparison;
    // The same questions, with file paths relative to the working directory.
    const own = new Map(targets.find(({ id }) => id === target)?.questions.map((question) => [question.id, question]));
    const here = (questions: QuestionScore[]) => questions.map((question) => own.get(question.id) ?? question);
    const head = `since ${oneLine(one.run)}${targets.length > 1 ? ` on ${oneLine(target)}` : ""}${between(one)}: `;
    const leftOut = leftOutText(one);
    const sight = sightText(one.comparison);
    if (n === 0 && sight === "") return wrap(`${head}nothing to compare; ${leftOut}`, width);
    const better = improved.length + unsure.pass.length;
    const worse = worsened.length + lost.length + unsure.fail.length;
    const paint = worse > better ? colors.red : better > worse ? colors.green : (text: string) => text;
    const moved = skills
      .filter(({ before, now }) => before !== now)
      .map(({ skill, n: of, before, now }) => `${oneLine(skill)} ${before}/${of} → ${now}/${of}`);
    const named = [
      ...questionLines("now passes", here([...improved, ...unsure.pass]), width),
      ...questionLines("now fails", here([...worsened, ...unsure.fail]), width),
      ...questionLines('now "cannot tell"', here(unsure.lost), width),
    ];
    return [
      ...wrap(`${head}${outcomeText(one, sight)}${noiseText(one)}`, width).map(paint),
      ...(leftOut === "" ? [] : wrap(leftOut, width)),
      ...(moved.length === 0 ? [] : wrap(listed(moved, most.skills, " · "), width)),
      ...(room?.brief ? [] : named),
    ];
  });
}

function outcomeText({ comparison }: Since, sight: string): string {
  const { n, passed, improved, worsened, leftOut } = comparison;
  if (improved.length + worsened.length > 0) {
    const changes = [
      ...(improved.length > 0 ? [`${improved.length} now ${improved.length === 1 ? "passes" : "pass"}`] : []),
      ...(worsened.length > 0 ? [`${worsened.length} now ${worsened.length === 1 ? "fails" : "fail"}`] : []),
    ].join(", ");
    return `${passed.before} → ${passed.now} of ${questionsText(comparison)} pass: ${changes}${sight === "" ? "" : `; ${sight}`}`;
  }
  const which = leftOut.unsure + leftOut.noVerdict > 0 ? "with a verdict in both" : "that both asked";
  const same =
    n === 1
      ? `the same verdict on the only question ${which}`
      : `the same verdicts on all ${questionsText(comparison)} ${which}`;
  return [...(sight === "" ? [] : [sight]), ...(n === 0 ? [] : [same])].join("; ");
}

/** True if the exam and the outcome are the same. */
function isNoNews({ edited, target, options, comparison }: Since): boolean {
  const { improved, worsened, leftOut, difference } = comparison;
  const same =
    edited.length + target.length + options.length + improved.length + worsened.length === 0 && difference === null;
  return same && sightText(comparison) === "" && leftOut.askedOtherwise + leftOut.checkedOtherwise === 0;
}

function between({ edited, target, options }: Since): string {
  const parts = [
    ...(edited.length === 0 ? [] : [`edited since: ${listed(edited, most.edited)}`]),
    ...(target.length === 0 ? [] : [`the target changed: ${listed(target, most.differences)}`]),
    ...(options.length === 0 ? [] : [`the options changed: ${listed(options, most.differences)}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** Makes no claim about a target without noise, or a difference that may have another cause. */
function noiseText({ target, options, comparison: { difference } }: Since): string {
  if (target.length + options.length > 0) return "; no claim, because the two were not measured the same way";
  if (difference === null || difference.p === 1) return "";
  const { p } = difference;
  const beyond = p < 0.05 ? "beyond" : "within";
  return `; share of right runs ${differenceText(difference)}, ${beyond} noise (${pText(p)})`;
}

function leftOutText({ comparison: { leftOut } }: Since): string {
  const { sameAnswers, askedOtherwise, checkedOtherwise } = leftOut;
  const parts = [
    ...(sameAnswers === 0 ? [] : [`${count(sameAnswers, "question")} with the same answers as that run`]),
    ...(checkedOtherwise === 0
      ? []
      : [
          `${count(checkedOtherwise, "question")} that ${checkedOtherwise === 1 ? "is" : "are"} checked differently now`,
        ]),
    ...(askedOtherwise === 0
      ? []
      : [`${count(askedOtherwise, "question")} with different files, messages or limits now`]),
  ];
  return parts.length === 0 ? "" : `left out: ${parts.join(", ")}`;
}

function questionLines(label: string, questions: QuestionScore[], width: number): string[] {
  const shown = questions.slice(0, most.questions).map((question) => {
    const start = `  ${label}: `;
    const room = width - start.length - place(question).length - 4;
    return room >= 24
      ? `${start}"${truncate(oneLine(titleOf(question)), room)}"  ${place(question)}`
      : `${start}"${truncate(oneLine(titleOf(question)), width - start.length - 2)}"`;
  });
  const more = questions.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}

function listed(names: string[], cap: number, between = ", "): string {
  const shown = names.slice(0, cap).map(oneLine).join(between);
  return names.length > cap ? `${shown} and ${names.length - cap} more` : shown;
}
