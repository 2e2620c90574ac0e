/**
 * What people see: one renderer per file, all over the same scores, and the live display during a run. Nothing here
 * measures or decides. Control characters in text from suites and agents are made harmless.
 */

export { type Checked, type CheckedRule, counts, ordered as orderedProblems } from "./checked.ts";
export type { CollidingLibrary, FoundCollisions } from "./collisions/json.ts";
export { collisionsJson } from "./collisions/json.ts";
export { collisionsText } from "./collisions/text.ts";
export { checkGithub } from "./github.ts";
export { checkJson, renderJson } from "./json/index.ts";
export { REPORT_VERSION, reportSchema } from "./json/schema.ts";
export {
  defineReporter,
  type ParsedReporter,
  parseReporters,
  pieces,
  renderPieces,
  renderReport,
  reporterNames,
} from "./parse-reporters.ts";
export { createProgress, type ProgressDisplay } from "./progress/progress.ts";
export type { RenderOptions, Reporter, ReportFile } from "./reporter.ts";
export type { AskedLibrary, Routed, RoutedLibrary } from "./route/json.ts";
export { routeJson } from "./route/json.ts";
export { routeText } from "./route/text.ts";
export { checkSarif } from "./sarif.ts";
export { seeText } from "./see-text.ts";
export { checkText } from "./terminal/check.ts";
export { failureText } from "./terminal/failures.ts";
export { renderTerminal } from "./terminal/index.ts";
export { wrap } from "./text/fit-text.ts";
export { moneyText, rounded } from "./text/numbers.ts";
export { questionsSentence } from "./text/questions.ts";
export { scopeWords, shellWord, workersWord } from "./text/shell.ts";
export { type ShownTrial, trialText } from "./trial-text.ts";
