/**
 * What can be set: flags, configuration and environment, and what they come to for a run.
 * It reads no skill and asks nobody.
 */
export { type Config, configSchema, defineConfig, type TargetSettings } from "./config.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export { type ExamFlags, type ExamOptions, type Filters, type Limits, resolveExamOptions } from "./options.ts";
export { saidFlags } from "./repeated-flags.ts";
