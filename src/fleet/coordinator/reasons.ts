import { printable } from "../../base/index.ts";

/** What several workers say, in a sentence: the same once, and no more than three. */
export function reasons(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const shown = distinct.slice(0, 3).join("; ");
  return printable(distinct.length <= 3 ? shown : `${shown} and ${distinct.length - 3} more`);
}
