import { type MapNode, type Node, scalar } from "./node.ts";

interface CsvCell {
  value: string;
  start: number;
  end: number;
}

/**
 * Separated by commas, semicolons or tabs, with a header row and quotes as in RFC 4180. Each row becomes a map keyed by
 * the header.
 */
export function parseCsv(text: string): Node {
  const rows = readRows(text, separatorOf(text)).filter((row) => !isAside(row));
  const header = rows.shift() ?? [];
  const items = rows.map((row): MapNode => {
    const entries = row.flatMap((cell, index) => {
      const name = header[index];
      return name === undefined
        ? []
        : { key: name.value.trim(), start: cell.start, value: scalar(cell.value, cell.start, cell.end) };
    });
    return { type: "map", start: row[0]?.start ?? 0, end: row.at(-1)?.end ?? 0, entries };
  });
  return { type: "list", start: 0, end: text.length, items };
}

/** An empty line or a comment. `#` alone may be the name of a column, and `#7` an id. */
function isAside(row: CsvCell[]): boolean {
  const value = row[0]?.value ?? "";
  return (
    row.every((cell) => cell.value.trim() === "") || /^#\s/.test(value) || (row.length === 1 && value.startsWith("#"))
  );
}

export function headerOf(text: string): string {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const line = text.slice(start, newline === -1 ? text.length : newline).trim();
    if (line !== "" && !/^#\s|^#[^,;\t]*$/.test(line)) return line;
    if (newline === -1) break;
    start = newline + 1;
  }
  return "";
}

function separatorOf(text: string): string {
  const header = headerOf(text);
  const counts = [",", "\t", ";"].map((separator) => ({ separator, count: header.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

function readRows(text: string, separator: string): CsvCell[][] {
  const rows: CsvCell[][] = [];
  let row: CsvCell[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at <= text.length) {
    const cell = readCell(text, at, separator);
    row.push(cell);
    at = cell.end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    rows.push(row);
    row = [];
    if (at >= text.length) break;
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (at >= text.length) break;
  }
  return rows;
}

function readCell(text: string, start: number, separator: string): CsvCell {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
    return { value: text.slice(start, end), start, end };
  }
  let value = "";
  let at = start + 1;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), start, end: text.length };
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    value += '"';
    at++;
  }
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: value + text.slice(at, end).trimEnd(), start, end };
}
