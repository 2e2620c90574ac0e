import type { CaseLift, Interval, Lift, LiftArm, QuestionLine, ResolvedScoreOptions } from "../../../model/index.ts";
import { clustersOf, rateDifference } from "../statistics/clusters.ts";
import { mean } from "../statistics/distributions.ts";
import { pairedDifference } from "../statistics/paired-tests.ts";
import { earliestClear, reaches } from "../statistics/stopping.ts";
import { type ArmTally, startArm } from "../tallies/arm-tally.ts";
import { has, type QuestionTally, RUN } from "../tallies/question-tally.ts";
import type { TargetTally } from "../tallies/target-tally.ts";

export function liftOf(tally: TargetTally, options: ResolvedScoreOptions): Lift | undefined {
  if (!hasBaseline(tally)) return undefined;
  const all = [...tally.asks.values()].flatMap(({ questions }) => questions);
  const byId = new Map(all.map((question) => [question.line.id, question]));
  const pairs = all.flatMap((without) => {
    const own = without.line.baseline === undefined ? undefined : byId.get(without.line.baseline.of);
    return own === undefined ? [] : [{ own, without }];
  });
  const [first] = pairs;
  if (first === undefined) return undefined;
  const compared = pairs.map((pair) => compare(pair, runsCompared(pair.own.line, tally.target, options)));
  const cases = compared.map((one) => caseLift(one, options.threshold));
  const measured = compared.filter(isMeasured);
  const prompts = new Set(measured.map(({ own }) => own.line.ask)).size;
  const interval = prompts > 1 ? overAsks(measured) : overRuns(measured);
  return {
    label: first.without.line.baseline?.label ?? "",
    cases,
    n: measured.length,
    prompts,
    difference: mean(cases.flatMap(({ difference }) => difference ?? [])),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    with: {
      rate: mean(measured.map((one) => rateOf(one.with) ?? 0)),
      ...costs(pairs.flatMap(({ own }) => own.arm ?? [])),
    },
    without: {
      rate: mean(measured.map((one) => rateOf(one.without) ?? 0)),
      ...costs(pairs.flatMap(({ without }) => without.arm ?? [])),
    },
  };
}

function hasBaseline({ asks }: TargetTally): boolean {
  for (const { questions } of asks.values()) if (questions.some(({ line }) => line.baseline !== undefined)) return true;
  return false;
}

interface ComparedCase {
  own: QuestionTally;
  twin: QuestionTally;
  with: LiftRun[];
  without: LiftRun[];
  least: number;
}

interface LiftRun {
  run: number;
  passed: boolean;
}

/**
 * How many of the first runs to compare. The runs --confidence adds depend on earlier outcomes and differ between the
 * two sides, so they are left out.
 */
function runsCompared(
  { runs }: QuestionLine,
  { id, identity }: TargetTally["target"],
  options: ResolvedScoreOptions,
): number {
  if (identity.deterministic) return 1;
  const { confidence, threshold } = options;
  return confidence === null ? (runs[id] ?? 0) : earliestClear(threshold, 1 - confidence);
}

function compare(
  { own, without: twin }: { own: QuestionTally; without: QuestionTally },
  planned: number,
): ComparedCase {
  const first = planned === 0 ? Number.POSITIVE_INFINITY : planned;
  const runsOf = ({ runs }: QuestionTally) =>
    Object.entries(runs).flatMap(([index, run]): LiftRun[] =>
      has(run, RUN.compared) && Number(index) < first
        ? [{ run: Number(index) + 1, passed: has(run, RUN.comparedPassed) }]
        : [],
    );
  return { own, twin, with: runsOf(own), without: runsOf(twin), least: Math.max(1, planned / 2) };
}

function isMeasured({ with: own, without, least }: ComparedCase): boolean {
  return own.length >= least && without.length >= least;
}

/** The unit is the ask: cases on one ask share its trials. */
function overAsks(measured: readonly ComparedCase[]): Interval | null {
  const asks = clustersOf(measured.map((one) => ({ ask: one.own.line.ask, hits: differenceOf(one) ?? 0 })));
  return pairedDifference([...asks.values()].map(({ n, hits }) => ({ n, change: hits })));
}

/** On a single ask the unit is the run, which answers all of its cases. */
function overRuns(measured: readonly ComparedCase[]): Interval | null {
  const by = (side: "with" | "without") =>
    clustersOf(
      measured.flatMap((one) => one[side].map(({ run, passed: hit }) => ({ ask: `${run}`, hits: Number(hit) }))),
    );
  return rateDifference(by("with"), by("without"));
}

function caseLift(one: ComparedCase, threshold: number): CaseLift {
  const { own, twin } = one;
  const interval = isMeasured(one) ? overRuns([one]) : null;
  const difference = differenceOf(one);
  return {
    question: own.line.id,
    name: own.line.name,
    skill: own.line.skill,
    with: armOf(own, one.with),
    without: armOf(twin, one.without),
    difference,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    mark: difference === null ? "not compared" : markOf(rateOf(one.with) ?? 0, rateOf(one.without) ?? 0, threshold),
  };
}

function differenceOf(one: ComparedCase): number | null {
  const [own, without] = [rateOf(one.with), rateOf(one.without)];
  return own === null || without === null || !isMeasured(one) ? null : own - without;
}

function rateOf(runs: readonly LiftRun[]): number | null {
  return mean(runs.map(({ passed: hit }) => Number(hit)));
}

function markOf(own: number, without: number, threshold: number): CaseLift["mark"] {
  const [a, b] = [reaches(own, 1, threshold), reaches(without, 1, threshold)];
  return a === b ? (a ? "passes both ways" : "fails both ways") : a ? "helps" : "harms";
}

function armOf({ arm = startArm() }: QuestionTally, runs: readonly LiftRun[]): LiftArm {
  return {
    passed: runs.filter((run) => run.passed).length,
    runs: runs.length,
    rate: rateOf(runs),
    ...costs([arm]),
  };
}

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
