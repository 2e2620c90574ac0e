/**
 * Who answers: the embedded router, models, real agent CLIs, scripts and replays, all behind one contract.
 * A target turns an ask into events; it never grades.
 */

export type { ProgramSetting, Seen, SeenEntry, Survey, SurveyedAgent } from "./agents/index.ts";
export { keptWorkspaces } from "./agents/workspace/kept-workspaces.ts";
export type { BetterExaminee } from "./better.ts";
export type { CollidingPair, Collisions, ExpectedPrompt, ExplainedPrediction, TakenPrompt } from "./embedded/index.ts";
export { type TargetContext, targetKinds } from "./kinds.ts";
export type { ModelOptions, TextJudge } from "./models/index.ts";
export { defineTarget, ownTarget, type TargetDefinition, type TargetQuestion, type TargetReply } from "./own-target.ts";
export { resolveTarget } from "./resolve.ts";
export { resolveForPlan } from "./resolve-for-plan.ts";
export type { Answer, Asking, Sitting, Target } from "./target.ts";

/** The router behind the embedded target and what can be said of cards alone; loaded when it is first needed. */
export const loadEmbedded = () => import("./embedded/index.ts");

/** The judge of free text; loaded when a grader needs one. */
export const loadModels = () => import("./models/index.ts");

/** What is on this machine and what the CLIs tell their models; loaded when it is first needed. */
export const loadAgents = () => import("./agents/index.ts");

/** Who could be asked next, with what is on this machine; loaded when it is first needed. */
export const loadBetter = () => import("./better.ts");
