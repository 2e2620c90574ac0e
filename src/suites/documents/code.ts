import { type Entry, type MapNode, type Node, scalar } from "./node.ts";

/**
 * The literals that test code gives a name: `const shouldTrigger = ["…"]`, `CASES = [("…", "skill")]`, and the tables of `test.each`,
 * `it.each` and `pytest.mark.parametrize`. The code is read, never run: what is not a literal (a call, a variable, a sum) is left out,
 * and a list with such an item in it is `partial`.
 */
export function parseCode(text: string, language: "script" | "python"): { root: MapNode; partial: { name: string; start: number }[] } {
  const tokens = tokensOf(text, language);
  const entries: Entry[] = [];
  const partial: { name: string; start: number }[] = [];
  const take = (name: string, at: number, start: number) => {
    const read = readLiteral(tokens, at, language);
    // Of single values only the name of the skill says something.
    if (read === undefined || (read.node.type === "scalar" && !/^skill/i.test(name))) return;
    entries.push({ key: verdictOf(text, name, language) ?? name, start, value: read.node });
    if (read.partial) partial.push({ name, start });
  };
  tokens.forEach((token, at) => {
    const name = token.kind === "word" ? token.text : undefined;
    if (name === undefined) return;
    const value = assigned(tokens, at);
    if (value !== undefined) take(name, value, token.start);
    // `test.each([…])`, `parametrize("prompt,expected", […])`.
    if (tokens[at + 1]?.text !== "(" || !/^(?:each|parametrize)$/.test(name)) return;
    const table = tokens[at + 2]?.kind === "text" ? at + 4 : at + 2;
    if (tokens[table]?.text === "[") take(`${name}_table`, table, token.start);
  });
  return { root: { type: "map", start: 0, end: text.length, entries }, partial };
}

interface Token {
  kind: "text" | "number" | "word" | "sign";
  text: string;
  start: number;
  end: number;
}

/** Strings as they are meant; comments and regular white space are gone. A template with a variable in it is a sign, since its text is not known. */
function tokensOf(text: string, language: "script" | "python"): Token[] {
  const tokens: Token[] = [];
  const isPython = language === "python";
  const comment = isPython ? "#[^\\n]*" : "//[^\\n]*|/\\*[\\s\\S]*?\\*/";
  const prefix = isPython ? "[rRuUbBfF]{0,2}" : "";
  // Of two quotations that begin alike, the longer one first.
  const long = isPython ? `${prefix}"""[\\s\\S]*?"""|${prefix}'''[\\s\\S]*?'''` : "`(?:[^`\\\\]|\\\\[\\s\\S])*`";
  const short = `${prefix}"(?:[^"\\\\\\n]|\\\\[\\s\\S])*"|${prefix}'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'`;
  const pattern = new RegExp(
    `(?<skip>\\s+|${comment})|(?<string>${long}|${short})|(?<number>-?\\d[\\d_.]*)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)|(?<sign>[\\s\\S])`,
    "guy",
  );
  for (const match of text.matchAll(pattern)) {
    const { skip, string, number, word, sign } = match.groups ?? {};
    if (skip !== undefined) continue;
    const [start, end] = [match.index, match.index + match[0].length];
    const value = string === undefined ? undefined : textOf(string);
    if (string !== undefined)
      tokens.push(value === undefined ? { kind: "sign", text: "?", start, end } : { kind: "text", text: value, start, end });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, start, end });
    else if (word !== undefined) tokens.push({ kind: "word", text: word, start, end });
    else tokens.push({ kind: "sign", text: sign ?? "", start, end });
  }
  return tokens;
}

