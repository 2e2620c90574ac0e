import { count } from "../../base/index.ts";
import type { QuestionScore, Scores } from "../../scores/index.ts";
import { oneLine, truncate, wrap } from "../text/fit-text.ts";
import { place } from "./failures.ts";
import type { ReportScreen } from "./screen.ts";

/** How many of each are named; the rest is counted. */
const most = { skills: 4, edited: 4, questions: 3 };

/** What got better and worse since an earlier run, on the questions that both asked. */
export function sinceLines({ targets }: Scores, { since, width, colors }: ReportScreen): string[] {
  return since.flatMap(({ run, edited, target: targetChanges, comparison }) => {
    const { n, passed, improved, worsened, skills, p, target } = comparison;
    // The same questions, with their files as seen from here.
    const own = new Map(targets.find(({ id }) => id === target)?.questions.map((question) => [question.id, question]));
    const here = (questions: QuestionScore[]) => questions.map((question) => own.get(question.id) ?? question);
    const where = targets.length > 1 ? ` on ${oneLine(target)}` : "";
    const between = [
      ...(edited.length === 0 ? [] : [`edited since: ${listed(edited, most.edited)}`]),
      ...(targetChanges.length === 0 ? [] : [`the target changed: ${targetChanges.map(oneLine).join(", ")}`]),
    ];
    const edits = between.length === 0 ? "" : ` (${between.join("; ")})`;
    const head = `since ${oneLine(run)}${where}${edits}: `;
    if (improved.length + worsened.length === 0)
      return wrap(
        `${head}${n === 1 ? "the same verdict on the only question" : `the same verdicts on all ${n} questions`} that both asked`,
        width,
      );
    const changes = [
      ...(improved.length > 0 ? [`${improved.length} now ${improved.length === 1 ? "passes" : "pass"}`] : []),
      ...(worsened.length > 0 ? [`${worsened.length} now ${worsened.length === 1 ? "fails" : "fail"}`] : []),
    ].join(", ");
    const noise = p === null ? "" : `; ${p < 0.05 ? "beyond" : "within"} noise (p = ${p < 0.01 ? p.toPrecision(1) : p.toFixed(2)})`;
    const paint =
      worsened.length > improved.length ? colors.red : improved.length > worsened.length ? colors.green : (text: string) => text;
    const moved = skills.map(({ skill, n: of, before, now }) => `${oneLine(skill)} ${before}/${of} → ${now}/${of}`);
    return [
      ...wrap(`${head}${passed.before} → ${passed.now} of ${count(n, "question")} pass: ${changes}${noise}`, width).map(paint),
      ...(moved.length === 0 ? [] : wrap(listed(moved, most.skills, " · "), width)),
      ...questionLines("now passes", here(improved), width),
      ...questionLines("now fails", here(worsened), width),
    ];
  });
}

function questionLines(label: string, questions: QuestionScore[], width: number): string[] {
  const shown = questions.slice(0, most.questions).map((question) => {
    const start = `  ${label}: `;
    const room = width - start.length - place(question).length - 4;
    return room >= 24
      ? `${start}"${truncate(oneLine(question.prompt), room)}"  ${place(question)}`
      : `${start}"${truncate(oneLine(question.prompt), width - start.length - 2)}"`;
  });
  const more = questions.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more`] : shown;
}

function listed(names: string[], cap: number, between = ", "): string {
  const shown = names.slice(0, cap).map(oneLine).join(between);
  return names.length > cap ? `${shown} and ${names.length - cap} more` : shown;
}
