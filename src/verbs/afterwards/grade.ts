import { openRecord } from "../../exam/record/index.ts";
import { type Regraded, regradeRecord } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";
import { type Report, reportOf } from "./report.ts";

export interface GradeOptions extends Omit<Scope, "paths"> {
  /** A run's id, its folder or its record.jsonl. Default: the newest run. */
  run?: string;
  /** Read the agents' raw output again before grading. */
  reparse?: boolean;
  /** The model that judges free text. Without one, judged checks keep their results. */
  judge?: string;
  /** Write the snapshots that `diff` graders compare with, instead of comparing. */
  updateSnapshots?: boolean;
}

export interface GradedRun extends Report {
  source: string;
  regraded: Regraded;
}

export async function grade(options: GradeOptions = {}): Promise<GradedRun> {
  const { home, config, env } = await openScope(options);
  const { reparse, judge, updateSnapshots } = options;
  const source = await openRecord(home, options.run);
  const regraded = await regradeRecord(source, { home, config, env, reparse, judge, updateSnapshots });
  return { ...(await reportOf(regraded.place)), source: source.run, regraded };
}
