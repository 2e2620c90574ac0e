import { basename, dirname, join, resolve, sep } from "node:path";
import { isWithin } from "../../base/index.ts";
import type { Library, Skill } from "../../model/index.ts";

/**
 * Finds skills by identity, never by similarity: by id, name or `plugin:name`, with or without a leading `/` or `$`;
 * otherwise by the folder's name; otherwise by the path of the folder or its file. Several results mean that the name
 * is ambiguous.
 */
export function findSkill(library: Library, name: string): Skill[] {
  const plain = name.trim().replace(/^[/$]/, "");
  if (plain === "") return [];
  const { byName, byFolderName, byPath } = identitiesOf(library);
  return [...(byName.get(plain) ?? byFolderName.get(plain) ?? byPath.get(resolve(library.root, name.trim())) ?? [])];
}

export interface Names {
  library: Library;
  /**
   * Resolves a name by identity, otherwise as people write it (`/plugin:Skill Name`, `skills/x/SKILL.md`). Of several
   * skills with that name, takes the one closest to `near`.
   */
  resolve(name: string, near?: string): Resolved;
  owner(file: string): Owner | undefined;
}

export interface NamesNear {
  library: Library;
  file: string;
  path: string;
  resolve(name: string): Resolved;
  has(name: string): boolean;
  idOf(name: string): string;
  owner(): Owner | undefined;
}

type Resolved = { skill: Skill } | { ambiguous: Skill[] } | undefined;

export interface Owner {
  /** The skill's id, or its name if several skills have that name and none is closer than the others. */
  id: string;
  skill?: Skill;
  /**
   * How the path shows it: the file is `inside` the skill's folder, or that folder holds other skills too (`around`); a
   * `folder` or the `file` has the skill's name; or it is the `only` skill in that part of the tree.
   */
  by: "inside" | "around" | "folder" | "file" | "only";
  folder?: string;
}

function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const cached = new WeakMap<K, V>();
  return (key) => {
    const value = cached.get(key) ?? make(key);
    cached.set(key, value);
    return value;
  };
}

export const namesOf = oncePer(indexNames);

const identitiesOf = oncePer(({ skills }: Library) => {
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const byName = new Map<string, Skill[]>();
  const byFolderName = new Map<string, Skill[]>();
  const byPath = new Map<string, Skill[]>();
  for (const skill of skills) {
    add(byName, [skill.id, ...withPlugin(skill, skill.name)], skill);
    add(byFolderName, withPlugin(skill, basename(skill.dir)), skill);
    const folders = [skill.dir, ...skill.source.copies];
    add(byPath, [...folders, ...folders.map((dir) => join(dir, basename(skill.file)))], skill);
  }
  return { byId, byName, byFolderName, byPath };
});

function withPlugin({ source: { plugin } }: Skill, name: string): string[] {
  return plugin === undefined ? [name] : [name, `${plugin}:${name}`];
}

function add(index: Map<string, Skill[]>, names: Iterable<string>, skill: Skill): void {
  for (const name of new Set(names)) index.set(name, [...(index.get(name) ?? []), skill]);
}

export function namesNear(library: Library, file: string): NamesNear {
  const names = namesOf(library);
  const resolve = (name: string) => names.resolve(name, file);
  return {
    library,
    file,
    path: pathInLibrary(file, library),
    resolve,
    has: (name) => resolve(name) !== undefined,
    idOf(name) {
      const found = resolve(name);
      return found !== undefined && "skill" in found ? found.skill.id : name.trim().replace(/^[/$@]+/, "");
    },
    owner: () => names.owner(file),
  };
}

export function pathInLibrary(file: string, { root }: Library): string {
  return isWithin(root, file) ? file.slice(root.length) : file;
}

