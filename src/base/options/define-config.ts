import type { Config } from "./config.ts";

/** Types a configuration written in TypeScript or JavaScript; it changes nothing. */
export function defineConfig(config: Config): Config {
  return config;
}
