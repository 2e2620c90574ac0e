/**
 * What every room stands on: problems with a place (problems/), safe reading and writing (files/), text as people see
 * and mistype it (text/), secrets (secrets/), fingerprints of plain data. Independent of skills and exams.
 */

export { meansFalse, meansTrue } from "./booleans.ts";
export { type Closings, withClosings } from "./closings.ts";
export { cacheFolder, keepIfPossible } from "./files/cache-folder.ts";
export { isInstalledFolder, isMachineFolder } from "./files/machine-folders.ts";
export { namedPlace, writeNamed } from "./files/named-file.ts";
export { ownFolder, projectOf } from "./files/own-folder.ts";
export { isWithin, relativePosix, toPosix } from "./files/paths.ts";
export { readText } from "./files/read-text.ts";
export { isSafeSegment, safeSegment } from "./files/segment.ts";
export { temporaryFolder } from "./files/temporary-folder.ts";
export {
  feedFile,
  isExecutable,
  isTaken,
  kindAt,
  listFolder,
  openFile,
  readBytes,
  realPath,
} from "./files/untrusted.ts";
export { appendFileIn, copyFileTo, removeFileIn, writeFileIn } from "./files/write.ts";
export { canonicalJson, fingerprint, sha256 } from "./fingerprint.ts";
export { exportRevision } from "./git/export.ts";
export { defaultBranch, openRevision, type Revision } from "./git/revision.ts";
export { gitState } from "./git/state.ts";
export { onLongWork, tellLongWork } from "./long-work.ts";
export { codeFrame } from "./problems/code-frame.ts";
export { type ConfigNote, noteText, rejectionsOf } from "./problems/config-words.ts";
export { applyEdits, fixFiles } from "./problems/fix.ts";
export type { Edit, Location, Problem, Severity } from "./problems/problem.ts";
export { type ProblemMaker, problemsBy, type Rule } from "./problems/rules.ts";
export { UsageError, withWayOut } from "./problems/usage-error.ts";
export { withoutStacks } from "./problems/without-stacks.ts";
export { yamlFault } from "./problems/yaml-fault.ts";
export { isAlive, statOf } from "./processes.ts";
export { remember } from "./remember.ts";
export { createMask, type Mask } from "./secrets/mask.ts";
export { secretsOf, secretsOfTarget } from "./secrets/secret-values.ts";
export { count } from "./text/count.ts";
export { displayWidth, fitColumns } from "./text/display-width.ts";
export { globMatcher, isGlob } from "./text/glob.ts";
export { firstLine, lineIndex } from "./text/lines.ts";
export { didYouMean, isSlip, nearest } from "./text/near.ts";
export { nestedTooDeep } from "./text/nesting.ts";
export { hideFromOutput, safeOutput } from "./text/output.ts";
export { printable } from "./text/printable.ts";
export { timerMs } from "./timer.ts";
export { VERSION } from "./version.ts";
