/**
 * One table of all options, and everything derived from it: flags, variables, configuration, records. zod is loaded
 * only when a configuration is read, to keep help fast.
 */
export type { Config, TargetSettings } from "./config.ts";
export { defineConfig } from "./define-config.ts";
export { flagTexts, flagWords, repeatedFlags } from "./flag-words.ts";
export { accepts, expectation, MOST_RUNS, MOST_SHARDS, parseText, type Shard } from "./kinds.ts";
export { checkConfig, type LoadedConfig, loadConfig } from "./load-config.ts";
export type { CommandName } from "./option.ts";
export {
  examDifferences,
  examFingerprint,
  outcomeDifferences,
  readingDifferences,
  recordOptions,
  settingsFromRecord,
} from "./recorded.ts";
export { refuseRemovedFlag, removedOptions } from "./removed.ts";
export {
  type CommandSettings,
  type ExamOptions,
  type Filters,
  getAt,
  type RunLimits,
  type RunSettings,
  resolveExamOptions,
  runSettingsIn,
  type StartSettings,
  withNamedAgentOptions,
} from "./resolve.ts";
export {
  allOptions,
  flagValue,
  type Option,
  type OptionName,
  runOptions,
  type Table,
  variableOf,
} from "./table.ts";