function textOf(literal: string): string | undefined {
  const [, prefix = "", quote = "", body = ""] = /^([a-zA-Z]*)("""|'''|["'`])([\s\S]*)\2$/.exec(literal) ?? [];
  if (/f/i.test(prefix) && body.includes("{")) return undefined;
  if (quote === "`" && body.includes("${")) return undefined;
  if (/r/i.test(prefix)) return body;
  const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0" };
  return body.replaceAll(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|([\s\S]))/g,
    (_, long?: string, short?: string, byte?: string, line?: string, other = "") => {
      const code = long ?? short ?? byte;
      if (code !== undefined) return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : "";
      return line !== undefined ? "" : (escapes[other] ?? other);
    },
  );
}

/** `name = […]`, `name: Type[] = […]`, `name: […]` in an object is its own affair. The position of the value. */
function assigned(tokens: readonly Token[], at: number): number | undefined {
  if (tokens[at - 1]?.text === ".") return undefined;
  let equals = at + 1;
  // A type between the name and the sign.
  if (tokens[equals]?.text === ":")
    while (equals < at + 40 && tokens[equals] !== undefined && tokens[equals]?.text !== "=" && !/^[;({]$/.test(tokens[equals]?.text ?? ";"))
      equals++;
  if (tokens[equals]?.text !== "=" || tokens[equals + 1]?.text === "=" || tokens[equals + 1]?.text === ">") return undefined;
  return equals + 1;
}

interface ReadLiteral {
  node: Node;
  next: number;
  partial: boolean;
}

const deepest = 50;

function readLiteral(tokens: readonly Token[], at: number, language: "script" | "python", depth = 0): ReadLiteral | undefined {
  const token = tokens[at];
  if (token === undefined || depth > deepest) return undefined;
  if (token.kind === "text") return readText(tokens, token, at);
  const plain = plainOf(token);
  if (plain !== undefined) return { node: scalar(plain, token.start, token.end, token.text), next: at + 1, partial: false };
  if (token.text === "[" || (token.text === "(" && language === "python")) return readItems(tokens, token, at, language, depth);
  return token.text === "{" ? readMembers(tokens, token, at, language, depth) : undefined;
}

/** Texts side by side, or with a plus between them, are one. */
function readText(tokens: readonly Token[], first: Token, at: number): ReadLiteral {
  let value = first.text;
  let end = first.end;
  let next = at + 1;
  for (;;) {
    const plus = tokens[next]?.text === "+" && tokens[next]?.kind !== "text" ? 1 : 0;
    const more = tokens[next + plus];
    if (more?.kind !== "text") break;
    value += more.text;
    end = more.end;
    next += plus + 1;
  }
  return { node: scalar(value, first.start, end), next, partial: false };
}

function plainOf({ kind, text }: Token): number | boolean | null | undefined {
  if (kind === "number") return Number(text.replaceAll("_", ""));
  if (/^(?:true|True)$/.test(text)) return true;
  if (/^(?:false|False)$/.test(text)) return false;
  return /^(?:null|undefined|None)$/.test(text) ? null : undefined;
}

function readItems(
  tokens: readonly Token[],
  open: Token,
  at: number,
  language: "script" | "python",
  depth: number,
): ReadLiteral | undefined {
  const close = open.text === "[" ? "]" : ")";
  const items: Node[] = [];
  let next = at + 1;
  let partial = false;
  while (tokens[next] !== undefined && tokens[next]?.text !== close) {
    const read = readLiteral(tokens, next, language, depth + 1);
    const ends = read !== undefined && (tokens[read.next]?.text === "," || tokens[read.next]?.text === close);
    if (read !== undefined && ends) {
      items.push(read.node);
      partial ||= read.partial;
      next = read.next;
    } else {
      partial = true;
      const after = skipValue(tokens, next);
      // A bracket that closes something else: this is no code, and there is no way on.
      if (after === next && tokens[next]?.text !== ",") return undefined;
      next = after;
    }
    if (tokens[next]?.text === ",") next++;
  }
  const last = tokens[next];
  return last && { node: { type: "list", start: open.start, end: last.end, items }, next: next + 1, partial };
}

function readMembers(
  tokens: readonly Token[],
  open: Token,
  at: number,
  language: "script" | "python",
  depth: number,
): ReadLiteral | undefined {
  const entries: Entry[] = [];
  let next = at + 1;
  let partial = false;
  for (let key = tokens[next]; key !== undefined && key.text !== "}"; key = tokens[next]) {
    const value =
      tokens[next + 1]?.text === ":" && (key.kind === "text" || key.kind === "word")
        ? readLiteral(tokens, next + 2, language, depth + 1)
        : undefined;
    if (value !== undefined && (tokens[value.next]?.text === "," || tokens[value.next]?.text === "}")) {
      entries.push({ key: key.text, start: key.start, value: value.node });
      partial ||= value.partial;
      next = value.next;
    } else {
      const after = skipValue(tokens, next);
      if (after === next && tokens[next]?.text !== ",") return undefined;
      next = after;
    }
    if (tokens[next]?.text === ",") next++;
  }
  const last = tokens[next];
  return last && { node: { type: "map", start: open.start, end: last.end, entries }, next: next + 1, partial };
}

/** Over something that is no literal, to the comma or bracket that ends it. */
function skipValue(tokens: readonly Token[], at: number): number {
  let open = 0;
  for (let next = at; next < tokens.length; next++) {
    // `!`: it is below the length.
    const { kind, text } = tokens[next]!;
    if (kind !== "sign") continue;
    if (/^[([{]$/.test(text)) open++;
    else if (/^[)\]}]$/.test(text) && open-- === 0) return next;
    else if (text === "," && open === 0) return next;
  }
  return tokens.length;
}

/** Nobody gives a list a longer one, and a pattern cannot be of any length. */
const LONGEST_NAME = 200;

/** What the test expects of every prompt in a list: `expect(matcher(prompt).triggered).toBe(false)` soon after the list is used. */
function verdictOf(text: string, name: string, language: "script" | "python"): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const event = "(?:triggered|activated|shouldTrigger|should_trigger|fires|matches?)";
  const used = new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b(?!\\s*(?::[^=]*)?=[^=])`, "u").exec(text);
  if (used === null) return undefined;
  const after = text.slice(used.index, used.index + 600);
  const said =
    language === "script"
      ? new RegExp(
          `\\b${event}\\b[^;\\n]*?\\)\\s*\\.\\s*(?:toBe\\((true|false)\\)|toBe(Truthy|Falsy)\\(\\)|toEqual\\((true|false)\\))`,
        ).exec(after)
      : new RegExp(`assert\\s+(not\\s+)?[^\\n]*\\b${event}\\b[^\\n]*?(?:is\\s+(True|False))?\\s*$`, "m").exec(after);
  if (said === null) return undefined;
  if (language === "script")
    return said[1] === "true" || said[2] === "Truthy" || said[3] === "true" ? "should_trigger" : "should_not_trigger";
  return (said[1] === undefined) === (said[2] !== "False") ? "should_trigger" : "should_not_trigger";
}
