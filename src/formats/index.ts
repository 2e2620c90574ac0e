/**
 * How suites are written: one folder per format, which recognises its files by structure and reads them into questions.
 * Prompts stay verbatim, every question knows its place in its file, and whatever is skipped is reported as a problem.
 */

export { readCode } from "./code/read-code.ts";
export { type CodeFile, parseCode } from "./code/tree.ts";
export {
  announcesPrompts,
  type Document,
  isNull,
  isProsePage,
  loadText,
  makeDocument,
  type Node,
  parseDocument,
  syntaxOf,
  text,
} from "./documents/index.ts";
export { type Promotion, promotePrompt } from "./eva/promote.ts";
export { mayBeIn, type ReadContext } from "./format.ts";
export { formats } from "./list.ts";
export { contentHash, makeAsk, promptOf } from "./questions/ask.ts";
export { checksNothing, expectation, isPositive, resolveExpect, unknownName } from "./questions/expect.ts";
export { inlineSchemas } from "./questions/inline-schemas.ts";
export { nativeExpect } from "./questions/native-expect.ts";
export { emptySuite, giveIds, idOf, nameOf } from "./questions/question.ts";
export { renderTemplate } from "./questions/template.ts";
export type { Answered, ExamAnswer, Exams, ResultFiles, SkillExam } from "./results.ts";
export { collectRows, type Row } from "./rows/collect.ts";
export { normalKey } from "./rows/label-words.ts";
export { hasPromptsAndLabels, isKnownName, isLikelySuite } from "./rows/likely-files.ts";
export { readRows } from "./rows/read-rows.ts";
export { isOutcomeKey, isTranscript } from "./rows/results.ts";
export { suiteProblem, suiteRules } from "./rules.ts";
export { beforeRun, namesTargets } from "./run-hooks.ts";
