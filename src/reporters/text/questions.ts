import { count } from "../../base/index.ts";
import type { QuestionScore, RunInfo, Scores } from "../../model/index.ts";
import { oneLine } from "./fit-text.ts";
import { questionsText } from "./numbers.ts";

export interface QuestionCounts {
  questions: number;
  /** Distinct prompts. */
  prompts: number;
  positive: number;
  negative: number;
  cases: number;
  skipped: number;
}

/**
 * `53 questions: 30 should activate, 23 should not; 3 cases need an agent`. `predicted`: all targets read cards only.
 */
export function questionsSentence(plan: QuestionCounts, predicted: boolean): string {
  const { positive, negative, cases, skipped } = plan;
  // Cases that a card-reading target leaves out do not count as questions of its run.
  const needAgent = predicted && skipped > 0 && skipped === cases && positive + negative > 0;
  const asked = needAgent ? plan.questions - skipped : plan.questions;
  const kinds = [
    ...(positive > 0 ? [`${positive} should activate`] : []),
    ...(negative > 0 ? [`${negative} should not${positive > 0 ? "" : " activate"}`] : []),
    ...(cases > 0 && !needAgent ? [count(cases, "case")] : []),
  ];
  const questions = questionsText({ n: asked, prompts: needAgent ? Math.min(asked, plan.prompts) : plan.prompts });
  const left = needAgent
    ? `${count(cases, "case")} ${cases === 1 ? "needs" : "need"} an agent`
    : `${skipped} of them skipped`;
  return `${questions}${kinds.length === 0 ? "" : `: ${kinds.join(", ")}`}${skipped > 0 ? `; ${left}` : ""}`;
}

/** The author's name for it if given, because the prompt of a case may be pages long. */
export function titleOf({ name, prompt }: Pick<QuestionScore, "name" | "prompt">): string {
  return name ?? prompt;
}

/**
 * Ids asked on some target, if each suite names its own targets. Other targets do not skip these questions; they are
 * not theirs.
 */
export function askedElsewhere({ run, targets }: Scores): ReadonlySet<string> {
  if (!run.ownTargets) return new Set();
  return new Set(
    targets.flatMap(({ questions }) => questions.filter(({ status }) => status !== "skipped").map(({ id }) => id)),
  );
}

const MOST_PLACES = 3;

/** Why a run is incomplete, which every report must say first; empty for a whole record. */
export function notWholeTexts({
  damage,
  how,
  goesOn,
  missingShards,
}: Pick<RunInfo, "damage" | "how" | "goesOn" | "missingShards">): string[] {
  return [
    ...(damage === undefined ? [] : damageTexts(damage)),
    ...(how === "unfinished"
      ? [
          goesOn
            ? "in progress: a process is still writing this run; this is what its record holds so far, not a result."
            : "unfinished: the run was killed, or its record was cut; this is what it holds, not a result.",
        ]
      : []),
    ...(how === "interrupted" ? ["interrupted: this is what had been measured by then."] : []),
    ...(missingShards === undefined ? [] : [shardsText(missingShards)]),
  ];
}

function damageTexts(damage: readonly string[]): string[] {
  const more = damage.length > MOST_PLACES ? [`and ${damage.length - MOST_PLACES} more places`] : [];
  return [
    "damaged: the record is not what was written. What is intact is shown; do not treat it as a result.",
    ...damage.slice(0, MOST_PLACES).map(oneLine),
    ...more,
  ];
}

function shardsText(missing: readonly number[]): string {
  const one = missing.length === 1;
  return `${one ? "shard" : "shards"} ${missing.join(", ")} missing: ${one ? "its questions have" : "their questions have"} no verdict here.`;
}
