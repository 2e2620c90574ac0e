/** Colours only on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise. */
export function hasColor(stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  return stream.isTTY === true || Boolean(FORCE_COLOR);
}

/** The terminal's width, else COLUMNS, else 100; never more than `most`. */
export function terminalWidth(most: number): number {
  const told = Number(process.env["COLUMNS"]);
  const columns = process.stdout.columns ?? (Number.isInteger(told) && told > 0 ? told : 100);
  return Math.min(most, columns);
}
