export function meansTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|on|1)$/i.test(value.trim()));
}

export function meansFalse(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === "string" && /^(false|no|off|0)$/i.test(value.trim()));
}
