import { displayWidth } from "../../base/index.ts";
import { pad, truncate } from "./fit-text.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** The most it may take. */
  most?: number;
}

/** Rows in columns as wide as they need to be, two spaces apart. Lines are cut to the width and have no trailing space. */
export function table(columns: Column[], rows: string[][], width: number): string[] {
  const widths = widthsOf(columns, rows);
  return [columns.map((column) => column.title), ...rows].map((row) => {
    const cells = columns.map(({ align }, index) => pad(row[index] ?? "", widths[index] ?? 0, align));
    return truncate(cells.join("  ").trimEnd(), width);
  });
}

/** The columns of the terminal that a table takes. */
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
