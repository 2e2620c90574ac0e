import { checkGates, refuseOnPredictions } from "../../exam/plan/index.ts";
import { openRecord, type RecordPlace } from "../../exam/record/index.ts";
import { exitCode, scoreStored } from "../../exam/score/index.ts";
import { type Since, sinceEarlierRuns } from "../../history/index.ts";
import type { ScoreOptions, Scores } from "../../model/index.ts";
import { openScope, type Scope } from "../scope.ts";

/** Options that are left out have the values that the run itself used. */
export interface ReportOptions extends Omit<Scope, "paths">, ScoreOptions {
  /** A run's id, its folder or its record.jsonl. Default: the newest run. */
  run?: string;
}

/** A scored run, as reporters need it. */
export interface Report {
  record: RecordPlace;
  scores: Scores;
  /** Comparisons with earlier stored runs. */
  since: Since[];
  /** Exit code of `proctor run` or `proctor report`. */
  exitCode: 0 | 1 | 3 | 130;
}

export async function report(options: ReportOptions = {}): Promise<Report> {
  const { cwd, config, env, run, ...scoring } = options;
  const { home } = await openScope({ cwd, config, env });
  const record = await openRecord(home, run);
  const scores = await scoreStored(record, scoring);
  if (scoring.gates !== undefined) {
    checkGates(
      scoring.gates,
      scores.targets.map(({ id }) => id),
      skillsOf(scores),
    );
    refuseOnPredictions(scoring.gates, scores.targets, scores.options.allowPredicted);
  }
  return reportOf(record, scores);
}

export async function reportOf(record: RecordPlace, known?: Scores): Promise<Report> {
  const scores = known ?? (await scoreStored(record));
  return { record, scores, since: await sinceEarlierRuns(record, scores), exitCode: exitCode(scores) };
}

function skillsOf({ plan, targets }: Scores): string[] {
  return [...plan.skillsWithoutQuestions, ...targets.flatMap(({ skills }) => skills.map(({ skill }) => skill))];
}
