import { basename, dirname, join } from "node:path";
import { isSafeSegment } from "../../base/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import type { Library, Skill, Suite } from "../../model/index.ts";

/** Where a skill's first suite belongs: where the library already keeps its suites, else in the skill's own folder. */
export function placeOfSuite(skill: Skill, suites: readonly Suite[], library: Library): string {
  const folders = suiteFolders(suites, library);
  const inside = suites.filter(({ file }) => namesOf(library).owner(file)?.by === "inside").length;
  const [folder, count] = [...folders].sort((a, b) => b[1] - a[1])[0] ?? [undefined, 0];
  const isUnique = library.skills.filter(({ name }) => name === skill.name).length === 1;
  if (folder !== undefined && count >= inside && isUnique && isSafeSegment(skill.name))
    return join(folder, skill.name, "triggers.yaml");
  return join(skill.dir, "evals", "triggers.yaml");
}

/** Folders that hold a folder per skill, like evals/order-status/, and how many suites are in them. */
function suiteFolders(suites: readonly Suite[], library: Library): Map<string, number> {
  const found = new Map<string, number>();
  for (const { file } of suites) {
    const owner = namesOf(library).owner(file);
    const folder = dirname(file);
    if (
      owner?.by !== "folder" ||
      owner.skill === undefined ||
      ![owner.skill.name, basename(owner.skill.dir)].includes(basename(folder))
    )
      continue;
    found.set(dirname(folder), (found.get(dirname(folder)) ?? 0) + 1);
  }
  return found;
}
