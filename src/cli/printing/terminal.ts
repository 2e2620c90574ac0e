/** Colours are for people at a terminal, unless they say otherwise. */
export function hasColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  return stream.isTTY === true || Boolean(FORCE_COLOR);
}

/** Columns to write in: the terminal's, else what COLUMNS says, else 100; never more than `most`. */
export function terminalWidth(most: number): number {
  const told = Number(process.env["COLUMNS"]);
  const columns = process.stdout.columns ?? (Number.isInteger(told) && told > 0 ? told : 100);
  return Math.min(most, columns);
}
