/**
 * How suites are kept: one folder per format. A format recognises its files by their structure and reads them into questions.
 * Text stays verbatim, every question knows its place in its file, and nothing is skipped without a problem that says so.
 */

export { readCode } from "./code/read-code.ts";
export { type CodeFile, parseCode } from "./code/tree.ts";
export { headerOf } from "./documents/csv.ts";
export { type Document, makeDocument } from "./documents/document.ts";
export { pageOf } from "./documents/front-matter.ts";
export { loadText, parseDocument, syntaxOf } from "./documents/load.ts";
export { announcesPrompts } from "./documents/markdown.ts";
export { get, isNull, type Node, number, text } from "./documents/node.ts";
export { isDocumentation, isProsePage } from "./documents/prose-page.ts";
export type { ReadContext } from "./format.ts";
export { readers } from "./list.ts";
export { type Names, type NamesNear, namesNear, namesOf } from "./names.ts";
export { contentHash, makeAsk, promptOf } from "./questions/ask.ts";
export { checksNothing, expectation, isPositive, resolveExpect, unknownName } from "./questions/expect.ts";
export { inlineSchemas } from "./questions/inline-schemas.ts";
export { nativeExpect } from "./questions/native-expect.ts";
export { emptySuite, giveIds, idOf, nameOf } from "./questions/question.ts";
export { renderTemplate } from "./questions/template.ts";
export { collectRows } from "./rows/collect.ts";
export { listLabel, normalKey } from "./rows/label-words.ts";
export { readRows } from "./rows/read-rows.ts";
export { holdsResults, isOutcomeKey, isTranscript } from "./rows/results.ts";
export type { Row } from "./rows/row.ts";
export { type SuiteRule, suiteProblem, suiteRules } from "./rules.ts";
