import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fingerprint, sha256 } from "../../base/index.ts";

/** One row of eva's `.eval.jsonl`: its five members exactly, and ours under one key. */
export interface EvaRow {
  ts: string;
  all_passed: boolean;
  total: number;
  passed: number;
  failed_cases: string[];
  proctor?: { run: string; version: string; targets: string[]; files: EvaFiles };
}

/** Fingerprints of what a verdict on an eva prompt depends on. `status` is left out: promotion itself changes it. */
export interface EvaFiles {
  prompt: string;
  meta: string;
  suite: string;
}

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

export async function evaFiles(dir: string): Promise<EvaFiles> {
  const [prompt, meta, suite] = await Promise.all(["prompt.xml", "meta.yml", "eval.yml"].map((name) => readOrEmpty(join(dir, name))));
  return { prompt: sha256(prompt!), meta: await metaFingerprint(meta!), suite: sha256(suite!) };
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
