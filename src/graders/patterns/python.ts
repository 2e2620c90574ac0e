import { RE2JS } from "re2js";

export interface PythonPattern {
  source: string;
  prepare(text: string): string;
  /** Removes from a match what translation added: the marks, and the newline that `$` consumed. */
  restore(found: string, group: (index: number) => string | null): string;
}

class Unsupported extends Error {}

export function isUnsupported(error: unknown): error is Error {
  return error instanceof Unsupported;
}

/**
 * Translates a Python `re` pattern to RE2. Python's classes cover Unicode, RE2's only ASCII; Python's `$` also matches
 * before a final newline. RE2 has no Unicode word boundary: if a pattern has `\b`, `prepare` puts a private-use
 * character at every boundary of the text, `\b` matches that mark, and everything else skips it.
 */
export function pythonPattern(written: string): PythonPattern {
  const marked = hasBoundary(written);
  const translation = new Translation(written, marked);
  const source = translation.source();
  return {
    source,
    prepare: marked ? markBoundaries : (text) => text,
    restore(found, group) {
      const newline = translation.newlines.some((index) => group(index) === "\n");
      return (newline ? found.slice(0, -1) : found).replaceAll(MARK, "");
    },
  };
}

const MARK = "\uE0F1";
const MARK_CLASS = "\\x{E0F1}";
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";
const DIGIT = "\\p{Nd}";
const WORD = "\\p{L}\\p{N}_";
const CLASSES: Record<string, string> = { d: DIGIT, w: WORD, s: SPACE };
const NO_SPACE =
  "\\x00-\\x08\\x0e-\\x1b!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}";
/** Negated classes inside a class, which RE2 cannot combine: common idioms for any character and for letters. */
const WHOLE: Record<string, string> = Object.fromEntries(
  ["\\s\\S", "\\S\\s", "\\d\\D", "\\D\\d", "\\w\\W", "\\W\\w"].map((any) => [any, "(?s:.)"]),
);
const NEGATED: Record<string, string> = {
  "^\\W": `[${WORD}]`,
  "^\\W_": "[\\p{L}\\p{N}]",
  "^_\\W": "[\\p{L}\\p{N}]",
  "^\\W\\d": "[\\p{L}\\p{Nl}\\p{No}_]",
  "^\\d\\W": "[\\p{L}\\p{Nl}\\p{No}_]",
  "^\\W\\d_": "[\\p{L}\\p{Nl}\\p{No}]",
  "^\\d\\W_": "[\\p{L}\\p{Nl}\\p{No}]",
  "^\\W_\\d": "[\\p{L}\\p{Nl}\\p{No}]",
};
/** Python treats these as equal when case is ignored, RE2 does not. */
const DOTS = "Ii\u0130\u0131";
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

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

interface Reached {
  /** A `$` was read: nothing that consumes text may follow. */
  ended: boolean;
  bounded: boolean;
  /** Since the last mark, something was read that cannot be empty. */
  solid: boolean;
}

interface OpenGroup {
  ignoreCase: boolean;
  before: Reached;
  alternatives: Reached[];
}

class Translation {
  readonly newlines: number[] = [];
  readonly #written: string;
  readonly #marked: boolean;
  #at = 0;
  #out = "";
  #groups: OpenGroup[];
  #captures = 0;
  #reached: Reached = { ended: false, bounded: false, solid: true };

