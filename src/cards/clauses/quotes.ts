/** The text with everything between quotation marks blanked out: as long as before, so that places stay the same. */
export function maskQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => "_".repeat(quoted.length));
}

/** A single quote opens only where a word could begin, and closes only where one could end: "doesn't" opens nothing. */
const QUOTED =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<![\p{L}\p{N}])['‘][^'’\n]{1,200}(?:n['’]t[^'’\n]{0,200})?['’](?![\p{L}\p{N}])/gu;
