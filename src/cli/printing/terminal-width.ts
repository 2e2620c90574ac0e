/** Columns to write in: the terminal's, else what COLUMNS says, else 100; never more than `most`. */
export function terminalWidth(most: number): number {
  const told = Number(process.env["COLUMNS"]);
  const columns = process.stdout.columns ?? (Number.isInteger(told) && told > 0 ? told : 100);
  return Math.min(most, columns);
}
