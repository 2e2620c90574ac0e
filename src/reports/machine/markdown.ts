import { count } from "../../base/index.ts";
import type { ComparedRuns, Since } from "../../runs/index.ts";
import { exitCode, type GateResult, type QuestionScore, type Scores } from "../../scores/index.ts";
import type { Checked } from "../check/checked.ts";
import { counts, shownPath } from "../check/checked.ts";
import {
  apartText,
  brokenText,
  claimText,
  differenceRows,
  emptyText,
  isDoubtful,
  leftOutText,
  mixedText,
  notExaminedText,
  notWholeSides,
  sideName,
  visibleText,
} from "../compare/words.ts";
import type { RenderOptions, Reporter } from "../reporter.ts";
import { casesText } from "../text/lift-words.ts";
import { asCell, asCode } from "../text/markdown.ts";
import { notWholeTexts } from "../text/not-whole.ts";
import { differenceText, portionText, shareText } from "../text/numbers.ts";
import { titleOf } from "../text/questions.ts";

/** A comment on a pull request: at most 60 lines and 65,536 characters, whatever the run. */
export const markdown: Reporter = {
  name: "markdown",
  about: "for pull requests: a comment of at most 60 lines",
  render: renderMarkdown,
  compare: compareMarkdown,
  check: checkMarkdown,
};

/** Lines for each part; together they stay below 60. */
const MOST = { targets: 8, worst: 5, folded: 20, since: 3, gates: 6, flows: 5, differences: 6 };
const LINES = 60;
const CHARACTERS = 65_000;

export function renderMarkdown(scores: Scores, { since = [], record }: RenderOptions = {}): string {
  const failed = scores.targets.flatMap((target) =>
    target.questions.filter(({ verdict }) => verdict === "fail").map((question) => ({ question, target: target.id })),
  );
  const several = scores.targets.length > 1;
  return document([
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
    `library ${asCode(scores.run.library.name, 60)}, ${count(scores.run.library.skills, "skill")} · ${count(scores.plan.questions, "question")}${record === undefined ? "" : ` · record ${asCode(record, 80)}`}`,
  ]);
}

/** What the skill adds to its cases, where that was asked. */
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
  // That fewer verdicts are enough (--min-coverage) makes what has none no better known.
  const lacking = scores.targets.some(({ total: { coverage } }) => coverage.planned - coverage.verdicts > coverage.missing.unsure);
  const mark = code === 0 ? (failed === 0 && !lacking ? "✅" : "⚠️") : code === 1 ? "❌" : "❔";
  const what =
    failed === 0
      ? `all ${count(verdicts, "question")} with a verdict pass`
      : `${failed.toLocaleString("en")} of ${count(verdicts, "question")} fail`;
  const predicted =
    scores.targets.length > 0 && scores.targets.every((target) => target.predicted) ? " (predicted from the cards, no agent ran)" : "";
  const said = verdicts === 0 ? "nothing was measured" : what;
  // What is missing could change every number.
  if (notWholeTexts(scores.run).length > 0) return `${mark} **no result: the run is not whole**. So far ${said}${predicted}`;
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

function gateList(gates: readonly (Omit<GateResult, "gate"> & { gate: { text: string } })[]): string[] {
  if (gates.length === 0) return [];
  const mark = { met: "✅", breached: "❌", unmeasured: "❔" };
  const ordered = gates.toSorted((a, b) => Number(a.status === "met") - Number(b.status === "met"));
  const shown = ordered
    .slice(0, MOST.gates)
    .map(({ gate, status, message }) => `- ${mark[status]} ${asCode(gate.text, 80)}: ${asCode(message, 160)}`);
  const more = gates.length - shown.length;
  return ["", ...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
}

interface FailedQuestion {
  question: QuestionScore;
  target: string;
}

function listOf(title: string, shown: readonly FailedQuestion[], several: boolean, all = shown.length): string[] {
  if (shown.length === 0) return [];
  const more = all - shown.length;
  return ["", `**${title}**`, ...shown.map((one) => itemOf(one, several)), ...(more > 0 ? [`- … and ${more} more`] : [])];
}

function itemOf({ question, target }: FailedQuestion, several: boolean): string {
  const { skill = "library", why = "", source, kind, role } = question;
  const place = source.line === undefined ? source.file : `${source.file}:${source.line}`;
  const asked = kind === "case" ? "should do" : role === "positive" ? "should fire on" : "should stay silent on";
  return `- ${asCode(skill, 60)} ${asked} ${asCode(titleOf(question), 120)}${several ? ` (${asCode(target, 60)})` : ""}${why === "" ? "" : `: ${asCode(why, 200)}`} · ${asCode(place, 120)}`;
}

function folded(failures: readonly FailedQuestion[], several: boolean): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MOST.folded);
  const more = failures.length - shown.length;
  return [
    "",
    `<details><summary>${count(failures.length, "more failure")}</summary>`,
    "",
    ...shown.map((failure) => itemOf(failure, several)),
    ...(more > 0 ? [`- … and ${more} more: the report has them all`] : []),
    "",
    "</details>",
  ];
}

