import type { Problem } from "../base/index.ts";
import { type RecordPlace, readHeader } from "../exam/record/index.ts";
import {
  type ChangeGate,
  type ChangeGateResult,
  type Comparison,
  compareExitCode,
  compareTargets,
  evaluateChangeGates,
  evaluateGates,
  type Regression,
  regressions,
  scoreStored,
  type Visible,
  visibleWith,
} from "../exam/score/index.ts";
import type { Gate, GateResult, Scores } from "../model/index.ts";
import { causesOf, type Differences, differencesOf, targetDifferences } from "./differences.ts";

/** Two runs side by side: what `proctor compare` shows. */
export interface ComparedRuns {
  before: ComparedRun;
  now: ComparedRun;
  differences: Differences;
  targets: ComparedTarget[];
  only: { before: string[]; now: string[] };
  gates: (ChangeGateResult | GateResult)[];
  /** Errors in the later run's files. It was asked without these files, so their contents are unknown. */
  broken?: readonly Problem[];
  exitCode: 0 | 1 | 2 | 3;
  allowPredicted: boolean;
}

export interface ComparedRun {
  record: RecordPlace;
  scores: Scores;
  revision?: string;
  /** Parts of the revision that were not examined: submodules, links that lead out, invalid names. */
  leftOut?: readonly string[];
}

export interface ComparedTarget {
  comparison: Comparison;
  changes: string[];
  /** Kinds of differences; with more than one, their effects cannot be told apart. */
  causes: string[];
  regressions: Regression[];
  /** What could have been detected; null on a deterministic target, and if nothing was compared. */
  visible: Visible | null;
}

export interface CompareSettings {
  changeGates?: readonly ChangeGate[];
  gates?: readonly Gate[];
  allowPredicted?: boolean;
  minCoverage?: number;
  revisions?: { before?: string; now?: string };
  leftOut?: readonly string[];
  /** Both runs were asked the same questions, whatever either library says about them. */
  sameQuestions?: boolean;
}

/** Compares two stored runs. Both are scored by the rules of the later one. */
export async function compareStored(
  before: RecordPlace,
  now: RecordPlace,
  settings: CompareSettings = {},
): Promise<ComparedRuns> {
  const {
    changeGates = [],
    gates = [],
    allowPredicted = false,
    minCoverage = 1,
    revisions = {},
    leftOut,
    sameQuestions = false,
  } = settings;
  const [then, today] = await Promise.all([readHeader(before), readHeader(now)]);
  const scores = await scoreStored(now);
  const { threshold, negativeThreshold, evidence } = scores.options;
  const earlier = await scoreStored(before, { threshold, negativeThreshold, evidence });
  const found = differencesOf(then, today, { before: earlier, now: scores });
  const differences = sameQuestions ? { ...found, suite: false } : found;
  const pairs = pairedTargets(earlier, scores);
  const sameSuite = then.suite.fingerprint === today.suite.fingerprint;
  const targets = pairs.map(([a, b]): ComparedTarget => {
    const comparison = compareTargets(a, b, sameSuite);
    const changes = targetDifferences(then, today, { target: b.id, against: a.id });
    return {
      comparison,
      changes,
      causes: causesOf(differences, changes),
      regressions: regressions(comparison),
      visible: comparison.design === null ? null : visibleWith(comparison.design),
    };
  });
  const comparisons = targets.map(({ comparison }) => comparison);
  const results = [
    ...evaluateChangeGates(comparisons, changeGates, { before: earlier, now: scores, minCoverage }),
    ...evaluateGates(scores, [...gates]),
  ];
  return {
    before: {
      record: before,
      scores: earlier,
      revision: revisions.before,
      leftOut: leftOut?.length === 0 ? undefined : leftOut,
    },
    now: { record: now, scores, revision: revisions.now },
    differences,
    targets,
    only: {
      before: earlier.targets.filter((one) => pairs.every(([a]) => a !== one)).map(({ id }) => id),
      now: scores.targets.filter((one) => pairs.every(([, b]) => b !== one)).map(({ id }) => id),
    },
    gates: results,
    exitCode: compareExitCode({
      whole: isWhole(earlier) && isWhole(scores),
      comparisons,
      gates: results,
      allowPredicted,
      minCoverage,
    }),
    allowPredicted,
  };
}

/** Pairs by id. If each run has a single target, those are paired whatever their ids: the model may be what changed. */
function pairedTargets(before: Scores, now: Scores): [Scores["targets"][number], Scores["targets"][number]][] {
  const [first] = before.targets;
  const [only] = now.targets;
  if (first !== undefined && only !== undefined && before.targets.length === 1 && now.targets.length === 1)
    return [[first, only]];
  return now.targets.flatMap((target): [Scores["targets"][number], Scores["targets"][number]][] => {
    const twin = before.targets.find(({ id }) => id === target.id);
    return twin === undefined ? [] : [[twin, target]];
  });
}

function isWhole({ run }: Scores): boolean {
  return (
    run.how !== "unfinished" && run.how !== "interrupted" && run.damage === undefined && run.missingShards === undefined
  );
}
