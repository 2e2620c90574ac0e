import type { Check } from "../model/index.ts";

export function checked(passed: boolean, message: string, evidence?: string): Check {
  const check: Check = { passed, score: passed ? 1 : 0, message };
  return evidence === undefined || evidence === "" ? check : { ...check, evidence };
}

export function skipped(message: string): Check {
  return { passed: null, score: null, message };
}

/** A necessary check that could not be made. The question gets no verdict. */
export function notMade(message: string): Check {
  return { passed: null, score: null, message, error: true };
}
