/** A pattern of Python's `re` in the words of RE2, and what has to be done to a text before it is searched. */
export interface PythonPattern {
  source: string;
  prepare(text: string): string;
  restore(found: string): string;
}

/** Python's `re` can do it, RE2 cannot: nothing else would be an honest answer. */
class Unsupported extends Error {}

export function isUnsupported(error: unknown): error is Error {
  return error instanceof Unsupported;
}

/**
 * Python's classes know all of Unicode, RE2's only ASCII; `$` holds before a last newline; `\Z` is RE2's `\z`. A boundary of words
 * cannot be said in RE2 with Unicode in mind: where a pattern has one, every boundary of the text gets a mark (from the private-use
 * area), `\b` means the mark, and whatever else is matched steps over it.
 */
export function pythonPattern(written: string): PythonPattern {
  const marked = hasBoundary(written);
  const source = new Translation(written, marked).source();
  return marked
    ? { source, prepare: markBoundaries, restore: (found) => found.replaceAll(MARK, "") }
    : { source, prepare: same, restore: same };
}

const MARK = "\uE0F1";
const MARK_CLASS = "\\x{E0F1}";
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";
const DIGIT = "\\p{Nd}";
const WORD = "\\p{L}\\p{N}_";
const CLASSES: Record<string, string> = { d: DIGIT, w: WORD, s: SPACE };
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

function same(text: string): string {
  return text;
}

function hasBoundary(written: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*\\b/.test(written.replace(/\[\^?\]?(?:[^\]\\]|\\.)*\]/gs, ""));
}

function markBoundaries(text: string): string {
  let marked = "";
  let inside = false;
  for (const character of text) {
    const isWord = WORD_CHARACTER.test(character);
    if (isWord !== inside) marked += MARK;
    inside = isWord;
    marked += character;
  }
  return inside ? marked + MARK : marked;
}

class Translation {
  readonly #written: string;
  readonly #marked: boolean;
  #at = 0;
  #out = "";

  constructor(written: string, marked: boolean) {
    this.#written = written;
    this.#marked = marked;
  }

