/** One row, as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe, by which they know text. */
export function csvRow(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toFixed(6)));
  const text = String(value).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Surrogate}]/gu, "\ufffd");
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
