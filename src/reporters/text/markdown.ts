import { printable } from "../../base/index.ts";
import { truncate } from "./fit-text.ts";

/**
 * Text of somebody else in a Markdown document: as code, in which no markup, link, mention or HTML means anything. Never longer than
 * `most` columns.
 */
export function asCode(text: string, most = 120): string {
  const line = truncate(printable(text.replace(/\s+/g, " ").trim()), most);
  if (line === "") return "` `";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const padded = line.startsWith("`") || line.endsWith("`") ? ` ${line} ` : line;
  return `${fence}${padded}${fence}`;
}

/** The same in a table, where a bar would end the cell, in code too. */
export function asCell(text: string, most?: number): string {
  return asCode(text, most).replaceAll("|", "\\|");
}
