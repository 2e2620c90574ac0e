/** The library: everything the command line does, as functions. */
export { type Location, type Problem, UsageError } from "./base/index.ts";
export { type CheckLibrariesOptions, checkLibraries as check } from "./cli/check-libraries.ts";
export { type DraftOptions, draftFor as draft } from "./cli/draft-for.ts";
export { type CollisionsOptions, findCollisions as collisions } from "./cli/find-collisions.ts";
export { type RouteOptions, routeQuery as route } from "./cli/route-query.ts";
export {
  type Config,
  defineConfig,
  type ExamEvent,
  type ExamRun,
  loadConfig,
  mergeRecords as merge,
  type RunExamOptions,
  runExam,
} from "./exam/index.ts";
export { openRecord, type RecordLine, type RecordPlace, readRecord } from "./records/index.ts";
export { renderReport as report } from "./reports/index.ts";
export { exitCode, type ScoreOptions, type Scores, scoreRecord as score } from "./scores/index.ts";
export { type Card, type DiscoverOptions, type Discovery, discover, type Library, type Skill } from "./skills/index.ts";
export { type Case, type Limits, type Question, readSuites, type Suite, type Trigger } from "./suites/index.ts";
export { type AgentDefinition, defineAgent, type Sighting } from "./targets/index.ts";
