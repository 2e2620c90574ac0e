/**
 * What the readers of all hosts are made of: the contract of an adapter, the skills of a workspace and every way to mean one of them, tool
 * calls followed to their results, errors by their words. An inner room of its own, so that who only lists hosts need not load it.
 */
export { unescapeEntities } from "./entities.ts";
export {
  apiError,
  crashed,
  cutShort,
  denied,
  failedEnd,
  notAsked,
  nothingMoreSaid,
  nothingSaid,
  notLoggedIn,
  stoppedError,
  withAddress,
} from "./errors.ts";
export { type Json, json, jsonLine, jsonLines, list, number, strings, text } from "./json.ts";
export { eventsInOrder } from "./merge-events.ts";
export { ENDING, FAILURE, LISTING } from "./request-facts.ts";
export { linesElsewhere } from "./shown-lines.ts";
export type { SkillNaming } from "./skill-names.ts";
export { type StagedSkill, StagedSkills, stagedSkill } from "./staged-skills.ts";
export { anthropicUsage } from "./stream-json.ts";
export { type KeptFrom, type Reach, ToolCalls } from "./tool-calls.ts";
