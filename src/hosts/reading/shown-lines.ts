/** What of one skill stands in a text. */
export interface ShownPart {
  /** Lines of its body, and of these the ones that no other skill has, with their length. */
  lines: number;
  own: number;
  ownLength: number;
  /** The line of its frontmatter that names it. */
  named: boolean;
}

interface Told {
  name: string;
  body: string;
}

/** Shorter lines (a bracket, a fence) stand everywhere. */
const TELLING = 4;
const ENOUGH_LINES = 3;
const ENOUGH_LENGTH = 80;

/** Knows the lines of several skills, to tell which of them a text shows. */
export class ShownLines<T extends Told> {
  #owners = new Map<string, Set<T>>();
  #names = new Map<string, T[]>();
  #totals = new Map<T, { lines: number; own: number }>();

  constructor(skills: readonly T[]) {
    for (const skill of skills) {
      this.#names.set(skill.name, [...(this.#names.get(skill.name) ?? []), skill]);
      for (const line of linesOf(skill.body)) this.#owners.set(line, (this.#owners.get(line) ?? new Set()).add(skill));
    }
    for (const skill of skills) {
      const lines = [...linesOf(skill.body)];
      this.#totals.set(skill, { lines: lines.length, own: lines.filter((line) => this.#owners.get(line)!.size === 1).length });
    }
  }

  in(text: string): Map<T, ShownPart> {
    const seen = new Map<T, ShownPart>();
    const of = (skill: T) => seen.get(skill) ?? seen.set(skill, { lines: 0, own: 0, ownLength: 0, named: false }).get(skill)!;
    for (const line of linesOf(text)) {
      for (const skill of this.#names.get(/^name:\s*["']?(.*?)["']?$/.exec(line)?.[1] ?? "") ?? []) of(skill).named = true;
      const owners = this.#owners.get(line) ?? [];
      for (const skill of owners) {
        const part = of(skill);
        part.lines++;
        if ((owners as Set<T>).size > 1) continue;
        part.own++;
        part.ownLength += line.length;
      }
    }
    return seen;
  }

  /** Whether that much of a skill is proof enough that it was shown, without a word on how. */
  proves(skill: T, { lines, own, ownLength, named }: ShownPart): boolean {
    const total = this.#totals.get(skill)!;
    const enough = (count: number, of: number) => of > 0 && count >= Math.min(ENOUGH_LINES, of);
    return (enough(own, total.own) && (named || ownLength >= ENOUGH_LENGTH)) || (named && enough(lines, total.lines));
  }
}

/** Without the numbers that `cat -n` and its like put before them. */
function linesOf(text: string): Set<string> {
  const lines = text.split(/\r?\n|\\n/).map((line) => line.replace(/^\s*\d+[\t→]/, "").trim());
  return new Set(lines.filter((line) => line.length >= TELLING));
}
