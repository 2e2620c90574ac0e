import { displayWidth, fitColumns, printable } from "../../base/index.ts";

/** Untrusted text from suites, models and agents as one printable line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks)).trim());
}

export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return "";
  return `${fitColumns(text, width - 1).trimEnd()}…`;
}

export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = truncate(text, width);
  const space = " ".repeat(Math.max(0, width - displayWidth(cut)));
  return align === "left" ? cut + space : space + cut;
}

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (displayWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = truncate(word, width);
  }
  return line === "" ? lines : [...lines, line];
}

export interface Column {
  title: string;
  align?: "left" | "right";
  most?: number;
}

/** Columns are as wide as needed and two spaces apart. Lines are cut to the width and have no trailing space. */
export function table(columns: Column[], rows: string[][], width: number): string[] {
  const widths = widthsOf(columns, rows);
  return [columns.map((column) => column.title), ...rows].map((row) => {
    const cells = columns.map(({ align }, index) => pad(row[index] ?? "", widths[index] ?? 0, align));
    return truncate(cells.join("  ").trimEnd(), width);
  });
}

export function widthOf(columns: Column[], rows: string[][]): number {
  return widthsOf(columns, rows).reduce((sum, width) => sum + width + 2, -2);
}

function widthsOf(columns: Column[], rows: string[][]): number[] {
  return columns.map(({ title, most = 200 }, index) =>
    Math.min(
      most,
      rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? "")), displayWidth(title)),
    ),
  );
}
