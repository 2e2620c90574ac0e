import { readBytes, realPath } from "../files/untrusted.ts";
import { replaceFile, writeFault } from "../files/write.ts";
import type { Edit, Problem } from "./problem.ts";

/**
 * Applies the problems' edits to their files and returns the problems that were fixed. Only the edited bytes change:
 * byte order mark, line endings and file mode stay. A problem's edits are applied together or not at all; if two
 * problems touch the same text, the first wins and the other waits for the next check.
 */
export async function fixFiles(problems: readonly Problem[]): Promise<Problem[]> {
  const fixed: Problem[] = [];
  for (const [file, group] of byFile(problems)) {
    // Discovery follows links within the root; the link's target is what gets edited.
    const path = realPath(file) ?? file;
    const read = readBytes(path);
    if (read.status === "unreadable") continue;
    const text = read.bytes.toString("utf8");
    // In a file that is not UTF-8, other bytes would change too.
    if (!Buffer.from(text, "utf8").equals(read.bytes)) continue;
    const edited = applyEdits(text, group);
    if (edited.text === text) continue;
    replace(path, edited.text);
    fixed.push(...edited.fixed);
  }
  return fixed;
}

export function applyEdits(text: string, problems: readonly Problem[]): { text: string; fixed: Problem[] } {
  const accepted: Edit[] = [];
  const fixed: Problem[] = [];
  for (const problem of problems) {
    const edits = (problem.edits ?? []).filter((edit) => !accepted.some((other) => equal(edit, other)));
    if (problem.edits === undefined || problem.edits.length === 0) continue;
    const fits = edits.every(
      (edit, index) =>
        edit.start >= 0 &&
        edit.start <= edit.end &&
        edit.end <= text.length &&
        !accepted.some((other) => touch(edit, other)) &&
        !edits.some((other, at) => at !== index && touch(edit, other)),
    );
    if (!fits) continue;
    accepted.push(...edits);
    fixed.push(problem);
  }
  let edited = text;
  for (const edit of accepted.toSorted((a, b) => b.start - a.start))
    edited = edited.slice(0, edit.start) + edit.text + edited.slice(edit.end);
  return { text: edited, fixed };
}

function byFile(problems: readonly Problem[]): Map<string, Problem[]> {
  const files = new Map<string, Problem[]>();
  for (const problem of problems) {
    if (problem.edits === undefined || problem.edits.length === 0) continue;
    const group = files.get(problem.location.file);
    if (group === undefined) files.set(problem.location.file, [problem]);
    else group.push(problem);
  }
  return files;
}

function equal(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}

/** Two insertions at the same place conflict too: their order would be a guess. */
function touch(a: Edit, b: Edit): boolean {
  return (a.start < b.end && b.start < a.end) || a.start === b.start;
}

function replace(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch (error) {
    throw writeFault(path, error);
  }
}
