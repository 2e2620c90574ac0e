import type { ResolvedScoreOptions } from "../options.ts";
import type { CaseLift, Lift, LiftArm } from "../scores.ts";
import { pairedDifference } from "../statistics/paired-difference.ts";
import { type ArmTally, startArm } from "../tallies/arm-tally.ts";
import { passed, type QuestionTally } from "../tallies/question-tally.ts";
import type { TargetTally } from "../tallies/target-tally.ts";

/** What the skill adds to its cases on one target; undefined where nothing was compared. */
export function liftOf(tally: TargetTally, { threshold }: ResolvedScoreOptions): Lift | undefined {
  if (!hasBaseline(tally)) return undefined;
  const all = [...tally.asks.values()].flatMap(({ questions }) => questions);
  const byId = new Map(all.map((question) => [question.line.id, question]));
  const pairs = all.flatMap((without) => {
    const own = without.line.baseline === undefined ? undefined : byId.get(without.line.baseline.of);
    return own === undefined ? [] : [{ own, without }];
  });
  const [first] = pairs;
  if (first === undefined) return undefined;
  const cases = pairs.map(({ own, without }) => caseLift(own, without, threshold));
  const compared = cases.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  const only = cases.length === 1 ? cases[0] : undefined;
  // The unit is the case; with one alone it is its run.
  const interval =
    only === undefined ? pairedDifference(compared) : only.low === null ? null : { low: only.low, high: only.high ?? only.low };
  return {
    label: first.without.line.baseline?.label ?? "",
    cases,
    n: compared.length,
    difference: mean(compared),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    with: together(pairs.map(({ own }) => own)),
    without: together(pairs.map(({ without }) => without)),
  };
}

function hasBaseline({ asks }: TargetTally): boolean {
  for (const { questions } of asks.values()) if (questions.some(({ line }) => line.baseline !== undefined)) return true;
  return false;
}

function caseLift(own: QuestionTally, without: QuestionTally, threshold: number): CaseLift {
  const [a, b] = [armOf(own), armOf(without)];
  const runs = Math.max(own.runs?.length ?? 0, without.runs?.length ?? 0);
  const differences: number[] = [];
  for (let run = 0; run < runs; run++) {
    const [one, other] = [own.runs?.[run], without.runs?.[run]];
    if (one !== undefined && other !== undefined) differences.push(Number(passed(one)) - Number(passed(other)));
  }
  const interval = pairedDifference(differences);
  const difference = a.rate === null || b.rate === null ? null : a.rate - b.rate;
  return {
    question: own.line.id,
    name: own.line.name,
    skill: own.line.skill,
    with: a,
    without: b,
    difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    mark: markOf(a.rate, b.rate, threshold),
  };
}

/** A case that passes both ways measures nothing; one that fails both ways shows no skill either. */
function markOf(own: number | null, without: number | null, threshold: number): CaseLift["mark"] {
  if (own === null || without === null) return "not compared";
  const [a, b] = [own >= threshold, without >= threshold];
  return a === b ? (a ? "passes both ways" : "fails both ways") : a ? "helps" : "harms";
}

function armOf({ runs = [], arm = startArm() }: QuestionTally): LiftArm {
  const measured = runs.filter(() => true);
  const hits = measured.filter(passed).length;
  return { passed: hits, runs: measured.length, rate: measured.length === 0 ? null : hits / measured.length, ...costs([arm]) };
}

function together(questions: readonly QuestionTally[]): Lift["with"] {
  const rates = questions.map(armOf).flatMap(({ rate }) => (rate === null ? [] : [rate]));
  return { rate: mean(rates), ...costs(questions.flatMap(({ arm }) => arm ?? [])) };
}

/** The mean of a trial: a case may have lost a run on one side. */
function costs(arms: readonly ArmTally[]): { usd: number | null; ms: number | null; loaded: number; trials: number } {
  const sum = (pick: (arm: ArmTally) => number) => arms.reduce((total, arm) => total + pick(arm), 0);
  const [trials, priced] = [sum((arm) => arm.trials), sum((arm) => arm.priced)];
  return {
    usd: priced === 0 ? null : sum((arm) => arm.usd) / priced,
    ms: trials === 0 ? null : sum((arm) => arm.ms) / trials,
    loaded: sum((arm) => arm.loaded),
    trials,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}
