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
  const sized = columns.map(({ title, align, most = 200 }, index) => {
    const widest = rows.reduce((columns, row) => Math.max(columns, displayWidth(row[index] ?? "")), displayWidth(title));
    return { align, width: Math.min(most, widest) };
  });
  return [columns.map((column) => column.title), ...rows].map((row) => {
    const cells = sized.map((column, index) => pad(row[index] ?? "", column.width, column.align));
    return truncate(cells.join("  ").trimEnd(), width);
  });
}
