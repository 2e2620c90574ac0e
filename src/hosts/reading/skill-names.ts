/** If unknown, an ambiguous name refers to no skill. */
export interface SkillNaming {
  /** `folder`: the frontmatter's name works too, unless it is the name of another folder. */
  by: "folder" | "name";
  ignoreCase?: true;
  /** If several skills share a name, the alphabetically first folder wins. */
  first?: true;
}

interface Named {
  id: string;
  folder: string;
  name: string;
  plugin?: string;
}

export class SkillNames<T extends Named> {
  #naming: SkillNaming | undefined;
  #ways: Map<string, T[]>[];

  constructor(skills: readonly T[], naming: SkillNaming | undefined) {
    this.#naming = naming;
    const inOrder = [...skills].sort((a, b) => (a.folder < b.folder ? -1 : 1));
    const ways: ((skill: T) => (string | undefined)[])[] = [
      ...plain(naming),
      (skill) => [skill.id, skill.plugin && `${skill.plugin}:${skill.name}`],
    ];
    this.#ways = ways.map((way) => {
      const names = new Map<string, T[]>();
      for (const skill of inOrder)
        for (const name of new Set(way(skill)))
          if (name !== undefined) names.set(this.#key(name), [...(names.get(this.#key(name)) ?? []), skill]);
      return names;
    });
  }

  meant(name: unknown): T | undefined {
    const candidates = this.candidates(name);
    return candidates.length === 1 || this.#naming?.first ? candidates[0] : undefined;
  }

  candidates(name: unknown): T[] {
    if (typeof name !== "string") return [];
    const trimmed = name.trim();
    return this.#known(trimmed) ?? (trimmed.startsWith("/") ? this.#known(trimmed.slice(1)) : undefined) ?? [];
  }

  of({ folder, name }: T): string[] {
    switch (this.#naming?.by) {
      case "folder":
        return [folder];
      case "name":
        return [name];
      default:
        return [...new Set([folder, name])];
    }
  }

  #known(name: string): T[] | undefined {
    return this.#ways.map((names) => names.get(this.#key(name))).find((skills) => skills !== undefined);
  }

  #key(name: string): string {
    return this.#naming?.ignoreCase ? name.toLowerCase() : name;
  }
}

function plain(naming: SkillNaming | undefined): ((skill: Named) => string[])[] {
  switch (naming?.by) {
    case "folder":
      return [({ folder }) => [folder], ({ name }) => [name]];
    case "name":
      return [({ name }) => [name]];
    default:
      return [({ folder, name }) => [folder, name]];
  }
}
