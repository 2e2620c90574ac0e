export { type ModelOptions, modelTarget } from "./target.ts";
export { textJudge } from "./text-judge.ts";
