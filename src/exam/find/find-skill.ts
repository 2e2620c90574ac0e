import { basename, join, resolve } from "node:path";
import type { Library, Skill } from "../../model/index.ts";

/**
 * The skills a name refers to, by identity and never by similarity: id, name, `plugin:name`, with or without a leading `/` or `$`;
 * else the name of the folder; else the path of the folder or its file. None: unknown. Several: ambiguous.
 */
export function findSkill(library: Library, name: string): Skill[] {
  const plain = name.trim().replace(/^[/$]/, "");
  if (plain === "") return [];
  const { byName, byFolderName, byPath } = namesOf(library);
  return [...(byName.get(plain) ?? byFolderName.get(plain) ?? byPath.get(resolve(library.root, name.trim())) ?? [])];
}

interface NameIndex {
  byName: Map<string, Set<Skill>>;
  byFolderName: Map<string, Set<Skill>>;
  byPath: Map<string, Set<Skill>>;
}

const known = new WeakMap<readonly Skill[], NameIndex>();

/** Every question of a run looks its skill up: a library is read through once, not once a question. */
function namesOf({ skills }: Library): NameIndex {
  let names = known.get(skills);
  if (names === undefined) {
    names = { byName: new Map(), byFolderName: new Map(), byPath: new Map() };
    for (const skill of skills) {
      for (const name of [skill.id, ...withPlugin(skill, skill.name)]) add(names.byName, name, skill);
      for (const name of withPlugin(skill, basename(skill.dir))) add(names.byFolderName, name, skill);
      for (const path of paths(skill)) add(names.byPath, path, skill);
    }
    known.set(skills, names);
  }
  return names;
}

function add(index: Map<string, Set<Skill>>, name: string, skill: Skill): void {
  const before = index.get(name);
  if (before === undefined) index.set(name, new Set([skill]));
  else before.add(skill);
}

function withPlugin({ source: { plugin } }: Skill, name: string): string[] {
  return plugin === undefined ? [name] : [name, `${plugin}:${name}`];
}

function paths(skill: Skill): string[] {
  const file = basename(skill.file);
  return [skill.dir, ...skill.source.copies].flatMap((dir) => [dir, join(dir, file)]);
}
