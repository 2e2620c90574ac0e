import { createHash } from "node:crypto";

/** A stable hash of plain data. Key order does not matter, and `undefined` members count as absent. */
export function fingerprint(value: unknown): string {
  return sha256(canonicalJson(value));
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (isPlainObject(member) ? sorted(member) : member)) ?? "null";
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
