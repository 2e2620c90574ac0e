import { openRecord } from "../../exam/record/index.ts";
import { type Merged, mergeRecords } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";
import { type Report, reportOf } from "./report.ts";

export interface MergeOptions extends Omit<Scope, "paths"> {
  /** The shards, in any order: ids of runs, their folders or their record.jsonl. */
  records: string[];
}

export interface MergedRun extends Report {
  merged: Merged;
}

export async function merge(options: MergeOptions): Promise<MergedRun> {
  const { home } = await openScope(options);
  const merged = await mergeRecords(await Promise.all(options.records.map((record) => openRecord(home, record))), home);
  return { ...(await reportOf(merged.place)), merged };
}
