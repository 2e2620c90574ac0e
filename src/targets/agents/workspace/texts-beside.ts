import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Longer files count as data; so does everything beyond the total. */
const LONGEST = 1_000_000;
const MOST_IN_ALL = 32_000_000;

export async function textsBeside(project: string, except: ReadonlySet<string>): Promise<string[]> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const texts: string[] = [];
  let left = MOST_IN_ALL;
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || except.has(path) || left <= 0) continue;
    const text = await textOf(path);
    left -= text.length;
    texts.push(text);
  }
  return texts;
}

async function textOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > LONGEST) return "";
    const bytes = await file.readFile();
    return bytes.includes(0) ? "" : bytes.toString("utf8");
  } finally {
    await file.close();
  }
}
