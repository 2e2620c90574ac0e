export interface ShownPart {
  /** Counts of body lines; `own` lines occur nowhere else in the workspace, `ownLength` is their total length. */
  lines: number;
  own: number;
  ownLength: number;
  named: boolean;
}

interface NamedBody {
  name: string;
  body: string;
}

/** Shorter lines, such as a bracket or a fence, occur everywhere. */
const TELLING = 4;
const ENOUGH_LINES = 3;
/** This many characters of a body's own lines are no coincidence. A shorter body must be shown whole. */
const ENOUGH_LENGTH = 80;
const LEAST_LENGTH = 24;

export class ShownLines<T extends NamedBody> {
  #owners = new Map<string, Set<T>>();
  #names = new Map<string, T[]>();
  #totals = new Map<T, { lines: number; own: number; ownLength: number }>();
  #elsewhere: ReadonlySet<string>;

  /** `elsewhere`: lines that other files of the workspace have too, see `linesElsewhere`. */
  constructor(skills: readonly T[], elsewhere: Iterable<string> = []) {
    this.#elsewhere = new Set(elsewhere);
    for (const skill of skills) {
      this.#names.set(skill.name, [...(this.#names.get(skill.name) ?? []), skill]);
      for (const line of linesOf(skill.body)) this.#owners.set(line, (this.#owners.get(line) ?? new Set()).add(skill));
    }
    for (const skill of skills) {
      const lines = [...linesOf(skill.body)];
      const own = lines.filter((line) => this.#isOwn(line));
      this.#totals.set(skill, { lines: lines.length, own: own.length, ownLength: own.join("").length });
    }
  }

  /** `asked`: the call that the text answers; lines that it contains do not count. */
  in(text: string, asked = ""): Map<T, ShownPart> {
    const seen = new Map<T, ShownPart>();
    const counted = new Set<string>();
    // `!`: it has just been set, and every skill has a total.
    const of = (skill: T) =>
      seen.get(skill) ?? seen.set(skill, { lines: 0, own: 0, ownLength: 0, named: false }).get(skill)!;
    for (const line of rawLines(text)) {
      for (const form of forms(line)) {
        const named = this.#named(form);
        for (const skill of named) of(skill).named = true;
        const owners = this.#owners.get(form);
        if (owners !== undefined && !counted.has(form) && !asked.includes(form)) {
          counted.add(form);
          for (const skill of owners) {
            const part = of(skill);
            part.lines++;
            if (!this.#isOwn(form)) continue;
            part.own++;
            part.ownLength += form.length;
          }
        }
        if (owners !== undefined || named.length > 0) break;
      }
    }
    return seen;
  }

  proves(skill: T, { lines, own, ownLength, named }: ShownPart): boolean {
    const total = this.#totals.get(skill)!;
    const enough = (count: number, of: number) => of > 0 && count >= Math.min(ENOUGH_LINES, of);
    const long = ownLength >= Math.max(LEAST_LENGTH, Math.min(ENOUGH_LENGTH, total.ownLength));
    return (enough(own, total.own) && (named || long)) || (named && enough(lines, total.lines));
  }

  isWhole(skill: T, { own }: ShownPart): boolean {
    const total = this.#totals.get(skill)!;
    return total.own > 0 && own === total.own;
  }

  #isOwn(line: string): boolean {
    return this.#owners.get(line)?.size === 1 && !this.#elsewhere.has(line);
  }

  #named(line: string): T[] {
    const name = nameIn(line);
    return name === undefined || this.#elsewhere.has(line) ? [] : (this.#names.get(name) ?? []);
  }
}

export function linesElsewhere(skills: readonly NamedBody[], texts: Iterable<string>): string[] {
  const known = new Set(skills.flatMap(({ body }) => [...linesOf(body)]));
  const names = new Set(skills.map(({ name }) => name));
  const found = new Set<string>();
  for (const text of texts)
    for (const line of rawLines(text))
      for (const form of forms(line)) if (known.has(form) || names.has(nameIn(form) ?? "")) found.add(form);
  return [...found];
}

function nameIn(line: string): string | undefined {
  return line.startsWith("name:") ? /^name:\s*["']?(.*?)["']?$/.exec(line)?.[1] : undefined;
}

function linesOf(text: string): Set<string> {
  return new Set(
    rawLines(text)
      .map((line) => line.trim())
      .filter((line) => line.length >= TELLING),
  );
}

function rawLines(text: string): string[] {
  return text.split(/\r?\n|\\n/);
}

/** Prefixes that programs print before a line: number, file, both, a diff mark or a quote mark. */
const PREFIXES = [
  /^\d+\s*[.\t→:|)│-]?\s*/,
  /^[^:]{1,400}?:\d+[:-]/,
  /^[^:]{1,400}?:/,
  /^.{1,400}?-\d+-/,
  /^[-+<>|│]\s?/,
];

function* forms(line: string): Generator<string> {
  const whole = line.trim();
  if (whole.length < TELLING) return;
  yield whole;
  // Longer lines are data.
  if (whole.length > 10_000) return;
  for (const bare of [whole, ...PREFIXES.map((prefix) => whole.replace(prefix, "").trim())]) {
    if (bare !== whole && bare.length >= TELLING) yield bare;
    // `cat -A` marks the end of a line.
    const unmarked = bare.replace(/(\^M)?\$$/, "");
    if (unmarked !== bare && unmarked.length >= TELLING) yield unmarked;
  }
}
