/**
 * What every room stands on: problems with a place, fingerprints of plain data, names that are near each other.
 * Nothing here knows about skills or exams.
 */
export { codeFrame } from "./code-frame.ts";
export { count } from "./count.ts";
export { displayWidth, fitColumns } from "./display-width.ts";
export { canonicalJson, fingerprint, sha256 } from "./fingerprint.ts";
export { applyEdits, fixFiles } from "./fix.ts";
export { lineIndex } from "./lines.ts";
export { nearest } from "./near.ts";
export { nestedTooDeep } from "./nesting.ts";
export { isWithin, relativePosix, toPosix } from "./paths.ts";
export { printable } from "./printable.ts";
export type { Edit, Location, Problem, Severity } from "./problem.ts";
export { remember } from "./remember.ts";
export { type ProblemMaker, problemsBy, type Rule } from "./rules.ts";
export { readText } from "./text.ts";
export { UsageError, withWayOut } from "./usage-error.ts";
export { VERSION } from "./version.ts";
export { writeFileIn } from "./write.ts";
export { yamlFault } from "./yaml-fault.ts";
