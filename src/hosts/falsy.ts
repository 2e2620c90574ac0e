/** Hosts take no, off and 0 for false, quoted or not. */
export function falsy(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === "string" && /^(false|no|off|0)$/i.test(value.trim()));
}
