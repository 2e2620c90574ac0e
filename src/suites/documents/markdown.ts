import { type Entry, type ListNode, type MapNode, type Node, scalar } from "./node.ts";

/**
 * The lists and tables of a Markdown page, under the headings they stand below:
 * `## Should trigger` with a list becomes `{ "Should trigger": [text…] }`, a table becomes a list of rows.
 * A list item that begins with a quotation is that quotation; the prose after it is the author's comment.
 */
export function parseMarkdown(text: string): Node {
  const entries: Entry[] = [];
  let section: { level: number; list: ListNode } | undefined;
  let table: { names: string[]; list: ListNode } | undefined;
  let fenced = false;
  let start = 0;

  for (const line of text.split("\n")) {
    const end = start + line.length;
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? null : /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    if (heading !== null) {
      const level = heading[1]!.length;
      // A deeper heading without a label of its own ("### Unrelated topics") only divides the list above it.
      if (section === undefined || level <= section.level || sectionLabel(heading[2]!)) {
        section = { level, list: { type: "list", start, end, items: [] } };
        entries.push({ key: heading[2]!.replaceAll(/[*_`:]/g, "").trim(), start, value: section.list });
      }
      table = undefined;
    } else if (!fenced && line.includes("|") && section !== undefined) {
      table = readTableLine(line, start, table, entries);
    } else if (!fenced) {
      table = undefined;
      const item = /^\s{0,3}(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*?)\s*$/.exec(line);
      if (item !== null && section !== undefined) section.list.items.push(itemOf(item[1]!, start + line.indexOf(item[1]!)));
    }
    start = end + 1;
  }
  for (const entry of entries) keepQuotations(entry.value);
  return {
    type: "map",
    start: 0,
    end: text.length,
    entries: entries.filter((entry) => entry.value.type === "list" && entry.value.items.length > 0),
  };
}

function sectionLabel(heading: string): boolean {
  return /\b(should|must|positive|negative|trigger|activate)/i.test(heading);
}

const quotation = /^(?:\*\*|__)?(?:“([^”]+)”|"((?:[^"\\]|\\.)+)"|「([^」]+)」|«([^»]+)»|`([^`]+)`)/;

function itemOf(item: string, start: number): Node {
  const match = quotation.exec(item);
  const quoted = match?.slice(1).find((group) => group !== undefined);
  if (quoted === undefined) return scalar(item, start, start + item.length);
  return {
    type: "map",
    start,
    end: start + item.length,
    entries: [{ key: "query", start, value: scalar(quoted, start, start + match![0].length) }],
  };
}

/** Where some items of a list are quotations, the others are prose about them. */
function keepQuotations(node: Node): void {
  if (node.type === "list" && node.items.some((item) => item.type === "map")) node.items = node.items.filter((item) => item.type === "map");
}

function readTableLine(line: string, start: number, table: { names: string[]; list: ListNode } | undefined, entries: Entry[]) {
  const cells = cellsOf(line, start);
  if (cells.length < 2) return table;
  if (table === undefined) {
    const list: ListNode = { type: "list", start, end: start + line.length, items: [] };
    entries.push({ key: "table", start, value: list });
    return { names: cells.map((cell) => cell.value.replaceAll(/[*_`?]/g, "").trim()), list };
  }
  if (cells.every((cell) => /^:?-+:?$/.test(cell.value))) return table;
  const row: MapNode = { type: "map", start, end: start + line.length, entries: [] };
  cells.forEach((cell, index) => {
    const key = table.names[index];
    if (key !== undefined)
      row.entries.push({ key, start: cell.start, value: scalar(unquoted(cell.value), cell.start, cell.start + cell.value.length) });
  });
  table.list.items.push(row);
  return table;
}

function cellsOf(line: string, start: number): { value: string; start: number }[] {
  const inner = line.replace(/\s*\|\s*$/, "");
  const first = /^\s*\|/.exec(inner)?.[0].length ?? 0;
  const cells: { value: string; start: number }[] = [];
  let at = first;
  for (const part of inner.slice(first).split(/(?<!\\)\|/)) {
    cells.push({ value: part.trim(), start: start + at + (part.length - part.trimStart().length) });
    at += part.length + 1;
  }
  return cells;
}

function unquoted(cell: string): string {
  const match = quotation.exec(cell);
  return match !== null && match[0].length === cell.length ? (match.slice(1).find((group) => group !== undefined) ?? cell) : cell;
}
