import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { ListingEntry, Skill } from "../../model/index.ts";
import { unescapeEntities } from "./entities.ts";
import { type Opened, openedFiles, realPath } from "./opened-files.ts";
import { ShownLines, type ShownPart } from "./shown-lines.ts";
import { SkillNames, type SkillNaming } from "./skill-names.ts";

export interface StagedSkill {
  id: string;
  folder: string;
  name: string;
  plugin?: string;
  dir: string;
  file: string;
  description: string;
  whenToUse?: string;
  body: string;
}

export class StagedSkills {
  readonly skills: readonly StagedSkill[];
  readonly workspace: string;
  readonly elsewhere: readonly string[];
  #names: SkillNames<StagedSkill>;
  #lines: ShownLines<StagedSkill>;

  constructor(
    workspace: string,
    skills: readonly StagedSkill[],
    { naming, elsewhere = [] }: { naming?: SkillNaming | undefined; elsewhere?: readonly string[] } = {},
  ) {
    this.workspace = workspace;
    this.skills = skills;
    this.elsewhere = elsewhere;
    this.#names = new SkillNames(skills, naming);
    this.#lines = new ShownLines(skills, elsewhere);
  }

  byName(name: unknown): StagedSkill | undefined {
    return this.#names.meant(name);
  }

  /** Like `byName`; if several share the name, the host's output decides. */
  byLoad(name: unknown, output: string | undefined): StagedSkill | undefined {
    const alike = this.#names.candidates(name);
    if (alike.length < 2) return alike[0];
    const placed = alike.filter(({ dir }) => output !== undefined && hasPath(output, dir));
    // Some hosts show only the description of the skill they loaded.
    const shown = [
      ...this.byText(output),
      ...alike.filter(({ description }) => oneLine(description) === oneLine(output ?? "")),
    ];
    const told = placed.length > 0 ? placed : alike.filter((skill) => shown.includes(skill));
    return told.length === 1 ? told[0] : this.#names.meant(name);
  }

  namesOf(skill: StagedSkill): string[] {
    return this.#names.of(skill);
  }

