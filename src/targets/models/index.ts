/**
 * Models that answer without an agent: a judge of one card, a router over all cards, a model that answers a case,
 * and the judge of free text that graders ask. One call per trial, through the provider's SDK.
 */
export { keyVariable } from "./providers.ts";
export type { ModelOptions } from "./settings.ts";
export { modelTarget } from "./target.ts";
export { judgementCost, type TextJudge, textJudges } from "./text-judge.ts";
