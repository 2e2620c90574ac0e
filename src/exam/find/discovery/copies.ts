import { basename, dirname, relative, sep } from "node:path";
import type { Problem } from "../../../base/index.ts";
import type { Skill } from "../../../model/index.ts";
import { placeIn } from "../place.ts";
import { problem } from "../rules.ts";
import { FIRST_TOOLS, isToolFolder } from "./tool-folders.ts";

/**
 * A skill copied into several tools' folders counts once: the first one stays, the others become its copies. Copies
 * have the same name and either the same text or the same path except for the tool's folder (`.claude/skills/x` and
 * `.agents/skills/x`). Skills of different plugins are never copies. Copies side by side in one folder serve no other
 * host, so they are reported.
 */
export function foldCopies(root: string, skills: readonly Skill[]): { skills: Skill[]; problems: Problem[] } {
  const kept: Skill[] = [];
  const problems: Problem[] = [];
  const byName = new Map<string, Skill[]>();
  const sideBySide = new Map<Skill, Skill[]>();
  for (const skill of inOrder(root, skills)) {
    const namesakes = byName.get(skill.name) ?? [];
    const original = namesakes.find((other) => isCopy(root, other, skill));
    if (original) {
      original.source.copies.push(skill.dir, ...skill.source.copies);
      if (dirname(original.dir) === dirname(skill.dir) && !isToolFolder(basename(skill.dir)))
        sideBySide.set(original, [...(sideBySide.get(original) ?? []), skill]);
      if (!sameText(original, skill)) problems.push(drift(root, original, skill));
      continue;
    }
    byName.set(skill.name, [...namesakes, skill]);
    kept.push(skill);
  }
  problems.push(...[...sideBySide].map(([original, copies]) => copiesInOneFolder(original, copies)));
  return { skills: kept, problems };
}

function isCopy(root: string, a: Skill, b: Skill): boolean {
  if (a.source.plugin !== b.source.plugin && a.source.plugin !== undefined && b.source.plugin !== undefined)
    return false;
  return sameText(a, b) || withoutTools(root, a.dir) === withoutTools(root, b.dir);
}

function sameText(a: Skill, b: Skill): boolean {
  return sameHeader(a, b) && unix(a.body) === unix(b.body);
}

function sameHeader(a: Skill, b: Skill): boolean {
  return unix(a.reading?.header ?? "") === unix(b.reading?.header ?? "");
}

function unix(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

function withoutTools(root: string, dir: string): string {
  return parts(root, dir)
    .filter((part, index, all) => !isToolFolder(part, all[index + 1]))
    .join("/");
}

function inOrder(root: string, skills: readonly Skill[]): Skill[] {
  const places = skills.map((skill) => {
    const path = parts(root, skill.dir);
    const host = path.find((part) => part.startsWith("."));
    const rank =
      host === undefined ? 0 : FIRST_TOOLS.includes(host) ? FIRST_TOOLS.indexOf(host) + 1 : FIRST_TOOLS.length + 1;
    return { skill, rank, depth: path.length };
  });
  places.sort(
    (a, b) =>
      a.rank - b.rank || a.depth - b.depth || (a.skill.dir < b.skill.dir ? -1 : a.skill.dir > b.skill.dir ? 1 : 0),
  );
  return places.map(({ skill }) => skill);
}

function parts(root: string, dir: string): string[] {
  return relative(root, dir).split(sep);
}

function copiesInOneFolder(original: Skill, copies: readonly Skill[]): Problem {
  // `!`: there is at least one copy.
  const { file, reading } = copies[0]!;
  const place = reading?.fields.get("name")?.value;
  const folders = copies.slice(0, 3).map(({ dir }) => `${basename(dir)}/`);
  const which = copies.length > 3 ? `${folders.join(", ")} and ${copies.length - 3} more` : folders.join(", ");
  return problem("skill/duplicate-name", {
    message: `${which} beside ${basename(original.dir)}/ ${copies.length === 1 ? "is a copy" : "are copies"} of it, all called ${original.name}. Hosts that go by the folder list each of them; here they are examined as one skill.`,
    fix: "Delete the copies, or give each its own name and description.",
    location: reading && place ? placeIn(reading.text, file, place) : { file },
  });
}

function drift(root: string, original: Skill, copy: Skill): Problem {
  const header = !sameHeader(original, copy);
  const where = parts(root, original.dir).join("/");
  return problem("skill/copies-differ", {
    severity: header ? "warning" : "info",
    message: header
      ? `This copy of ${copy.name} has different frontmatter from ${where}. Which one a model is shown depends on the host; ${where} is the one examined.`
      : `This copy of ${copy.name} has a different body from ${where}, which is the one examined.`,
    fix: "Copy the one that is right over the other, or link the folders.",
    location: { file: copy.file, line: 1, column: 1 },
  });
}
