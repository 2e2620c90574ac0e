/**
 * The sitting: plan → schedule → trial → grade → record, with early stop, budget, retries, resume and shards.
 * It knows who is asked what and when, never what an answer means.
 */
export { type Config, configSchema, defineConfig, type TargetSettings } from "./config.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
