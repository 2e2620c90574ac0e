import { openRecord } from "../../exam/record/index.ts";
import { type Regraded, regradeRecord } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";
import { type Report, reportOf } from "./report.ts";

export interface GradeOptions extends Omit<Scope, "paths"> {
  /** A run's id, its folder or its record.jsonl; the newest unless said. */
  run?: string;
  /** Read the agents' raw output again first. */
  reparse?: boolean;
  /** The model that judges free text; without one, judged checks stay as they were. */
  judge?: string;
  /** Write the snapshots that `diff` graders compare with, instead of comparing. */
  updateSnapshots?: boolean;
}

export interface GradedRun extends Report {
  /** The run that was graded again. */
  source: string;
  regraded: Regraded;
}

/** `proctor grade` as a function: grades a stored run again, into a new run. No target is asked. */
export async function grade(options: GradeOptions = {}): Promise<GradedRun> {
  const { home, config, env } = await openScope(options);
  const { reparse, judge, updateSnapshots } = options;
  const source = await openRecord(home, options.run);
  const regraded = await regradeRecord(source, { home, config, env, reparse, judge, updateSnapshots });
  return { ...(await reportOf(regraded.place)), source: source.run, regraded };
}
