import type { Mask } from "./contract.ts";

/** One line of JSON with every secret replaced. Nearly always nothing is found, so the text is searched once and not every string in it. */
export function maskedJson(value: unknown, mask: Mask): string {
  const text = JSON.stringify(value);
  // Replacing in the text could eat a quote or half an escape: what has secrets in it is masked string by string.
  return mask(text) === text ? text : JSON.stringify(maskDeep(value, mask));
}

function maskDeep(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((member) => maskDeep(member, mask));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [mask(key), maskDeep(member, mask)]));
}
