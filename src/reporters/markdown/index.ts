import { count } from "../../base/index.ts";
import { exitCode, onlyDrafts } from "../../exam/score/index.ts";
import type { Since } from "../../history/index.ts";
import type { Scores } from "../../model/index.ts";
import { type Checked, counts, shownPath } from "../checked.ts";
import type { RenderOptions, Reporter } from "../reporter.ts";
import { casesText } from "../text/lift-words.ts";
import { differenceText, portionText, shareText } from "../text/numbers.ts";
import { notWholeTexts } from "../text/questions.ts";
import { asCell, asCode, comment, folded, gateList, listOf, MOST } from "./comment.ts";
import { compareMarkdown } from "./compare.ts";

export const markdown: Reporter = {
  name: "markdown",
  about: "for pull requests: a comment of at most 60 lines",
  render: renderMarkdown,
  compare: compareMarkdown,
  check: checkMarkdown,
};

export function renderMarkdown(scores: Scores, { since = [], record }: RenderOptions = {}): string {
  const failed = scores.targets.flatMap((target) =>
    target.questions.filter(({ verdict }) => verdict === "fail").map((question) => ({ question, target: target.id })),
  );
  const several = scores.targets.length > 1;
  return comment([
    headline(scores, failed.length),
    ...notWholeTexts(scores.run).map((text) => `- ⚠️ ${asCode(text, 200)}`),
    "",
    ...targetTable(scores),
    ...liftText(scores),
    ...sinceText(since, several),
    ...gateList(scores.gates),
    ...listOf("Worst", failed.slice(0, MOST.worst), several),
    ...folded(failed.slice(MOST.worst), several),
    "",
    `library ${asCode(scores.run.library.name, 60)}, ${count(scores.run.library.skills, "skill")} · ${count(scores.plan.questions, "question")}${scores.plan.drafts > 0 ? `, ${count(scores.plan.drafts, "draft")} that nobody has reviewed` : ""}${record === undefined ? "" : ` · record ${asCode(record, 80)}`}`,
  ]);
}

function liftText({ targets }: Scores): string[] {
  const lines = targets.slice(0, MOST.targets).flatMap(({ id, lift }) => {
    if (lift === undefined) return [];
    const { difference, low, high, label } = lift;
    const over =
      difference === null || low === null || high === null
        ? "nothing could be compared"
        : `${differenceText({ value: difference, low, high })} over ${casesText(lift)}`;
    return [`${asCode(id, 60)}: lift, compared ${asCode(label, 60)}: ${over}`];
  });
  return lines.length === 0 ? [] : ["", ...lines.map((line) => `- ${line}`)];
}

function headline(scores: Scores, failed: number): string {
  const code = exitCode(scores);
  const verdicts = scores.targets.reduce((sum, { total }) => sum + total.coverage.verdicts, 0);
  const open = scores.targets.reduce((sum, { total }) => sum + total.coverage.planned - total.coverage.verdicts, 0);
  // A lower --min-coverage does not make questions without a verdict any better known.
  const lacking = scores.targets.some(
    ({ total: { coverage } }) => coverage.planned - coverage.verdicts > coverage.missing.unsure,
  );
  const mark = code === 0 ? (failed === 0 && !lacking ? "✅" : "⚠️") : code === 1 ? "❌" : "❔";
  const what =
    failed === 0
      ? `all ${count(verdicts, "question")} with a verdict pass`
      : `${failed.toLocaleString("en")} of ${count(verdicts, "question")} fail`;
  const predicted =
    scores.targets.length > 0 && scores.targets.every((target) => target.predicted)
      ? " (predicted from the cards, no agent ran)"
      : "";
  const said =
    verdicts === 0 ? "nothing was measured" : `${what}${onlyDrafts(scores) ? ": drafts, which prove nothing yet" : ""}`;
  // The missing part could change every number.
  if (notWholeTexts(scores.run).length > 0)
    return `${mark} **no result: the run is not whole**. So far ${said}${predicted}`;
  return `${mark} **${said}**${open > 0 ? `, ${open} without a verdict` : ""}${predicted}`;
}

function targetTable({ targets }: Scores): string[] {
  const rows = targets.slice(0, MOST.targets).map(({ id, total }) => {
    const { score, recall, fpr, coverage } = total;
    return `| ${asCell(id, 60)} | ${shareText(score)} | ${portionText(recall)} | ${portionText(fpr)} | ${coverage.verdicts}/${coverage.planned} |`;
  });
  const more = targets.length - rows.length;
  return rows.length === 0
    ? []
    : [
        "| target | passed [95 %] | recall | false positives | with a verdict |",
        "|---|---|---|---|---|",
        ...rows,
        ...(more > 0 ? [`| … and ${more} more | | | | |`] : []),
      ];
}

function sinceText(since: readonly Since[], several: boolean): string[] {
  const lines = since.slice(0, MOST.since).flatMap(({ run, comparison: { n, passed, improved, worsened, target } }) => {
    if (n === 0) return [];
    const on = several ? ` on ${asCode(target, 60)}` : "";
    return [
      `Since ${asCode(run, 40)}${on}: ${passed.before} → ${passed.now} of ${n} pass, ${improved.length} now pass, ${worsened.length} now fail.`,
    ];
  });
  return lines.length === 0 ? [] : ["", ...lines];
}

function checkMarkdown(checked: Checked): string {
  const { errors, warnings } = counts(checked.problems);
  const shown = checked.problems.filter(({ severity }) => severity !== "info").slice(0, 40);
  const more = errors + warnings - shown.length;
  return comment([
    `${errors > 0 ? "❌" : warnings > 0 ? "⚠️" : "✅"} **${count(errors, "error")}, ${count(warnings, "warning")}** in ${count(checked.skills, "skill")} and ${count(checked.suites, "suite")}`,
    "",
    ...shown.map(
      ({ location, severity, code, message }) =>
        `- ${severity} ${asCode(`${shownPath(location.file, checked.cwd)}:${location.line ?? 1}`, 120)} ${asCode(code, 60)} ${asCode(message, 200)}`,
    ),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ]);
}
