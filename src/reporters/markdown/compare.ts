import { count } from "../../base/index.ts";
import type { ComparedRuns } from "../../history/index.ts";
import {
  apartText,
  brokenText,
  claimText,
  differenceRows,
  emptyText,
  inconclusiveNow,
  isDoubtful,
  leftOutText,
  mixedText,
  notExaminedText,
  notWholeSides,
  sideName,
  visibleText,
} from "../text/comparison.ts";
import { asCell, asCode, comment, folded, gateList, listOf, MOST } from "./comment.ts";

export function compareMarkdown(compared: ComparedRuns): string {
  const { targets, before, now, gates, exitCode: code } = compared;
  const empty = emptyText(compared);
  if (empty !== undefined) return comment([`❔ **not compared**: ${asCode(empty, 160)}`]);
  const several = targets.length > 1;
  const worst = targets.flatMap(({ comparison: { target, worsened, unsure } }) =>
    [...worsened, ...unsure.fail].map((question) => ({ question, target })),
  );
  const better = targets.flatMap(({ comparison }) =>
    comparison.improved.map((question) => ({ question, target: comparison.target })),
  );
  const lost = targets.flatMap(({ comparison: { target, unsure } }) =>
    unsure.lost.map((question) => ({ question, target })),
  );
  const open = targets.flatMap(({ comparison }) =>
    inconclusiveNow(comparison).map((question) => ({ question, target: comparison.target })),
  );
  const behind = targets.flatMap(({ comparison: { target, unaskable } }) =>
    unaskable.map((question) => ({ question, target })),
  );
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
  return comment([
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
    ...listOf("Has no verdict now", open.slice(0, MOST.worst), several, open.length),
    ...listOf("Now passes", better.slice(0, 3), several, better.length),
    ...folded(worst.slice(MOST.worst), several),
  ]);
}
