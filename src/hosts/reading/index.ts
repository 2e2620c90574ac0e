/**
 * Building blocks of all hosts' readers: staged skills and how they are referred to, tool calls matched with their
 * results, errors classified by their text. A room of its own, so that listing hosts does not load it.
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
