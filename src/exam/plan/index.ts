/**
 * Plans an exam: which questions are put to which targets, how often, and which of them share an ask. Nothing is asked
 * or spent here.
 */

export { checkGates, refuseLockOnPredictions, refuseOnPredictions } from "./check-options.ts";
export { concurrencyOf, type Estimate, estimate } from "./estimate.ts";
export type { Exam, ExamRequest } from "./exam.ts";
export { type Change, changesOf, examined, scriptFiles } from "./examined.ts";
export { comparedId, WITHOUT } from "./gather/baseline.ts";
export { findLibraries, homeOf, libraryFolders, libraryRoot, questionsIn } from "./gather/find-questions.ts";
export { findTargets, identifyFor } from "./gather/find-targets.ts";
export { BrokenFiles } from "./gather/nothing-to-ask.ts";
export { type Past, pastTrials } from "./gather/past-trials.ts";
export { judgementsOf, judgesNamed } from "./judgements.ts";
export { noticesOf } from "./notices.ts";
export { planLibraries } from "./plan-libraries.ts";
export type { QuestionCheck } from "./planned-ask.ts";
export { askId, type PlannedAsk } from "./planned-ask.ts";
export { describeFilters } from "./questions/select.ts";
export { comparedGraders } from "./questions/variants.ts";
export { type ChangedSkills, changedSkills } from "./revision/changed-skills.ts";
export { baseHome, type LibraryAt, libraryAt } from "./revision/library-at.ts";
export { type SeenDrop, seenDrops } from "./visible-drop.ts";
