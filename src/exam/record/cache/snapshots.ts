import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { kindAt, type Mask, readText } from "../../../base/index.ts";
import { files, REPLACE } from "../fs-calls.ts";
import { maskIdentity } from "../lines/masked-line.ts";
import { anything, object, optional, type Shape, table, text } from "../lines/shape.ts";
import type { CachedSkill, CachedTarget } from "./cache.ts";
import { short } from "./fingerprints.ts";

/**
 * The library an answer was given with, stored once for all answers that share it, so that later changes can be named.
 */
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

/** Written with the first answer. The modification time tells when it was last used. */
export function saveSnapshot(dir: string, name: string, snapshot: unknown): void {
  const file = join(dir, `${name}.json`);
  const now = new Date();
  if (kindAt(file, dir) === "file") files.utimesSync(file, now, now);
  else {
    files.mkdirSync(dir, { recursive: true });
    const fd = files.openSync(file, REPLACE);
    try {
      files.writeFileSync(fd, JSON.stringify(snapshot));
    } finally {
      files.closeSync(fd);
    }
  }
}

export function loadLibrary(dir: string, name: string): LibrarySnapshot | undefined {
  return load(dir, `library-${name}`, libraryShape) as LibrarySnapshot | undefined;
}

export function loadTarget(dir: string, name: string): TargetSnapshot | undefined {
  return load(dir, `target-${name}`, targetShape) as TargetSnapshot | undefined;
}

/** Masked because addresses may contain a password. */
export function targetSnapshot({ id, kind, identity }: CachedTarget, mask: Mask): TargetSnapshot {
  return { id, kind, identity: maskIdentity(identity, mask) };
}

const libraryShape = object({ skills: table(object({ folder: text, hostFiles: text, frontmatter: table(text) })) });
const identity = object({ version: optional(text), host: optional(text), options: table(anything) });
const targetShape = object({ id: text, kind: text, identity });

function load(dir: string, name: string, shape: Shape): unknown {
  const read = readText(join(dir, `${name}.json`), { within: dir, mostBytes: 256_000_000 });
  if (read.status === "unreadable") return undefined;
  try {
    const snapshot: unknown = JSON.parse(read.text);
    return shape(snapshot) === undefined ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

export function pruneSnapshots(dir: string, before: number): void {
  for (const name of readdirSync(dir)) {
    if (!/^(library|target)-[0-9a-f]+\.json$/.test(name)) continue;
    const file = join(dir, name);
    if (lstatSync(file).mtimeMs < before) files.rmSync(file, { force: true });
  }
}