export function compareMarkdown(compared: ComparedRuns): string {
  const { targets, before, now, gates, exitCode: code } = compared;
  const empty = emptyText(compared);
  if (empty !== undefined) return document([`❔ **not compared**: ${asCode(empty, 160)}`]);
  const several = targets.length > 1;
  const worst = targets.flatMap(({ comparison: { target, worsened, unsure } }) =>
    [...worsened, ...unsure.fail].map((question) => ({ question, target })),
  );
  const better = targets.flatMap(({ comparison }) => comparison.improved.map((question) => ({ question, target: comparison.target })));
  const lost = targets.flatMap(({ comparison: { target, unsure } }) => unsure.lost.map((question) => ({ question, target })));
  const behind = targets.flatMap(({ comparison: { target, unaskable } }) => unaskable.map((question) => ({ question, target })));
  const doubtful = targets.some(({ comparison }) => isDoubtful(comparison));
  const mark = code === 0 ? (doubtful ? "⚠️" : "✅") : code === 3 ? "❔" : "❌";
  const [first] = targets;
  const claims = targets
    .slice(0, MOST.targets)
    .map((target) => `${asCode(target.comparison.target, 60)}: ${claimText(target, (text) => asCode(text, 60))}`);
  const flows = targets.flatMap(({ comparison }) => comparison.flow).slice(0, MOST.flows);
  const mixed = first === undefined ? undefined : mixedText(first);
  const notExamined = notExaminedText(compared);
  const broken = brokenText(compared);
  return document([
    `${mark} **${first === undefined ? "nothing to compare" : claims[0]}**`,
    ...claims.slice(1).map((claim) => `- ${claim}`),
    ...notWholeSides(compared).map((text) => `- ⚠️ ${asCode(text, 200)}`),
    "",
    `${asCode(sideName(before), 80)} → ${asCode(sideName(now), 80)}. What differed:`,
    ...differenceRows(compared)
      .slice(0, MOST.differences)
      .map(([kind, what]) => `- ${kind}: ${asCode(what, 200)}`),
    ...(mixed === undefined ? [] : [`- ⚠️ ${mixed}`]),
    ...(broken === undefined ? [] : [`- ❌ ${asCode(broken, 300)}`]),
    ...(notExamined === undefined ? [] : [`- ⚠️ ${asCode(notExamined, 300)}`]),
    ...targets.slice(0, MOST.since).flatMap(({ comparison, visible, regressions }) => {
      const left = leftOutText(comparison.leftOut);
      const apart = apartText(comparison);
      return [
        "",
        `${comparison.passed.before} → ${comparison.passed.now} of ${count(comparison.n, "question")} pass${several ? ` on ${asCode(comparison.target, 60)}` : ""}.${left === "" ? "" : ` Left out: ${left}.`}${apart === "" ? "" : ` Apart: ${apart}.`}`,
        ...(visible !== null && (comparison.difference?.p ?? 0) >= 0.05 && regressions.length === 0
          ? [`Without evidence of a change: ${visibleText(visible, comparison)}.`]
          : []),
      ];
    }),
    ...(flows.length === 0
      ? []
      : [
          "",
          "| prompts | from | to |",
          "|---|---|---|",
          ...flows.map(({ from, to, prompts }) => `| ${prompts} | ${asCell(from, 60)} | ${asCell(to, 60)} |`),
        ]),
    ...gateList(gates),
    ...listOf("Now fails", worst.slice(0, MOST.worst), several),
    ...listOf("Cannot be asked any more", behind.slice(0, MOST.worst), several, behind.length),
    ...listOf("Now cannot tell", lost.slice(0, MOST.worst), several, lost.length),
    ...listOf("Now passes", better.slice(0, 3), several, better.length),
    ...folded(worst.slice(MOST.worst), several),
  ]);
}

function checkMarkdown(checked: Checked): string {
  const { errors, warnings } = counts(checked.problems);
  const shown = checked.problems.filter(({ severity }) => severity !== "info").slice(0, 40);
  const more = errors + warnings - shown.length;
  return document([
    `${errors > 0 ? "❌" : warnings > 0 ? "⚠️" : "✅"} **${count(errors, "error")}, ${count(warnings, "warning")}** in ${count(checked.skills, "skill")} and ${count(checked.suites, "suite")}`,
    "",
    ...shown.map(
      ({ location, severity, code, message }) =>
        `- ${severity} ${asCode(`${shownPath(location.file, checked.cwd)}:${location.line ?? 1}`, 120)} ${asCode(code, 60)} ${asCode(message, 200)}`,
    ),
    ...(more > 0 ? [`- … and ${more} more`] : []),
  ]);
}

/** However much there is, it stays a comment. */
function document(lines: readonly string[]): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    if (kept.length >= LINES - 2 || size + line.length > CHARACTERS) {
      const isOpen = kept.some((one) => one.startsWith("<details>")) && !kept.includes("</details>");
      kept.push(isOpen ? "</details>" : "…");
      break;
    }
    kept.push(line);
    size += line.length + 1;
  }
  return `${kept.join("\n")}\n`;
}