  constructor(written: string, marked: boolean) {
    this.#written = written;
    this.#marked = marked;
    const ignoreCase = /^\(\?[a-zA-Z]*i[a-zA-Z]*\)/.test(written);
    this.#groups = [{ ignoreCase, before: this.#reached, alternatives: [] }];
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
    if (/^\{(?:\d+|\d*,\d*)\}\+/.test(rest)) throw this.#refused("possessive quantifiers");
    if (first === "^") return this.#start("^");
    if (first === "|") return this.#alternative();
    if (first === ")") return this.#close();
    if (/^[*+?]/.test(first) || /^\{\d+(?:,\d*)?\}|^\{,\d*\}/.test(rest)) return this.#operator(rest);
    if (first === ".") return this.#atom(this.#marked ? `[^${this.#dotAll() ? "" : "\\n"}${MARK_CLASS}]` : ".", 1);
    const character = String.fromCodePoint(rest.codePointAt(0)!);
    if (this.#inGroup.ignoreCase && DOTS.includes(character)) return this.#atom(`[${DOTS}]`, 1);
    return this.#atom(/[{}\]]/.test(character) ? `\\${character}` : character, character.length);
  }

  #alternative(): string {
    this.#inGroup.alternatives.push(this.#reached);
    this.#reached = this.#inGroup.before;
    return this.#raw("|", 1);
  }

  #close(): string {
    const group = this.#groups.length > 1 ? this.#groups.pop() : undefined;
    if (group !== undefined) {
      const ways = [
        ...group.alternatives,
        this.#reached,
        ...(isOptional(this.#written.slice(this.#at + 1)) ? [group.before] : []),
      ];
      this.#reached = {
        ended: ways.some(({ ended }) => ended),
        bounded: ways.some(({ bounded }) => bounded),
        solid: ways.every(({ solid }) => solid),
      };
    }
    return this.#raw(")", 1);
  }

