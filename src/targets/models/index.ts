/**
 * Models that answer without an agent, in one call per trial: a judge of one card, a router over all cards, a model
 * for cases, and the judge of free text for graders.
 */
export { keyVariable } from "./providers.ts";
export type { ModelOptions } from "./settings.ts";
export { modelTarget } from "./target.ts";
export { judgementCost, type TextJudge, textJudges } from "./text-judge.ts";
