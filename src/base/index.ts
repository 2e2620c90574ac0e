/**
 * What every room stands on: problems with a place, fingerprints of plain data, names that are near each other.
 * Nothing here knows about skills or exams.
 */
export { canonicalJson, fingerprint, sha256 } from "./fingerprint.ts";
export { nearest } from "./near.ts";
export type { Edit, Location, Problem, Severity } from "./problem.ts";
export { UsageError } from "./usage-error.ts";
export { VERSION } from "./version.ts";
