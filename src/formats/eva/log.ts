import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  appendFileIn,
  feedFile,
  fingerprint,
  listFolder,
  readText,
  relativePosix,
  sha256,
  UsageError,
} from "../../base/index.ts";

/** One row of eva's `.eval.jsonl`: exactly its five members, and ours under `proctor`. */
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
    /** Absent in rows of versions that logged only complete runs. */
    how?: "complete" | "interrupted" | "stopped";
    files: EvaFiles;
  };
}

/**
 * Fingerprints of everything that a verdict on an eva prompt depends on, by path relative to its folder: all files in
 * it, and inputs from elsewhere. `status` in meta.yml is left out, because promotion changes it.
 */
export type EvaFiles = Record<string, string>;

const LOG = ".eval.jsonl";

export function appendEvaRow(dir: string, row: EvaRow): void {
  appendFileIn(join(dir, LOG), `${JSON.stringify(row)}\n`, { within: dir });
}

export async function lastEvaRow(dir: string): Promise<EvaRow | undefined> {
  const text = readOrEmpty(dir, LOG);
  for (const line of text.split("\n").reverse()) {
    const row = parseRow(line);
    if (row !== undefined) return row;
  }
  return undefined;
}

export async function evaFiles(dir: string, elsewhere: readonly string[] = []): Promise<EvaFiles> {
  const files: EvaFiles = {};
  for (const path of filesIn(dir).sort()) {
    const name = relativePosix(dir, path);
    files[name] = name === "meta.yml" ? await metaFingerprint(readOrEmpty(dir, name)) : printOf(path, dir);
  }
  for (const path of elsewhere) files[relativePosix(dir, path)] = printOf(path);
  return files;
}

/** Hidden files and folders belong to tools: eva's log, git, Proctor's records. */
function filesIn(dir: string): string[] {
  const entries = listFolder(dir).filter(({ name }) => !name.startsWith("."));
  return entries.flatMap((entry) => (entry.isDirectory() ? filesIn(join(dir, entry.name)) : [join(dir, entry.name)]));
}

function printOf(path: string, within?: string): string {
  const hash = createHash("sha256");
  const fed = feedFile(path, { within }, (piece) => hash.update(piece));
  return fed.status === "fed" ? hash.digest("hex") : fed.reason;
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

function readOrEmpty(dir: string, name: string): string {
  const read = readText(join(dir, name), { within: dir, mostBytes: 64 * 1024 * 1024 });
  if (read.status === "text") return read.text;
  if (read.reason === "missing") return "";
  throw new UsageError(
    `${join(dir, name)} cannot be read: ${read.message}.`,
    "Put a regular file there, or remove it.",
  );
}

function parseRow(line: string): EvaRow | undefined {
  try {
    const row = JSON.parse(line) as EvaRow;
    return typeof row.ts === "string" && typeof row.all_passed === "boolean" ? row : undefined;
  } catch {
    return undefined;
  }
}
