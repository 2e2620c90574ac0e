import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { howItEnded, isLocked, listRuns, openRecord, type RecordPlace, readHeader } from "../exam/record/index.ts";

export interface KeptRun extends RecordPlace {
  /** Null if its header cannot be read. */
  startedAt: string | null;
  library: string | null;
  targets: string[];
  partial: boolean;
  /**
   * `running`: a process is writing it. `stopped`: part of it was not asked, because of a limit or an abandoned target.
   * `unfinished`: it was killed.
   */
  state: "complete" | "running" | "interrupted" | "stopped" | "unfinished";
  bytes: number;
}

export async function keptRuns(home: string): Promise<KeptRun[]> {
  const runs: KeptRun[] = [];
  for (const id of await listRuns(home)) {
    const place = await openRecord(home, id);
    const header = await readHeader(place).catch(() => undefined);
    runs.push({
      ...place,
      startedAt: header?.startedAt ?? null,
      library: header?.library.name ?? null,
      targets: header?.targets.map((target) => target.id) ?? [],
      partial: header?.partial !== undefined,
      state: isLocked(place.dir) ? "running" : (howItEnded(place) ?? "unfinished"),
      bytes: await sizeOf(place.dir),
    });
  }
  return runs;
}

export interface PruneRule {
  keep: number;
  before?: Date;
}

/**
 * The runs a rule would remove, never one that is being written. With `before`, runs without a readable header stay.
 */
export function prunable(runs: readonly KeptRun[], { keep, before }: PruneRule): KeptRun[] {
  const old = runs.slice(0, Math.max(0, runs.length - keep)).filter(({ state }) => state !== "running");
  return before === undefined ? old : old.filter(({ startedAt }) => startedAt !== null && new Date(startedAt) < before);
}

export async function removeRun({ dir }: RecordPlace): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}

/**
 * Removes an incomplete derived record, which would otherwise be taken for the newest run. Nothing was measured for it.
 */
export async function discardRun(record: RecordPlace & { abandon(): Promise<void> }): Promise<void> {
  await record.abandon().catch(() => {});
  await removeRun(record).catch(() => {});
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => stat(join(entry.parentPath, entry.name)).then(({ size }) => size));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
