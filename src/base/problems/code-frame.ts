import { displayWidth, fitColumns } from "../text/display-width.ts";
import { printable } from "../text/printable.ts";

export interface FrameOptions {
  width?: number;
  paint?: { strong(text: string): string; faint(text: string): string };
}

/**
 * The line of a place with the line before it and a caret under the column, ready to print:
 *
 *       2 │ name: refund-policy
 *     ▸ 3 │ description: Handles refunds: when, how
 *         │                            ^
 *
 * Undefined when the text has no such line.
 */
export function codeFrame(
  text: string,
  { line, column }: { line: number; column?: number | undefined },
  options: FrameOptions = {},
): string | undefined {
  const shown = linesUpTo(text, line);
  if (shown === undefined) return undefined;
  const { width = 100, paint = { strong: same, faint: same } } = options;
  const digits = String(line).length;
  const room = Math.max(20, width - digits - 5);
  const rows: string[] = [];
  if (shown.before !== undefined && shown.before.trim() !== "") {
    rows.push(paint.faint(`  ${String(line - 1).padStart(digits)} │ ${cut(shown.before, 0, room).text}`));
  }
  const target = cut(shown.at, (column ?? 1) - 1, room);
  rows.push(`${paint.strong("▸")} ${line} ${paint.faint("│")} ${target.text}`);
  if (column !== undefined)
    rows.push(`  ${" ".repeat(digits)} ${paint.faint("│")} ${" ".repeat(target.caret)}${paint.strong("^")}`);
  return rows.join("\n");
}

function same(text: string): string {
  return text;
}

function linesUpTo(text: string, line: number): { before?: string; at: string } | undefined {
  if (line < 1) return undefined;
  let start = 0;
  let previous = -1;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return undefined;
    previous = start;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const at = withoutReturn(text.slice(start, end < 0 ? undefined : end));
  return previous < 0 ? { at } : { before: withoutReturn(text.slice(previous, start - 1)), at };
}

/** Not a pattern, which would scan the whole line: a file may be a single line with thousands of problems. */
function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function cut(line: string, index: number, room: number): { text: string; caret: number } {
  const place = Math.min(Math.max(index, 0), line.length);
  const from = room >= line.length ? 0 : boundary(line, Math.max(0, place - Math.floor(room / 2)));
  const lead = from > 0 ? "…" : "";
  const before = printable(line.slice(from, place));
  const rest = printable(line.slice(place, place + room));
  const after = fitColumns(rest, room - displayWidth(lead + before) - 1);
  const tail = place + room < line.length || after.length < rest.length ? "…" : "";
  return { text: lead + before + after + tail, caret: displayWidth(lead + before) };
}

function boundary(line: string, index: number): number {
  const code = line.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}
