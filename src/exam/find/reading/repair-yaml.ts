import { parseDocument } from "yaml";
import { withoutStacks, yamlFault } from "../../../base/index.ts";
import type { Repair } from "../../../model/index.ts";

/**
 * Quotes every invalid top-level value, so that frontmatter can be read as its author meant it. Hosts do the same, line
 * by line. Positions are offsets in the source.
 */
export function repairYaml(source: string, message: string): Repair[] {
  const repairs: Repair[] = [];
  for (const entry of entries(source)) {
    if (entry.value === "" || /^[|>]/.test(entry.value)) continue;
    const fault = faultOf(source.slice(entry.start, entry.end));
    if (fault === undefined) continue;
    const valueStart = entry.end - trailing(source, entry) - entry.value.length;
    const colon = colonIn(entry.value);
    const isQuoted = /^["']/.test(entry.value);
    const at = isQuoted ? entry.start + (fault.at ?? 0) : valueStart + (colon ?? 0);
    repairs.push({
      field: entry.key,
      why: isQuoted ? "quote" : colon === undefined || /^[[{]/.test(entry.value) ? "other" : "colon",
      message: isQuoted ? (fault.message ?? message) : message,
      place: { start: at, end: at + 1 },
      edit: { start: valueStart, end: valueStart + entry.value.length, text: quoted(entry.value) },
    });
  }
  return repairs;
}

interface YamlEntry {
  key: string;
  start: number;
  end: number;
  value: string;
}

function* entries(source: string): Generator<YamlEntry> {
  const key = /^([^\s#"'[\]{},&*!|>%@`?-][^\n:]*?)[ \t]*:(?=[ \t\r\n]|$)/gm;
  let open: { key: string; start: number; from: number } | undefined;
  for (const match of source.matchAll(key)) {
    if (open) yield finish(source, open, match.index);
    open = { key: match[1] ?? "", start: match.index, from: match.index + match[0].length };
  }
  if (open) yield finish(source, open, source.length);
}

function finish(source: string, open: { key: string; start: number; from: number }, end: number): YamlEntry {
  return { key: open.key, start: open.start, end, value: source.slice(open.from, end).trim() };
}

function trailing(source: string, entry: YamlEntry): number {
  const text = source.slice(entry.start, entry.end);
  return text.length - text.trimEnd().length;
}

function faultOf(source: string): { message?: string; at?: number } | undefined {
  try {
    const { errors, contents } = withoutStacks(() =>
      parseDocument(source, { prettyErrors: false, logLevel: "silent" }),
    );
    return errors[0] === undefined ? undefined : yamlFault(source, errors[0], contents);
  } catch {
    return {};
  }
}

function colonIn(value: string): number | undefined {
  const at = value.search(/:(?=[ \t\r\n]|$)/);
  return at === -1 ? undefined : at;
}

/** Double quotes read best, single quotes need fewer escapes. Both fold line breaks like unquoted text. */
function quoted(value: string): string {
  return /["\\]/.test(value) ? `'${value.replaceAll("'", "''")}'` : `"${value}"`;
}
