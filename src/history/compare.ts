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
  /** Targets that only one of the two has. */
  only: { before: string[]; now: string[] };
  gates: (ChangeGateResult | GateResult)[];
  /** Errors in the files of the later one, which was asked without them: nothing is known of what they hold. */
  broken?: readonly Problem[];
  /** What `proctor compare` ends with. */
  exitCode: 0 | 1 | 2 | 3;
  allowPredicted: boolean;
}

export interface ComparedRun {
  record: RecordPlace;
  scores: Scores;
  /** The revision that was examined, as it was named. */
  revision?: string;
  /** What that revision has and was not examined: submodules, links that lead out, names that no system can hold. */
  leftOut?: readonly string[];
}

export interface ComparedTarget {
  comparison: Comparison;
  /** What differs about the target itself. */
  changes: string[];
  /** The kinds of causes that differ; more than one cannot be told apart. */
  causes: string[];
  /** What got worse beyond noise. */
  regressions: Regression[];
  /** What could have been seen; null on a target without noise, and where nothing was compared. */
  visible: Visible | null;
}

export interface CompareSettings {
  changeGates?: readonly ChangeGate[];
  /** On the rates of the later run. */
  gates?: readonly Gate[];
  allowPredicted?: boolean;
  minCoverage?: number;
  revisions?: { before?: string; now?: string };
  leftOut?: readonly string[];
  /** Both were asked the questions of one moment, whatever became of them in either library. */
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
    const changes = targetDifferences(then, today, b.id, a.id);
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
      ...(leftOut !== undefined && leftOut.length > 0 && { leftOut }),
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

/** By id; where each run has one target only, those two, whatever they are called: the model may be what changed. */
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
