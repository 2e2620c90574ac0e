import { displayWidth, fitColumns, printable } from "../../base/index.ts";

/** Text from suites, models and agents as one harmless line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks)).trim());
}

/** Cut to a number of columns, with an ellipsis where something is missing. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return "";
  return `${fitColumns(text, width - 1).trimEnd()}…`;
}

/** Padded or cut to exactly this many columns. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = truncate(text, width);
  const space = " ".repeat(Math.max(0, width - displayWidth(cut)));
  return align === "left" ? cut + space : space + cut;
}

/** Lines of at most this many columns, broken between words where possible. */
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
