/** The library: everything the command line does, as functions. docs/api.md shows how. */

export { type Location, type Problem, UsageError } from "./base/index.ts";
export { type Config, defineConfig, loadConfig } from "./base/options/index.ts";
export type { ExamEvent } from "./exam/ask/index.ts";
export { type DiscoverOptions, type Discovery, discover } from "./exam/find/index.ts";
export { readSuites } from "./exam/read/index.ts";
export { openRecord, type RecordPlace, readRecord } from "./exam/record/index.ts";
export { exitCode, scoreRecord } from "./exam/score/index.ts";
export { defineGrader, type Grader, type GradingContext } from "./graders/index.ts";
export { type RecordSource, recordSource } from "./history/index.ts";
export type {
  Card,
  Case,
  Check,
  LeftFile,
  Library,
  Limits,
  Question,
  RecordLine,
  ScoreOptions,
  Scores,
  Skill,
  Suite,
  ToolCall,
  Transcript,
  Trigger,
} from "./model/index.ts";
export { defineReporter, type RenderOptions, type Reporter, renderPieces, renderReport } from "./reporters/index.ts";
export { type AgentDefinition, defineAgent, type Sighting } from "./targets/agents/own-agent/index.ts";
export { defineTarget, type TargetDefinition, type TargetQuestion, type TargetReply } from "./targets/index.ts";
export * from "./verbs/index.ts";
