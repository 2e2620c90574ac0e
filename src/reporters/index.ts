/**
 * What people see: one renderer per file, all over the same scores, and the live display during a run.
 * Nothing here measures or decides. Control characters in text from suites and agents are made harmless.
 */

export { type Checked, type CheckedRule, counts, ordered as orderedProblems } from "./check/checked.ts";
export { checkGithub } from "./check/github.ts";
export { checkJson } from "./check/json.ts";
export { checkSarif } from "./check/sarif.ts";
export { checkText } from "./check/text.ts";
export type { CollidingLibrary, FoundCollisions } from "./collisions/found.ts";
export { collisionsJson } from "./collisions/json.ts";
export { collisionsText } from "./collisions/text.ts";
export { renderJson } from "./json.ts";
export { REPORT_VERSION, reportSchema } from "./json-schema.ts";
export { createProgress, type ProgressDisplay } from "./progress/progress.ts";
export type { RenderOptions, Reporter, ReportFile } from "./reporter.ts";
export {
  defineReporter,
  type ParsedReporter,
  parseReporters,
  pieces,
  renderPieces,
  renderReport,
  reporterNames,
} from "./reporters.ts";
export { routeJson } from "./route/json.ts";
export type { AskedLibrary, Routed, RoutedLibrary } from "./route/routed.ts";
export { routeText } from "./route/text.ts";
export { seeText } from "./see/text.ts";
export { failureText } from "./terminal/sections/failures.ts";
export { renderTerminal } from "./terminal.ts";
export { wrap } from "./text/fit-text.ts";
export { moneyText, rounded } from "./text/numbers.ts";
export { questionsSentence } from "./text/questions.ts";
export { scopeWords, shellWord, workersWord } from "./text/shell.ts";
export { type ShownTrial, trialText } from "./trial-text.ts";