  byFile(path: unknown, cwd = this.workspace): StagedSkill | undefined {
    if (typeof path !== "string") return undefined;
    const absolute = realPath(cwd, path.replace(/^file:\/\//, ""));
    return this.skills.find((skill) => samePath(skill.file, absolute));
  }

  byDir(path: string): StagedSkill | undefined {
    return this.skills.find((skill) => samePath(skill.dir, resolve(this.workspace, path)));
  }

  byCommand(command: unknown, cwd?: string): StagedSkill[] {
    const opens = this.#opener(command, cwd);
    return this.skills.filter((skill) => ["path", "pattern"].includes(opens(skill.file) ?? ""));
  }

  /**
   * The skills that a finished shell command reached. Its output decides, since its text shows neither the branch taken
   * nor where the output went. The text helps if little was printed, or if the output or the skill's body is unknown.
   */
  byShell(
    command: unknown,
    { ok, output, cwd }: { ok: boolean; output: string | undefined; cwd?: string | undefined },
  ): { skill: StagedSkill; shown: boolean }[] {
    const opens = this.#opener(command, cwd);
    const seen = this.#lines.in(output ?? "", typeof command === "string" ? command : "");
    return this.skills.flatMap((skill): { skill: StagedSkill; shown: boolean }[] => {
      const opened = opens(skill.file);
      if (this.#shows(skill, { opened, seen: seen.get(skill), ok, output })) return [{ skill, shown: true }];
      return opened === "path" && !ok ? [{ skill, shown: false }] : [];
    });
  }

  /** The skills whose body a text shows. A small part counts only together with the frontmatter. */
  byText(text: string | undefined): StagedSkill[] {
    return [...this.#lines.in(text ?? "")].flatMap(([skill, part]) => (this.#lines.proves(skill, part) ? [skill] : []));
  }

  #shows(
    skill: StagedSkill,
    {
      opened,
      seen,
      ok,
      output,
    }: { opened: Opened; seen: ShownPart | undefined; ok: boolean; output: string | undefined },
  ): boolean {
    if (seen !== undefined && this.#lines.proves(skill, seen)) return true;
    if (opened === undefined) return false;
    if (output === undefined) return ok;
    if (opened === "search") return seen !== undefined && this.#lines.isWhole(skill, seen);
    if (opened === "pattern") return (seen?.lines ?? 0) > 0;
    if (skill.body.trim() === "") return ok && output !== "";
    const telling = skill.body.split("\n").filter((line) => line.trim().length >= 8);
    if (seen !== undefined || telling.some((line) => output.includes(line.trim()))) return true;
    return telling.length === 0 && oneLine(output).includes(oneLine(skill.body));
  }

  mayMean(words: string): boolean {
    // `!`: a split text has a first part.
    const folders = new Set(this.skills.map(({ dir }) => relative(this.workspace, dir).split(sep)[0]!));
    return (
      MAY_READ_ALL.test(words) ||
      [...folders].some((folder) => words.includes(`${folder}/`) || words.includes(`${folder} `))
    );
  }

  #opener(command: unknown, cwd = this.workspace): (file: string) => Opened {
    if (typeof command !== "string") return () => undefined;
    return openedFiles(command, isAbsolute(cwd) ? cwd : join(this.workspace, cwd));
  }

  /** Matches listed entries by file if given, else by name; among skills of the same name, by description. */
  listed(entries: readonly { name: string; text: string | undefined; file?: string | undefined }[]): ListingEntry[] {
    const shown = new Map<StagedSkill, { text: string | undefined }>();
    for (const entry of entries) {
      const alike = this.#names.candidates(entry.name);
      const same = alike.filter(({ description }) => isWhole(description, entry.text));
      const placed = this.byFile(entry.file);
      for (const skill of placed !== undefined ? [placed] : same.length > 0 ? same : alike)
        if (!shown.has(skill)) shown.set(skill, entry);
    }
    return this.listing((skill) => shown.get(skill));
  }

  listing(shown: (skill: StagedSkill) => { text: string | undefined } | undefined): ListingEntry[] {
    return this.skills.map((skill) => ({ skill: skill.id, shown: howShown(skill, shown(skill)) }));
  }
}

const MAY_READ_ALL = /SKILL\.md|\bskills\b|\bfind\b|\bxargs\b|\brg\b|\bgrep\s+-\w*r|\*\.md|\*\*/i;

export function stagedSkill(skill: Skill, dir: string): StagedSkill {
  return {
    id: skill.id,
    folder: dir.split(sep).at(-1)!,
    name: skill.name,
    plugin: skill.source.plugin,
    dir,
    file: join(dir, "SKILL.md"),
    description: skill.card.description,
    whenToUse: skill.card.whenToUse,
    body: skill.body,
  };
}

function howShown(skill: StagedSkill, entry: { text: string | undefined } | undefined): ListingEntry["shown"] {
  if (entry === undefined) return "absent";
  const shown = oneLine(entry.text ?? "");
  const full = oneLine(skill.description);
  if (shown === "") return full === "" ? "whole" : "bare";
  return isWhole(skill.description, entry.text) ? "whole" : "cut";
}

/** Some hosts append the skill's origin. */
function isWhole(description: string, shown: string | undefined): boolean {
  return oneLine(shown ?? "").startsWith(oneLine(description));
}

function oneLine(text: string): string {
  return unescapeEntities(text).replace(/\s+/g, " ").trim();
}

function hasPath(text: string, dir: string): boolean {
  return text
    .split(dir)
    .slice(1)
    .some((rest) => !/^[\w.-]/.test(rest));
}

function samePath(a: string, b: string): boolean {
  return a === b || (process.platform === "win32" ? relative(a, b) === "" : false);
}
