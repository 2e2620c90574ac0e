import { checkGates, refuseOnPredictions } from "../../exam/plan/index.ts";
import { openRecord, type RecordPlace } from "../../exam/record/index.ts";
import { exitCode, scoreStored } from "../../exam/score/index.ts";
import { type Since, sinceEarlierRuns } from "../../history/index.ts";
import type { ScoreOptions, Scores } from "../../model/index.ts";
import { openScope, type Scope } from "../scope.ts";

/** What is left out is as the run itself was scored. */
export interface ReportOptions extends Omit<Scope, "paths">, ScoreOptions {
  /** A run's id, its folder or its record.jsonl; the newest unless said. */
  run?: string;
}

/** What a stored run means: what every renderer needs of it. */
export interface Report {
  record: RecordPlace;
  scores: Scores;
  /** How it compares with earlier runs that are kept. */
  since: Since[];
  /** What `proctor run` or `proctor report` would end with. */
  exitCode: 0 | 1 | 3 | 130;
}

/** `proctor report` as a function: scores a stored run again, without asking anybody. */
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

/** All of the library: those with questions and those without. */
function skillsOf({ plan, targets }: Scores): string[] {
  return [...plan.skillsWithoutQuestions, ...targets.flatMap(({ skills }) => skills.map(({ skill }) => skill))];
}