function normalName(name: string): string {
  let text = name.trim().replace(/^[`"'*]+|(?<![`"'*])[`"'*]+$/g, "");
  text = text.replace(/[\\/]SKILL\.md$/i, "").replace(/^[/$@]+/, "");
  if (/[\\/]/.test(text)) text = text.split(/[\\/]+/).findLast((part) => part !== "") ?? text;
  return text
    .toLowerCase()
    .replace(/(?<!\s)\s+skill$/, "")
    .replaceAll(/[\s_]+/g, "-");
}

function indexNames(library: Library): Names {
  const byName = new Map<string, Skill[]>();
  const byFolderName = new Map<string, Skill[]>();
  const byFolder = new Map<string, Skill>();
  const under = new Map<string, Skill | "several">();
  const plugins = new Set<string>();

  for (const skill of library.skills) {
    const { plugin } = skill.source;
    if (plugin !== undefined) plugins.add(normalName(plugin));
    add(byName, normalNames([skill.card.name, ...withPlugin(skill, skill.name)]), skill);
    add(byFolderName, normalNames(withPlugin(skill, basename(skill.dir))), skill);
    for (const folder of [skill.dir, ...skill.source.copies]) {
      byFolder.set(folder, skill);
      for (const ancestor of ancestors(folder, library.root)) {
        const before = under.get(ancestor);
        under.set(ancestor, before === undefined || before === skill ? skill : "several");
      }
    }
  }

  const called = (name: string): Skill[] => {
    // An id means one skill, even if others have it as their name.
    const own = identitiesOf(library).byId.get(name.trim());
    const same = own === undefined ? findSkill(library, name) : [own];
    if (same.length > 0) return same;
    const normal = normalName(name);
    // If the library does not know the plugin, only the part after the colon counts.
    const bare = normal.slice(normal.lastIndexOf(":") + 1);
    return byName.get(normal) ?? byFolderName.get(normal) ?? byName.get(bare) ?? byFolderName.get(bare) ?? [];
  };

  const resolve = (name: string, near?: string): Resolved => {
    const found = called(name);
    if (found.length === 0) return undefined;
    const [skill, ...rivals] = near === undefined || found.length === 1 ? found : nearestTo(near, found);
    return skill !== undefined && rivals.length === 0 ? { skill } : { ambiguous: found };
  };

  const named = (segment: string, file: string, common: RegExp | undefined): Omit<Owner, "by"> | undefined => {
    if (segment === "" || common?.test(segment)) return undefined;
    const found = resolve(segment, file);
    if (found === undefined) return undefined;
    return "skill" in found ? { id: found.skill.id, skill: found.skill } : { id: found.ambiguous[0]?.name ?? segment };
  };

  const owner = (file: string): Owner | undefined => {
    const folders = ancestors(dirname(file), library.root);
    const at = folders.findIndex((folder) => byFolder.has(folder));
    const home = folders[at];
    const skill = home === undefined ? undefined : byFolder.get(home);
    if (home !== undefined && skill !== undefined && under.get(home) === skill)
      return { id: skill.id, skill, by: "inside", folder: home };
    const found = byPlace(file, at === -1 ? folders : folders.slice(0, at));
    if (found !== undefined) return found;
    if (skill !== undefined) return { id: skill.id, skill, by: "around", folder: home };
    for (const folder of folders) {
      const skill = under.get(folder);
      if (skill === "several") return undefined;
      if (skill !== undefined) return { id: skill.id, skill, by: "only" };
    }
    return undefined;
  };

  const byPlace = (file: string, folders: string[]): Owner | undefined => {
    // A folder that holds skills is named after all of them, and the root may have any name.
    const segments = folders
      .filter((folder) => folder !== library.root && !under.has(folder))
      .map((folder) => basename(folder));
    const stem = basename(file).replace(/\.[^.]+$/, "");
    const byFolderOf = (list: string[], common?: RegExp) =>
      first(
        list,
        "folder",
        (segment) => named(segment, file, common) ?? named(withoutFileWords(segment), file, common),
      );
    const byFile = (common?: RegExp) =>
      first([stem, withoutFileWords(stem)], "file", (name) => named(name, file, common));
    const nearestTelling = segments.filter((segment) => !commonFolders.test(segment)).slice(0, 1);
    // A folder named after a plugin stands for all of its skills, even if one has the same name.
    const ofPlugin = nearestTelling.some((segment) => plugins.has(normalName(segment)));
    return (
      (ofPlugin ? byFile(commonFiles) : undefined) ??
      byFolderOf(nearestTelling, commonFolders) ??
      byFile(commonFiles) ??
      byFolderOf(segments, commonFolders) ??
      byFolderOf(segments) ??
      byFile()
    );
  };

  return { library, resolve, owner };
}

function first(
  names: string[],
  by: Owner["by"],
  find: (name: string) => Omit<Owner, "by"> | undefined,
): Owner | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return { ...found, by };
  }
  return undefined;
}

function normalNames(names: string[]): string[] {
  return names.map(normalName).filter((name) => name !== "");
}

/** Such names describe what a folder or file contains; they do not refer to a skill of that name. */
const commonFolders =
  /^(?:\.?evals?|evaluations?|tests?|__tests__|specs?|triggers?|trigger[-_]?(?:tests?|evals?|cases?|queries)|skills?|plugins?|datasets?|data|activation|routing|prompts?|fixtures?|cases?|tasks?|files|examples?|queries|benchmarks?|\.claude|\.agents|\.github|src|packages)$/i;

const commonFiles =
  /^(?:evals?|triggers?|trigger[-_]?(?:tests?|evals?|cases?|queries)|skills?|activation|routing|prompts?|cases?|queries|negatives?|positives?)$/i;

const aboutFile =
  "(?:triggers?|evals?|evaluations?|tests?|cases?|prompts?|quer(?:y|ies)|skills?|routing|activation|negatives?|positives?|workspace|set|data|dataset|suite|spec|v\\d+)";
/** In `order-status.triggers.json` or `trigger_eval_order-status.json`, the rest names the skill. */
const fileWords = new RegExp(`(?:[._-]${aboutFile})+$`, "i");
const fileWordsFirst = new RegExp(`^(?:${aboutFile}[._-])+`, "i");

function withoutFileWords(name: string): string {
  return name.replace(fileWords, "").replace(fileWordsFirst, "");
}

function ancestors(folder: string, root: string): string[] {
  const found: string[] = [];
  let at = folder;
  while (isWithin(root, at)) {
    found.push(at);
    const up = dirname(at);
    if (up === at) break;
    at = up;
  }
  return found;
}

function nearestTo(file: string, skills: Skill[]): Skill[] {
  const from = dirname(file).split(sep);
  const shared = skills.map((skill) =>
    Math.max(...[skill.dir, ...skill.source.copies].map((folder) => commonLength(from, folder.split(sep)))),
  );
  const most = Math.max(...shared);
  return skills.filter((_, index) => shared[index] === most);
}

function commonLength(a: string[], b: string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
