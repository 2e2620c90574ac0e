import { count } from "../../base/index.ts";
import { type Comparison, type LeftOut, pText, type Visible } from "../../exam/score/index.ts";
import type { ComparedRun, ComparedRuns, ComparedTarget } from "../../history/index.ts";
import type { QuestionScore } from "../../model/index.ts";
import { oneLine } from "./fit-text.ts";
import { differenceText } from "./numbers.ts";

const MOST_NAMES = 6;

export function sideName({ record, scores, revision }: ComparedRun): string {
  if (revision === undefined) return oneLine(record.run);
  const commit = scores.run.git?.commit.slice(0, 7);
  const isHash = /^[0-9a-f]{7,}$/.test(revision) && (commit?.startsWith(revision.slice(0, 7)) ?? false);
  return commit === undefined || isHash
    ? oneLine(isHash ? (commit ?? revision) : revision)
    : `${oneLine(revision)} (${commit})`;
}

/** Comes first if one of the two has no skills, because then nothing can be compared. */
export function emptyText({ before, now }: ComparedRuns): string | undefined {
  const empty = [before, now].find(({ scores }) => scores.run.library.skills === 0);
  return empty === undefined ? undefined : `${sideName(empty)} has no skills, so there is nothing to compare.`;
}

export function differenceRows({
  before,
  now,
  differences,
  targets,
  only,
}: ComparedRuns): [kind: string, what: string][] {
  const { edited, added, removed, suite, options, rules, proctor } = differences;
  const several = targets.length > 1;
  const relabelled = Math.max(0, ...targets.map(({ comparison }) => comparison.leftOut.relabelled));
  const labels = relabelled > 0 ? `, ${count(relabelled, "question")} with a different label` : "";
  const rows: [string, string][] = [
    ...(edited.length > 0 ? [["edited", names(edited)] as [string, string]] : []),
    ...(added.length > 0 ? [["new", names(added)] as [string, string]] : []),
    ...(removed.length > 0 ? [["gone", names(removed)] as [string, string]] : []),
    ...(suite
      ? [["suites", `different questions or checks${labels}${partText(before, now)}`] as [string, string]]
      : []),
    ...targets.flatMap(({ comparison, changes }): [string, string][] =>
      changes.length === 0 ? [] : [["target", `${several ? `${oneLine(comparison.target)}: ` : ""}${names(changes)}`]],
    ),
    ...(options.length > 0 ? [["options", names(options)] as [string, string]] : []),
    ...(rules.length > 0
      ? [["scoring", `${names(rules)}; both are scored by the later run's rules`] as [string, string]]
      : []),
    ...(proctor === undefined ? [] : [["proctor", oneLine(proctor)] as [string, string]]),
    ...(only.before.length > 0 ? [["only before", names(only.before)] as [string, string]] : []),
    ...(only.now.length > 0 ? [["only now", names(only.now)] as [string, string]] : []),
  ];
  return rows.length === 0 ? [["nothing", "skills, suites, targets and options are the same"]] : rows;
}

/** Set if the two asked different parts of their questions. */
function partText(...sides: ComparedRun[]): string {
  const [one, other] = sides.map(({ scores }) => (scores.run.partial ?? []).join(" "));
  if (one === other) return "";
  const parts = sides.flatMap((side) => {
    const { partial = [] } = side.scores.run;
    return partial.length === 0 ? [] : [`${sideName(side)} asked only some (${partial.map(oneLine).join(" ")})`];
  });
  return parts.map((part) => `; ${part}`).join("");
}

export function notExaminedText({ before: { leftOut = [], revision } }: ComparedRuns): string | undefined {
  if (leftOut.length === 0) return undefined;
  return `Not examined at ${oneLine(revision ?? "")}: ${names(leftOut)} (submodules not checked out here with that commit, links that lead outside, and names that no file system can hold are left out).`;
}

export function notWholeSides({ before, now }: ComparedRuns): string[] {
  return [before, now].flatMap((side) => {
    const { how, damage, missingShards } = side.scores.run;
    const what = [
      ...(damage === undefined
        ? []
        : [`${count(damage.length, "line")} of its record ${damage.length === 1 ? "is" : "are"} damaged or missing`]),
      ...(how === "unfinished" ? ["it has no end"] : how === "interrupted" ? ["it was interrupted"] : []),
      ...(missingShards === undefined ? [] : [`it lacks shard ${missingShards.join(", ")}`]),
    ];
    return what.length === 0
      ? []
      : [`${sideName(side)} is incomplete: ${what.join(", ")}. What is missing could change every number.`];
  });
}

export function brokenText({ broken = [] }: ComparedRuns): string | undefined {
  if (broken.length === 0) return undefined;
  const files = [...new Set(broken.map(({ location }) => location.file.split("/").slice(-2).join("/")))];
  return `Not asked because of errors: ${names(files)}. Nothing is known of what they hold.`;
}

export function mixedText({ causes, comparison: { target, against } }: ComparedTarget): string | undefined {
  if (causes.length === 1 && target !== against)
    return `The skills are the same: whatever differs below is between ${oneLine(against)} and ${oneLine(target)}.`;
  if (causes.length < 2) return undefined;
  const list = `${causes.slice(0, -1).join(", ")} and ${causes.at(-1)}`;
  return `This mixes causes: ${list} differ, and no change can be attributed to one of them.`;
}

