import type { Config } from "./config.ts";

/** Returns the configuration unchanged; for its type. */
export function defineConfig(config: Config): Config {
  return config;
}
