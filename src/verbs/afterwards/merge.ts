import { openRecord } from "../../exam/record/index.ts";
import { type Merged, mergeRecords } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";
import { type Report, reportOf } from "./report.ts";

export interface MergeOptions extends Omit<Scope, "paths"> {
  /** The shards: ids of runs, their folders or their record.jsonl, in any order. */
  records: string[];
}

export interface MergedRun extends Report {
  merged: Merged;
}

/** `proctor merge` as a function: puts the records of a run's shards together into one run. */
export async function merge(options: MergeOptions): Promise<MergedRun> {
  const { home } = await openScope(options);
  const merged = await mergeRecords(await Promise.all(options.records.map((record) => openRecord(home, record))), home);
  return { ...(await reportOf(merged.place)), merged };
}
