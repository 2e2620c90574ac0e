import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CachedSkill, CachedTarget } from "./cache.ts";
import { short } from "./fingerprints.ts";

/** The library an answer was given with, stored once for all answers that share it, so that later changes can be named. */
export interface LibrarySnapshot {
  skills: Record<string, { folder: string; hostFiles: string; frontmatter: Record<string, string> }>;
}

export type TargetSnapshot = Pick<CachedTarget, "id" | "kind" | "identity">;

export function librarySnapshot(skills: readonly CachedSkill[]): LibrarySnapshot {
  const entries = skills.map(({ id, folder, hostFiles, frontmatter }) => {
    const members = Object.entries(frontmatter).map(([key, value]) => [key, short(value)]);
    return [id, { folder, hostFiles, frontmatter: Object.fromEntries(members) as Record<string, string> }] as const;
  });
  return { skills: Object.fromEntries(entries) };
}

/** Written with the first answer; its modification time says when it was last used. */
export function saveSnapshot(dir: string, name: string, snapshot: unknown): void {
  const file = join(dir, `${name}.json`);
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    mkdirSync(dir, { recursive: true });
    writeFileSync(file, JSON.stringify(snapshot));
  }
}

export function loadSnapshot(dir: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(dir, `${name}.json`), "utf8"));
  } catch {
    return undefined;
  }
}

/** Removes snapshots that only expired answers can refer to. */
export function pruneSnapshots(dir: string, before: number): void {
  for (const name of readdirSync(dir)) {
    if (!/^(library|target)-[0-9a-f]+\.json$/.test(name)) continue;
    const file = join(dir, name);
    if (statSync(file).mtimeMs < before) rmSync(file, { force: true });
  }
}
