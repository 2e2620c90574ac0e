/**
 * What is asked: one model of a suite, and one reader per format that fills it.
 * Text stays verbatim, every question knows its place in its file, and nothing is skipped without a problem that says so.
 */

export { readSuitesByLibrary } from "./by-library.ts";
export { checkSuites } from "./check/index.ts";
export { draftSuite, type SuiteDraft } from "./draft/draft-suite.ts";
export { type Imported, importSuites } from "./import/import-suites.ts";
export { contentHash, makeAsk } from "./questions/ask.ts";
export { checksNothing, expectation, isPositive, resolveExpect } from "./questions/expect.ts";
export { inlineSchemas } from "./questions/inline-schemas.ts";
export { nameOf } from "./questions/question.ts";
export { renderTemplate } from "./questions/template.ts";
export { narrowSuites, readSuiteFile, readSuites } from "./read-suites.ts";
export { suiteRules } from "./rules.ts";
export type { Ask, Case, Limits, Message, Question, QuestionFile, Suite, Trigger } from "./suite.ts";
