import { basename, join, resolve } from "node:path";
import type { Library, Skill } from "./skill.ts";

/**
 * The skills a name refers to, by identity and never by similarity: id, name, `plugin:name`, with or without a leading `/` or `$`;
 * else the name of the folder; else the path of the folder or its file. None: unknown. Several: ambiguous.
 */
export function findSkill(library: Library, name: string): Skill[] {
  const plain = name.trim().replace(/^[/$]/, "");
  if (plain === "") return [];
  const tiers: ((skill: Skill) => boolean)[] = [
    (skill) => skill.id === plain || skill.name === plain || qualified(skill, skill.name) === plain,
    (skill) => basename(skill.dir) === plain || qualified(skill, basename(skill.dir)) === plain,
    (skill) => paths(skill).includes(resolve(library.root, name.trim())),
  ];
  for (const tier of tiers) {
    const found = library.skills.filter(tier);
    if (found.length > 0) return found;
  }
  return [];
}

function qualified(skill: Skill, name: string): string | undefined {
  return skill.source.plugin === undefined ? undefined : `${skill.source.plugin}:${name}`;
}

function paths(skill: Skill): string[] {
  const file = basename(skill.file);
  return [skill.dir, ...skill.source.copies].flatMap((dir) => [dir, join(dir, file)]);
}
