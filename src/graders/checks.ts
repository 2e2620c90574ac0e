import type { Check } from "../model/index.ts";

/** A check that was made. */
export function checked(passed: boolean, message: string, evidence?: string): Check {
  const check: Check = { passed, score: passed ? 1 : 0, message };
  return evidence === undefined || evidence === "" ? check : { ...check, evidence };
}

/** A check that does not apply here. */
export function skipped(message: string): Check {
  return { passed: null, score: null, message };
}

/** A check that had to be made and could not be: its question has no verdict. */
export function notMade(message: string): Check {
  return { passed: null, score: null, message, error: true };
}
