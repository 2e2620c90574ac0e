import { join } from "node:path";
import { appendFileIn, fingerprint, readText, sha256, UsageError } from "../../base/index.ts";

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

export function appendEvaRow(dir: string, row: EvaRow): void {
  appendFileIn(join(dir, LOG), `${JSON.stringify(row)}\n`, { within: dir });
}

/** The newest row, or undefined when there is none that can be read. */
export async function lastEvaRow(dir: string): Promise<EvaRow | undefined> {
  const text = readOrEmpty(dir, LOG);
  for (const line of text.split("\n").reverse()) {
    const row = parseRow(line);
    if (row !== undefined) return row;
  }
  return undefined;
}

export async function evaFiles(dir: string): Promise<EvaFiles> {
  const [prompt, meta, suite] = ["prompt.xml", "meta.yml", "eval.yml"].map((name) => readOrEmpty(dir, name));
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

function readOrEmpty(dir: string, name: string): string {
  const read = readText(join(dir, name), { within: dir, mostBytes: 64 * 1024 * 1024 });
  if (read.status === "text") return read.text;
  if (read.reason === "missing") return "";
  throw new UsageError(`${join(dir, name)} cannot be read: ${read.message}.`, "Put a regular file there, or remove it.");
}

function parseRow(line: string): EvaRow | undefined {
  try {
    const row = JSON.parse(line) as EvaRow;
    return typeof row.ts === "string" && typeof row.all_passed === "boolean" ? row : undefined;
  } catch {
    return undefined;
  }
}
