/** The library: everything the command line does, as functions. docs/api.md shows how. */
export * from "./api/index.ts";
export { type Location, type Problem, UsageError } from "./base/index.ts";
export { type Check, defineGrader, type Grader, type GradingContext } from "./graders/index.ts";
export { type Config, defineConfig, loadConfig } from "./options/index.ts";
export { openRecord, type RecordLine, type RecordPlace, readRecord } from "./records/index.ts";
export { defineReporter, type RenderOptions, type Reporter, renderPieces, renderReport } from "./reports/index.ts";
export { type RecordSource, recordSource } from "./runs/index.ts";
export { exitCode, type ScoreOptions, type Scores, scoreRecord } from "./scores/index.ts";
export type { ExamEvent } from "./sitting/index.ts";
export { type Card, type DiscoverOptions, type Discovery, discover, type Library, type Skill } from "./skills/index.ts";
export { type Case, type Limits, type Question, readSuites, type Suite, type Trigger } from "./suites/index.ts";
export { type AgentDefinition, defineAgent, type Sighting } from "./targets/agents/own-agent/index.ts";
export { defineTarget, type TargetDefinition, type TargetQuestion, type TargetReply } from "./targets/index.ts";
export type { LeftFile, ToolCall, Transcript } from "./transcripts/index.ts";
