import { basename } from "node:path";
import { type Problem, relativePosix } from "../../base/index.ts";
import type { Library, Skill } from "../../model/index.ts";
import { foldCopies } from "./discovery/copies.ts";
import { libraryFingerprint } from "./fingerprints.ts";
import { placeIn } from "./place.ts";
import { problem } from "./rules.ts";

export function makeLibrary(root: string, name: string, found: readonly Skill[]): Library {
  const copied = found.map((skill) => ({
    ...skill,
    root,
    source: { ...skill.source, copies: [...skill.source.copies] },
  }));
  const { skills, problems } = foldCopies(root, copied);
  problems.push(...giveIds(root, skills));
  skills.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { root, name: name === "" ? basename(root) : name, skills, fingerprint: libraryFingerprint(skills), problems };
}

/**
 * The id is the name if unique, otherwise `plugin:name`, otherwise the folder, because scores must not mix skills with
 * the same name.
 */
function giveIds(root: string, skills: readonly Skill[]): Problem[] {
  const problems: Problem[] = [];
  const groups = groupBy(skills, (skill) => skill.name);
  for (const [name, group] of groups) {
    const byPlugin = groupBy(group, (skill) => skill.source.plugin ?? "");
    for (const [plugin, namesakes] of byPlugin) {
      const [first, second, ...others] = namesakes;
      for (const skill of namesakes)
        skill.id =
          second !== undefined ? folder(root, skill) : plugin === "" || group.length === 1 ? name : `${plugin}:${name}`;
      if (first !== undefined && second !== undefined) problems.push(duplicate(root, name, [first, second, ...others]));
    }
  }
  return problems;
}

function folder(root: string, skill: Skill): string {
  return relativePosix(root, skill.dir) || skill.name;
}

function duplicate(root: string, name: string, namesakes: readonly [Skill, Skill, ...Skill[]]): Problem {
  const [first, second, ...others] = namesakes;
  const { file, reading } = second;
  const place = reading?.fields.get("name")?.value;
  return problem("skill/duplicate-name", {
    message: `${folder(root, first)} and ${[second, ...others].map((skill) => folder(root, skill)).join(", ")} are different skills, ${others.length === 0 ? "both" : "all"} called ${name}. Some hosts list ${others.length === 0 ? "both" : "them all"}, others keep one of them.`,
    fix: "Rename all but one, or put them into separate plugins.",
    location: reading && place ? placeIn(reading.text, file, place) : { file },
  });
}

function groupBy(skills: readonly Skill[], key: (skill: Skill) => string): Map<string, Skill[]> {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) {
    const group = groups.get(key(skill));
    if (group) group.push(skill);
    else groups.set(key(skill), [skill]);
  }
  return groups;
}
