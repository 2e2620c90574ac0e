import { count } from "../../../base/index.ts";
import type { Since } from "../../../runs/index.ts";
import { pText, type QuestionScore, type Scores } from "../../../scores/index.ts";
import { oneLine, truncate, wrap } from "../../text/fit-text.ts";
import { differenceText, questionsText } from "../../text/numbers.ts";
import { titleOf } from "../../text/questions.ts";
import type { ReportScreen } from "../screen.ts";
import { place } from "./failures.ts";

/** How many of each are named; the rest is counted. */
const most = { skills: 4, edited: 4, questions: 3, differences: 4 };

/** What got better and worse since an earlier run, on the questions that both asked. */
export function sinceLines({ targets }: Scores, { since, width, colors, verbose }: ReportScreen): string[] {
  return since.flatMap((one) => {
    if (!verbose && isNoNews(one)) return [];
    const { n, passed, improved, worsened, skills, target } = one.comparison;
    // The same questions, with their files as seen from here.
    const own = new Map(targets.find(({ id }) => id === target)?.questions.map((question) => [question.id, question]));
    const here = (questions: QuestionScore[]) => questions.map((question) => own.get(question.id) ?? question);
    const head = `since ${oneLine(one.run)}${targets.length > 1 ? ` on ${oneLine(target)}` : ""}${between(one)}: `;
    const leftOut = leftOutText(one);
    if (n === 0) return wrap(`${head}nothing to compare; ${leftOut}`, width);
    const more = leftOut === "" ? [] : wrap(leftOut, width);
    const paint =
      worsened.length > improved.length ? colors.red : improved.length > worsened.length ? colors.green : (text: string) => text;
    if (improved.length + worsened.length === 0) {
      const same = n === 1 ? "the same verdict on the only question" : `the same verdicts on all ${questionsText(one.comparison)}`;
      return [...wrap(`${head}${same} that both asked${noiseText(one)}`, width), ...more];
    }
    const moved = skills
      .filter(({ before, now }) => before !== now)
      .map(({ skill, n: of, before, now }) => `${oneLine(skill)} ${before}/${of} → ${now}/${of}`);
    return [
      ...wrap(
        `${head}${passed.before} → ${passed.now} of ${questionsText(one.comparison)} pass: ${changesText(one)}${noiseText(one)}`,
        width,
      ).map(paint),
      ...more,
      ...(moved.length === 0 ? [] : wrap(listed(moved, most.skills, " · "), width)),
      ...questionLines("now passes", here(improved), width),
      ...questionLines("now fails", here(worsened), width),
    ];
  });
}

/** The same exam, with the same outcome. */
function isNoNews({ edited, target, options, comparison: { improved, worsened, leftOut, difference } }: Since): boolean {
  const same = edited.length + target.length + options.length + improved.length + worsened.length === 0 && difference === null;
  return same && leftOut.askedOtherwise + leftOut.checkedOtherwise === 0;
}

/** What is different besides the answers. */
function between({ edited, target, options }: Since): string {
  const parts = [
    ...(edited.length === 0 ? [] : [`edited since: ${listed(edited, most.edited)}`]),
    ...(target.length === 0 ? [] : [`the target changed: ${listed(target, most.differences)}`]),
    ...(options.length === 0 ? [] : [`the options changed: ${listed(options, most.differences)}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function changesText({ comparison: { improved, worsened } }: Since): string {
  return [
    ...(improved.length > 0 ? [`${improved.length} now ${improved.length === 1 ? "passes" : "pass"}`] : []),
    ...(worsened.length > 0 ? [`${worsened.length} now ${worsened.length === 1 ? "fails" : "fail"}`] : []),
  ].join(", ");
}

/** Nothing is claimed of a target that has no noise, or of a difference that may have another reason. */
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
      : [`${count(checkedOtherwise, "question")} that ${checkedOtherwise === 1 ? "is" : "are"} checked differently now`]),
    ...(askedOtherwise === 0 ? [] : [`${count(askedOtherwise, "question")} with different files, messages or limits now`]),
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
