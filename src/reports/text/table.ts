import { displayWidth } from "../../base/index.ts";
import { pad, truncate } from "./fit-text.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** Widest it may be. */
  most?: number;
}

/** Rows in columns as wide as they need, two spaces apart; the last column takes what is left of the width. Trailing space is cut. */
export function table(columns: Column[], rows: string[][], width: number): string[] {
  const widths = columns.map(({ title, most = 200 }, index) =>
    Math.min(
      most,
      rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? "")), displayWidth(title)),
    ),
  );
  return [columns.map((column) => column.title), ...rows].map((row) => {
    const cells = row.map((cell, index) => pad(cell, widths[index]!, columns[index]!.align));
    return truncate(cells.join("  ").trimEnd(), width);
  });
}
