import type { Config } from "./config.ts";

/** Returns the configuration unchanged; it only adds the type. */
export function defineConfig(config: Config): Config {
  return config;
}
