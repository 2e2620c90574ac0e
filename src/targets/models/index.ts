export { type ModelOptions, modelTarget } from "./target.ts";
