/** The library: everything the command line does, as functions. */
export { type CheckLibrariesOptions, checkLibraries as check } from "./api/check.ts";
export { type CollisionsOptions, findCollisions as collisions } from "./api/collisions.ts";
export { type DraftOptions, draftFor as draft } from "./api/draft.ts";
export { type RouteOptions, routeQuery as route } from "./api/route.ts";
export { type ExamRun, type RunExamOptions, runExam } from "./api/run.ts";
export { type Location, type Problem, UsageError } from "./base/index.ts";
export { type Config, defineConfig, loadConfig } from "./options/index.ts";
export { openRecord, type RecordLine, type RecordPlace, readRecord } from "./records/index.ts";
export { renderReport as report } from "./reports/index.ts";
export { mergeRecords as merge } from "./runs/index.ts";
export { exitCode, type ScoreOptions, type Scores, scoreRecord as score } from "./scores/index.ts";
export type { ExamEvent } from "./sitting/index.ts";
export { type Card, type DiscoverOptions, type Discovery, discover, type Library, type Skill } from "./skills/index.ts";
export { type Case, type Limits, type Question, readSuites, type Suite, type Trigger } from "./suites/index.ts";
export { type AgentDefinition, defineAgent, type Sighting } from "./targets/agents/own-agent/index.ts";
