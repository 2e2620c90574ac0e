import { appendFile, lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint, relativePosix, sha256 } from "../../base/index.ts";

/** One row of eva's `.eval.jsonl`: its five members exactly, and ours under one key. */
export interface EvaRow {
  ts: string;
  all_passed: boolean;
  total: number;
  passed: number;
  failed_cases: string[];
  proctor?: {
    run: string;
    version: string;
    targets: string[];
    /** How the run ended; absent in rows of versions that only logged complete ones. */
    how?: "complete" | "interrupted" | "stopped";
    files: EvaFiles;
  };
}

/**
 * Fingerprints of what a verdict on an eva prompt depends on, by path relative to its folder: every file in it, and inputs from
 * elsewhere. `status` in meta.yml is left out: promotion itself changes it.
 */
export type EvaFiles = Record<string, string>;

const LOG = ".eval.jsonl";

export async function appendEvaRow(dir: string, row: EvaRow): Promise<void> {
  await appendFile(join(dir, LOG), `${JSON.stringify(row)}\n`);
}

/** The newest row, or undefined when there is none that can be read. */
export async function lastEvaRow(dir: string): Promise<EvaRow | undefined> {
  const text = await readOrEmpty(join(dir, LOG));
  for (const line of text.split("\n").reverse()) {
    const row = parseRow(line);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** `elsewhere`: files outside of the folder, absolute. */
export async function evaFiles(dir: string, elsewhere: readonly string[] = []): Promise<EvaFiles> {
  const files: EvaFiles = {};
  const paths = [...(await filesIn(dir)), ...elsewhere];
  for (const path of paths.sort()) {
    const name = relativePosix(dir, path);
    const print = await printOf(path, name);
    if (print !== undefined) files[name] = print;
  }
  return files;
}

/** Hidden files and folders are tools' own: eva's log, git, Proctor's records. */
async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const nested = entries
    .filter(({ name }) => !name.startsWith("."))
    .map(async (entry) => {
      const path = join(dir, entry.name);
      return entry.isDirectory() ? filesIn(path) : [path];
    });
  return (await Promise.all(nested)).flat();
}

/** A link is what it points to by name; it is not followed. Undefined when there is nothing to read. */
async function printOf(path: string, name: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined);
  if (stat?.isSymbolicLink()) return sha256(`link ${await readlink(path)}`);
  if (!stat?.isFile()) return undefined;
  return name === "meta.yml" ? metaFingerprint(await readOrEmpty(path)) : sha256(await readFile(path));
}

async function metaFingerprint(text: string): Promise<string> {
  const { parse } = await import("yaml");
  try {
    const { status: _, ...rest } = parse(text, { maxAliasCount: 100 }) as Record<string, unknown>;
    return fingerprint(rest);
  } catch {
    return sha256(text);
  }
}

async function readOrEmpty(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

function parseRow(line: string): EvaRow | undefined {
  try {
    const row = JSON.parse(line) as EvaRow;
    return typeof row.ts === "string" && typeof row.all_passed === "boolean" ? row : undefined;
  } catch {
    return undefined;
  }
}
