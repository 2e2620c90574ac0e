import type { Mask } from "./mask.ts";

/** One line of JSON with every secret replaced. Nearly always there is none, so the whole text is searched first and not string by string. */
export function maskedJson(value: unknown, mask: Mask): string {
  const text = JSON.stringify(value);
  // Replacing in the JSON text could swallow a quote or half an escape, so a value with secrets is masked string by string.
  return mask(text) === text ? text : JSON.stringify(maskDeep(value, mask));
}

function maskDeep(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((member) => maskDeep(member, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [mask(key), maskDeep(member, mask)]));
}