/** The verdict on a comparison in one sentence. `name` escapes untrusted names for the output format. */
export function claimText(
  { comparison, regressions }: ComparedTarget,
  name: (text: string) => string = oneLine,
): string {
  const { n, leftOut, difference, deterministic, improved, worsened } = comparison;
  const sight = sightText(comparison);
  const behind = sight === "" ? "" : `; ${sight}`;
  if (n === 0)
    return leftOut.sameAnswers > 0
      ? `nothing was measured again: ${count(leftOut.sameAnswers, "question")} with the same answers as the earlier run${behind}`
      : `nothing to compare${behind}`;
  if (deterministic) {
    const moved = [
      ...(worsened.length > 0
        ? [`${count(worsened.length, "question")} that passed now ${worsened.length === 1 ? "fails" : "fail"}`]
        : []),
      ...(improved.length > 0
        ? [`${count(improved.length, "question")} that failed now ${improved.length === 1 ? "passes" : "pass"}`]
        : []),
      ...(sight === "" ? [] : [sight]),
    ];
    return moved.length === 0 ? "every question has the same verdict as before" : moved.join(", ");
  }
  if (difference === null) return "nothing to compare";
  const change = `share of right runs ${differenceText(difference)}`;
  if (difference.p < 0.05)
    return `${difference.value < 0 ? "worse" : "better"} beyond noise: ${change} (${pText(difference.p)})${behind}`;
  const skills = regressions.flatMap(({ skill }) => (skill === undefined ? [] : [name(skill)]));
  if (skills.length > 0)
    return `${skills.slice(0, MOST_NAMES).join(", ")}${skills.length > MOST_NAMES ? ` and ${skills.length - MOST_NAMES} more` : ""} got worse beyond noise; overall ${change} (${pText(difference.p)})${behind}`;
  return `no evidence of a change: ${change} (${pText(difference.p)})${behind}`;
}

/** Whether the edit made a predicting target more or less sure, and what else lost its verdict; "" if neither. */
export function sightText(comparison: Comparison): string {
  const { lost, fail, pass } = comparison.unsure;
  const { unaskable } = comparison;
  const inconclusive = inconclusiveNow(comparison).length;
  return [
    ...(lost.length > 0 ? [`${lost.length} that passed ${lost.length === 1 ? "is" : "are"} now "cannot tell"`] : []),
    ...(fail.length > 0
      ? [
          `${fail.length} that ${fail.length === 1 ? "was" : "were"} "cannot tell" now ${fail.length === 1 ? "fails" : "fail"}`,
        ]
      : []),
    ...(pass.length > 0
      ? [
          `${pass.length} that ${pass.length === 1 ? "was" : "were"} "cannot tell" now ${pass.length === 1 ? "passes" : "pass"}`,
        ]
      : []),
    ...(inconclusive > 0 ? [`${inconclusive} that passed ${inconclusive === 1 ? "has" : "have"} no verdict now`] : []),
    ...(unaskable.length > 0 ? [`${count(unaskable.length, "question")} can no longer be asked`] : []),
  ].join(", ");
}

/** Nothing is known to be worse, but somebody should look. */
export function isDoubtful({ worsened, unsure, lost, unaskable }: Comparison): boolean {
  return worsened.length + lost.length + unsure.fail.length + unaskable.length > 0;
}

export function inconclusiveNow({ lost }: Comparison): QuestionScore[] {
  return lost.filter(({ verdict, status }) => verdict === "inconclusive" && status !== "invalid");
}

/** The smallest change this comparison could have shown, for readers of "no evidence of a change". */
export function visibleText({ smallest, drop, power, runs }: Visible, { design }: Comparison): string {
  const points = (share: number) => `${Math.round(share * 100)} points`;
  const could =
    smallest === null
      ? "these questions could not have shown any drop reliably"
      : `a drop of ${points(smallest)} or more would have been seen 4 times in 5`;
  const asked = design === null ? 0 : Math.min(design.runs.before, design.runs.now);
  if (power >= 0.8) return could;
  // Rounded down, so that less than 80 times in 100 never reads as 80.
  const often = `one of ${points(drop)} ${Math.floor(power * 100)} times in 100`;
  const more =
    runs === null
      ? "more runs would not be enough: add questions"
      : `${runs} runs of each would be enough, ${runs - asked} more (--runs ${runs} --no-early-stop, in both)`;
  return `${could}; ${often}: ${more}`;
}

export function apartText({ only }: Comparison): string {
  return [
    ...(only.before.length > 0 ? [`${count(only.before.length, "question")} only before`] : []),
    ...(only.now.length > 0 ? [`${count(only.now.length, "question")} only now`] : []),
  ].join(", ");
}

export function leftOutText(leftOut: LeftOut): string {
  const { sameAnswers, askedOtherwise, checkedOtherwise, relabelled, unsure, noVerdict } = leftOut;
  const parts = [
    [sameAnswers, "with the same answers as the earlier run"],
    [checkedOtherwise, "checked differently now"],
    [askedOtherwise, "with different files, messages or limits now"],
    [relabelled, "with a different label now"],
    [unsure, "for which the target cannot tell, in one of the runs or in both"],
    [noVerdict, "without a verdict in one of the runs"],
  ] as const;
  return parts.flatMap(([n, what]) => (n === 0 ? [] : [`${count(n, "question")} ${what}`])).join(", ");
}

function names(all: readonly string[], most = MOST_NAMES): string {
  const shown = all.slice(0, most).map(oneLine).join(", ");
  return all.length > most ? `${shown} and ${all.length - most} more` : shown;
}