  source(): string {
    while (this.#at < this.#written.length) this.#out += this.#next();
    return this.#out;
  }

  #next(): string {
    const rest = this.#written.slice(this.#at);
    const [first = ""] = rest;
    if (first === "\\") return this.#escape(rest);
    if (first === "[") return this.#class();
    if (first === "(") return this.#group(rest);
    if (first === "$") return this.#dollar();
    if (/^[*+?]\+/.test(rest)) throw this.#refused("possessive quantifiers");
    if (/^\{\d*,?\d*\}\+/.test(rest)) throw this.#refused("possessive quantifiers");
    if (/^[*+?|)^]/.test(first) || /^\{\d+(?:,\d*)?\}|^\{,\d+\}/.test(rest)) return this.#operator(rest);
    if (first === ".") return this.#atom(this.#marked ? `[^${this.#dotAll() ? "" : "\\n"}${MARK_CLASS}]` : ".", 1);
    const character = String.fromCodePoint(rest.codePointAt(0)!);
    return this.#atom(/[{}\]]/.test(character) ? `\\${character}` : character, character.length);
  }

  /** `{,3}` means up to three; RE2 takes it for text. */
  #operator(rest: string): string {
    const upTo = /^\{,(\d+)\}/.exec(rest);
    if (upTo !== null) return this.#raw(`{0,${upTo[1]}}`, upTo[0].length);
    const counted = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0];
    return this.#raw(counted ?? rest[0]!, counted?.length ?? 1);
  }

  #escape(rest: string): string {
    const name = rest[1] ?? "";
    if (name === "b") return this.#boundary();
    if (name === "B") throw this.#refused("`\\B`");
    if (name === "Z") return this.#raw("\\z", 2);
    if (name === "A") return this.#raw("\\A", 2);
    if (/[1-9]/.test(name)) throw this.#refused("back-references");
    if (name in CLASSES) return this.#atom(`[${CLASSES[name]}]`, 2);
    if (/[DWS]/.test(name)) return this.#atom(`[^${CLASSES[name.toLowerCase()]}${this.#marked ? MARK_CLASS : ""}]`, 2);
    const [source, length] = escaped(rest);
    return this.#atom(source, length);
  }

  #boundary(): string {
    // Twice at one place is once.
    return this.#raw(this.#out.endsWith(MARK_CLASS) ? "" : MARK_CLASS, 2);
  }

  #class(): string {
    const end = this.#classEnd();
    const inside = this.#written.slice(this.#at + 1, end);
    const negated = inside.startsWith("^");
    const members = (negated ? inside.slice(1) : inside)
      .replace(/^\]/, "\\]")
      .replace(/\\([dwsDWSbABZ])|\[/g, (all, name: string | undefined) => {
        if (name === undefined) return "\\[";
        if (name === "b") return "\\x08";
        if (name in CLASSES) return CLASSES[name]!;
        if (/[DWS]/.test(name)) throw this.#refused(`\`\\${name}\` inside brackets`);
        return all;
      });
    return this.#atom(`[${negated ? "^" : ""}${members}${negated && this.#marked ? MARK_CLASS : ""}]`, end + 1 - this.#at);
  }

  #classEnd(): number {
    let at = this.#at + 1;
    if (this.#written[at] === "^") at++;
    if (this.#written[at] === "]") at++;
    for (; at < this.#written.length; at++) {
      if (this.#written[at] === "\\") at++;
      else if (this.#written[at] === "]") return at;
    }
    throw new Error("missing closing ]");
  }

  #group(rest: string): string {
    if (/^\(\?<?[=!]/.test(rest)) throw this.#refused("look-around");
    if (rest.startsWith("(?>")) throw this.#refused("atomic groups");
    if (rest.startsWith("(?P=")) throw this.#refused("back-references");
    if (rest.startsWith("(?(")) throw this.#refused("conditional groups");
    const comment = /^\(\?#[^)]*\)/.exec(rest)?.[0];
    if (comment !== undefined) return this.#raw("", comment.length);
    const flags = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?([):])/.exec(rest);
    if (flags !== null) {
      const [whole, on = "", off = "", end = ""] = flags;
      if (/[aLx]/.test(on + off)) throw this.#refused("the flags a, L and x");
      if (end === ")" && this.#at > 0) throw new Error("flags must be at the beginning, as in Python");
      const kept = on.replaceAll("u", "");
      if (end === ")" && kept === "" && off === "") return this.#raw("", whole.length);
      return this.#raw(`(?${kept}${off === "" ? "" : `-${off}`}${end}`, whole.length);
    }
    const opening = /^\(\?P<\w+>/.exec(rest)?.[0] ?? "(";
    return this.#raw(opening, opening.length);
  }

  #dollar(): string {
    const mark = this.#marked ? `${MARK_CLASS}?` : "";
    // Multi-line, it holds at every line; otherwise at the end and before a last newline.
    return this.#raw(this.#multiline() ? `${mark}$` : `(?:${mark}\\n?\\z)`, 1);
  }

  /** Python wants such flags at the very beginning, for all of the pattern. */
  #multiline(): boolean {
    return /^\(\?[a-zA-Z]*m/.test(this.#written);
  }

  #dotAll(): boolean {
    return /^\(\?[a-zA-Z]*s/.test(this.#written);
  }

  #atom(source: string, length: number): string {
    return this.#raw(this.#marked ? `(?:${MARK_CLASS}?${source})` : source, length);
  }

  #raw(source: string, length: number): string {
    this.#at += length;
    return source;
  }

  #refused(what: string): Unsupported {
    return new Unsupported(
      `This pattern cannot be honoured: Proctor's engine takes linear time and has no ${what} (character ${this.#at + 1})`,
    );
  }
}

/** An escape outside of brackets that both understand, or as RE2 writes it. */
function escaped(rest: string): [string, number] {
  const code = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  if (code !== null) return [`\\x{${code[1] ?? code[2] ?? code[3]}}`, code[0].length];
  const name = String.fromCodePoint(rest.codePointAt(1) ?? 0);
  if (rest.length < 2) throw new Error("it ends with a backslash");
  if (/[afnrtv]/.test(name)) return [`\\${name}`, 2];
  if (name === "0") return ["\\x00", 2];
  if (/[A-Za-z]/.test(name)) throw new Error(`bad escape \\${name}`);
  return [/[\\.+*?()|[\]{}^$]/.test(name) ? `\\${name}` : name, 1 + name.length];
}
