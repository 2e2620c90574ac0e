import type { Field } from "../../../model/index.ts";

export interface SimpleFrontmatter {
  values: Record<string, unknown>;
  fields: Map<string, Field>;
}

/**
 * Reads frontmatter as most skills write it: a list of `key: text`, quoted text and folded blocks. Returns undefined
 * for anything else, which the YAML parser reads in ten times the time. A property test holds it to the parser's
 * results.
 */
export function readSimpleFrontmatter(source: string): SimpleFrontmatter | undefined {
  if (/[\r\t\ufeff\u0085\u2028\u2029]/.test(source)) return undefined;
  const values: Record<string, unknown> = {};
  const fields = new Map<string, Field>();
  let at = 0;
  while (at < source.length) {
    const entry = readEntry(source, at);
    if (entry === undefined || fields.has(entry.key)) return undefined;
    values[entry.key] = entry.value;
    const key = { start: at, end: at + entry.key.length };
    fields.set(entry.key, { key, value: { start: entry.start, end: entry.end }, style: entry.style });
    at = entry.next;
  }
  return fields.size === 0 ? undefined : { values, fields };
}

interface SimpleEntry {
  key: string;
  value: unknown;
  start: number;
  end: number;
  style: Field["style"];
  next: number;
}

function readEntry(source: string, at: number): SimpleEntry | undefined {
  const line = lineAt(source, at);
  const [head = "", key] = /^([A-Za-z][\w-]*): +(?=\S)/.exec(line) ?? [];
  if (key === undefined || special.test(key)) return undefined;
  const start = at + head.length;
  const end = at + line.length;
  const text = line.slice(head.length);
  if (text === ">" || text === ">-" || text === "|" || text === "|-")
    return readBlock(source, { key, start, header: text, from: end + 1 });
  const scalar = readScalar(text);
  return scalar && { key, ...scalar, start, end, next: end + 1 };
}

function readScalar(text: string): Pick<SimpleEntry, "value" | "style"> | undefined {
  if (/^[A-Za-z]/.test(text)) {
    if (text.endsWith(" ") || text.endsWith(":") || text.includes(": ") || text.includes(" #")) return undefined;
    if (!special.test(text)) return { value: text, style: "plain" };
    return text === "true" || text === "false" ? { value: text === "true", style: "plain" } : undefined;
  }
  if (/^"(?:[^"\\]|\\["\\])*"$/.test(text))
    return { value: text.slice(1, -1).replace(/\\(.)/g, "$1"), style: "quoted" };
  if (/^'(?:[^']|'')*'$/.test(text)) return { value: text.slice(1, -1).replaceAll("''", "'"), style: "quoted" };
  return undefined;
}

const special = /^(?:null|true|false)$/i;

function readBlock(
  source: string,
  block: { key: string; start: number; header: string; from: number },
): SimpleEntry | undefined {
  const { key, start, header } = block;
  const lines: string[] = [];
  let indent = 0;
  let next = block.from;
  while (next < source.length) {
    const line = lineAt(source, next);
    const spaces = line.search(/[^ ]/);
    if (spaces === 0) break;
    if (lines.length === 0) indent = spaces;
    if (spaces < 1 || spaces !== indent || line.endsWith(" ")) return undefined;
    lines.push(line.slice(indent));
    next += line.length + 1;
  }
  if (lines.length === 0) return undefined;
  const text = lines.join(header.startsWith(">") ? " " : "\n");
  return {
    key,
    value: header.endsWith("-") ? text : `${text}\n`,
    start,
    end: Math.min(next, source.length),
    style: "block",
    next,
  };
}

function lineAt(source: string, at: number): string {
  const end = source.indexOf("\n", at);
  return source.slice(at, end < 0 ? undefined : end);
}
