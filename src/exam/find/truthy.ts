/** Hosts take yes, on and 1 for true, quoted or not. */
export function truthy(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|on|1)$/i.test(value.trim()));
}
