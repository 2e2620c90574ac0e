/**
 * Who answers: the embedded router, models, real agent CLIs, scripts and replays, all behind one contract.
 * A target turns an ask into events; it never grades.
 */

export const loadEmbedded = () => import("./embedded/index.ts");

export const loadModels = () => import("./models/index.ts");

export const loadAgents = () => import("./agents/index.ts");

export const loadBetter = () => import("./suggest-target.ts");

export type { Survey, SurveyedAgent } from "./agents/installed-agents.ts";
export type { ProgramSetting } from "./agents/programs.ts";
export type { Seen, SeenEntry } from "./agents/see/shown-library.ts";
export { keptWorkspaces } from "./agents/workspace/kept-workspaces.ts";
export type { ExplainedPrediction } from "./embedded/target.ts";
export { type TargetContext, targetKinds } from "./kinds.ts";
export type { ModelOptions } from "./models/settings.ts";
export type { TextJudge } from "./models/text-judge.ts";
export { defineTarget, ownTarget, type TargetDefinition, type TargetQuestion, type TargetReply } from "./own/index.ts";
export { resolveTarget } from "./resolve.ts";
export { resolveForPlan } from "./resolve-for-plan.ts";
export type { BetterExaminee } from "./suggest-target.ts";
export type { Answer, Asking, OpenTarget, Target } from "./target.ts";
