/**
 * What is asked: one model of a suite, and one reader per format that fills it.
 * Text stays verbatim, every question knows its place in its file, and nothing is skipped without a problem that says so.
 */
export { contentHash, makeAsk } from "./ask.ts";
export { readSuitesByLibrary } from "./by-library.ts";
export { checkSuites } from "./check/index.ts";
export { draftSuite, type SuiteDraft } from "./draft/draft-suite.ts";
export { expectation, isPositive, resolveExpect } from "./expect.ts";
export { type Imported, importSuites } from "./import/import-suites.ts";
export { inlineSchemas } from "./inline-schemas.ts";
export { narrowSuites, readSuiteFile, readSuites } from "./read-suites.ts";
export { suiteRules } from "./rules.ts";
export type { Ask, Case, Limits, Message, Question, QuestionFile, Suite, Trigger } from "./suite.ts";
export { renderTemplate } from "./template.ts";
