import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CachedSkill } from "../../src/exam/record/index.ts";
import { readRecord } from "../../src/exam/record/index.ts";
import type { Ask, RecordLine } from "../../src/model/index.ts";

export * from "./sample-lines.ts";

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "proctor-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const noMask = (text: string) => text;

export function ask(prompt: string, more: Partial<Ask> = {}): Ask {
  return {
    key: `key of ${prompt}`,
    kind: "trigger",
    prompt,
    files: [],
    messages: [],
    library: "f1",
    limits: {},
    ...more,
  };
}

export function staged(id: string, more: Partial<CachedSkill> = {}): CachedSkill {
  return {
    id,
    folder: id,
    frontmatter: { name: id, description: `Does ${id}` },
    hostFiles: "h1",
    files: `files of ${id}`,
    ...more,
  };
}

export async function linesOf(file: string): Promise<RecordLine[]> {
  const lines: RecordLine[] = [];
  for await (const line of readRecord(file)) lines.push(line);
  return lines;
}

/** Everything under a folder, as one text. */
export function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
}
