import { UsageError } from "../../base/index.ts";
import { type KeptRun, keptRuns, prunable, removeRun } from "../../history/index.ts";
import { openScope, type Scope } from "../scope.ts";

export async function runs(options: Omit<Scope, "paths"> = {}): Promise<KeptRun[]> {
  const { home } = await openScope(options);
  return keptRuns(home);
}

export interface PruneOptions extends Omit<Scope, "paths"> {
  /** Keep at least this many of the newest runs. */
  keep?: number;
  /** Remove only runs older than this many days. */
  olderThanDays?: number;
  /** Return the runs that would be removed, but remove nothing. */
  dryRun?: boolean;
}

export async function pruneRuns(options: PruneOptions): Promise<KeptRun[]> {
  const { keep, olderThanDays, dryRun = false } = options;
  if (keep === undefined && olderThanDays === undefined)
    throw new UsageError(
      "nothing says which runs to remove",
      "proctor runs prune --keep 20, --older-than 30, or both.",
    );
  const { home } = await openScope(options);
  const before = olderThanDays === undefined ? undefined : new Date(Date.now() - olderThanDays * 86_400_000);
  const removed = prunable(await keptRuns(home), { keep: keep ?? 0, before });
  if (!dryRun) for (const run of removed) await removeRun(run);
  return removed;
}
