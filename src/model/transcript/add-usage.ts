import type { Usage } from "./events.ts";

/** The counts of two calls together; what neither reported stays absent. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const total: Usage = { ...a };
  for (const [key, value] of Object.entries(b) as [keyof Usage, number | undefined][]) {
    if (value !== undefined) total[key] = (total[key] ?? 0) + value;
  }
  return total;
}