  get #inGroup(): OpenGroup {
    // `!`: the whole pattern is the outermost group.
    return this.#groups.at(-1)!;
  }

  /** `{,3}` means up to three and `{,}` any number; RE2 reads both as text. */
  #operator(rest: string): string {
    const upTo = /^\{,(\d*)\}/.exec(rest);
    if (upTo !== null) return this.#raw(`{0,${upTo[1]}}`, upTo[0].length);
    const counted = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0];
    // `!`: the caller saw an operator here.
    return this.#raw(counted ?? rest[0]!, counted?.length ?? 1);
  }

  #escape(rest: string): string {
    const name = rest[1] ?? "";
    if (name === "b") return this.#boundary();
    if (name === "B") throw this.#refused("`\\B`");
    if (name === "Z") return this.#end();
    if (name === "A") return this.#start("\\A");
    if (/^\\[0-3][0-7]{2}/.test(rest))
      return this.#atom(`\\x{${Number.parseInt(rest.slice(1, 4), 8).toString(16)}}`, 4);
    if (/[1-9]/.test(name)) throw this.#refused("back-references");
    if (name in CLASSES) return this.#atom(`[${CLASSES[name]}]`, 2);
    if (/[DWS]/.test(name)) return this.#atom(`[^${CLASSES[name.toLowerCase()]}${this.#marked ? MARK_CLASS : ""}]`, 2);
    const [source, length] = escaped(rest);
    return this.#atom(source, length);
  }

  #boundary(): string {
    this.#refuseAfterEnd();
    // A repeated `\b` is the same boundary.
    if (this.#out.endsWith(MARK_CLASS)) return this.#raw("", 2);
    if (!this.#reached.solid) throw this.#refused("`\\b` where another may be at the same place");
    this.#reached = { ...this.#reached, bounded: true, solid: false };
    return this.#raw(MARK_CLASS, 2);
  }

  #class(): string {
    const end = this.#classEnd();
    const inside = this.#written.slice(this.#at + 1, end);
    const negated = inside.startsWith("^");
    const length = end + 1 - this.#at;
    const known = (negated ? NEGATED : WHOLE)[inside];
    if (known !== undefined) return this.#atom(this.#marked && !negated ? `[^${MARK_CLASS}]` : known, length);
    const members = this.#members(negated ? inside.slice(1) : inside);
    return this.#atom(`[${negated ? "^" : ""}${members}${negated && this.#marked ? MARK_CLASS : ""}]`, length);
  }

  #members(written: string): string {
    const members = written
      .replace(/^\]/, "\\]")
      .replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|\[/gs, (all, name: string | undefined) => {
        if (name === undefined) return "\\[";
        if (/^[xuU]./.test(name)) return `\\x{${name.slice(1)}}`;
        if (name === "b") return "\\x08";
        if (name in CLASSES) return CLASSES[name]!;
        if (name === "D" && !this.#marked) return "\\P{Nd}";
        if (name === "S" && !this.#marked) return NO_SPACE;
        if (/[DWS]/.test(name)) throw this.#refused(`\`\\${name}\` inside brackets`);
        return all;
      });
    const hasI = this.#inGroup.ignoreCase && RE2JS.compile(`(?i)[${members}]`).matcher("i").find();
    return hasI ? `${members}${DOTS}` : members;
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
      const other = /[^aiLmsux]/.exec(on + off)?.[0];
      if (other !== undefined) throw new Error(`unknown flag ${other}`);
      if (/[aLx]/.test(on + off)) throw this.#refused("the flags a, L and x");
      if (end === ")" && this.#at > 0) throw new Error("flags must be at the beginning, as in Python");
      if (end === ")" && off !== "") throw new Error("flags can be turned off for a group only, as in Python");
      if (end === ":") this.#open(on.includes("i") || (this.#inGroup.ignoreCase && !off.includes("i")));
      const kept = on.replaceAll("u", "");
      if (end === ")" && kept === "" && off === "") return this.#raw("", whole.length);
      return this.#raw(`(?${kept}${off === "" ? "" : `-${off}`}${end}`, whole.length);
    }
    const opening = /^\((?:\?P<\w+>)?/.exec(rest)![0];
    if (opening === "(" && rest[1] === "?") throw new Error(`unknown extension ?${rest[2] ?? ""}`);
    this.#open(this.#inGroup.ignoreCase);
    this.#captures++;
    return this.#raw(opening, opening.length);
  }

  #open(ignoreCase: boolean): void {
    this.#groups.push({ ignoreCase, before: this.#reached, alternatives: [] });
  }

  #start(source: "^" | "\\A"): string {
    const used = source === "^" && this.#multiline() ? !this.#reached.solid : this.#reached.bounded;
    if (used) throw this.#refused(`\`${source}\` after \`\\b\``);
    return this.#raw(source, source.length);
  }

  #end(): string {
    if (this.#marked) this.#reached = { ...this.#reached, ended: true };
    return this.#raw(this.#marked ? `(?:${MARK_CLASS}?\\z)` : "\\z", 2);
  }

  #dollar(): string {
    const mark = this.#marked ? `${MARK_CLASS}?` : "";
    // It consumes the newline, so nothing can match after it.
    this.#reached = this.#multiline() ? { ...this.#reached, solid: !this.#marked } : { ...this.#reached, ended: true };
    if (this.#multiline()) return this.#raw(`${mark}$`, 1);
    this.newlines.push(++this.#captures);
    return this.#raw(`(?:${mark}(\\n?)\\z)`, 1);
  }

  /** Python allows global flags only at the very beginning of a pattern. */
  #multiline(): boolean {
    return /^\(\?[a-zA-Z]*m/.test(this.#written);
  }

  #dotAll(): boolean {
    return /^\(\?[a-zA-Z]*s/.test(this.#written);
  }

  #refuseAfterEnd(): void {
    if (this.#reached.ended) throw this.#refused("`$` that is followed by something");
  }

  #atom(source: string, length: number): string {
    this.#refuseAfterEnd();
    if (!isOptional(this.#written.slice(this.#at + length))) this.#reached = { ...this.#reached, solid: true };
    return this.#raw(this.#marked ? `(?:${MARK_CLASS}?${source})` : source, length);
  }

  #raw(source: string, length: number): string {
    this.#at += length;
    return source;
  }

  #refused(what: string): Unsupported {
    return new Unsupported(
      `This pattern is not supported: Proctor's engine takes linear time and has no ${what} (character ${this.#at + 1})`,
    );
  }
}

function isOptional(rest: string): boolean {
  return /^(?:[*?]|\{0*[,}])/.test(rest);
}

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
