import { resolve } from "node:path";
import { type Config, checkConfig, type LoadedConfig, loadConfig } from "../options/index.ts";
import { homeOf } from "../plan/index.ts";

/** Where a verb looks and how it is configured: what all of them take. */
export interface Scope {
  /** The working directory unless said. */
  cwd?: string;
  /** Files and folders, relative to `cwd`; everything from the root unless said. */
  paths?: string[];
  /** A configuration, or the file to read it from; otherwise the nearest proctor.config.* counts. */
  config?: Config | string;
  env?: NodeJS.ProcessEnv;
}

/** A scope with everything filled in. */
export interface OpenScope {
  cwd: string;
  paths: string[];
  config: LoadedConfig;
  env: NodeJS.ProcessEnv;
  /** The folder that holds `.proctor`. */
  home: string;
}

export async function openScope({ cwd = process.cwd(), paths = [], config: given, env = process.env }: Scope): Promise<OpenScope> {
  const config =
    typeof given === "object" ? { config: await checkConfig(given), root: resolve(cwd) } : await loadConfig({ cwd, env, file: given });
  await takeGraders(config.config.graders);
  return { cwd, paths, config, env, home: homeOf(cwd, config) };
}

let taken = false;

/** Graders of the person's own. Their room is loaded only where there are any, or were before. */
async function takeGraders(graders: readonly unknown[] | undefined): Promise<void> {
  if (graders === undefined && !taken) return;
  const { useGraders } = await import("../graders/index.ts");
  useGraders(graders ?? []);
  taken = graders !== undefined;
}

/** The configuration's file as it was named, for the commands that a report offers. */
export function namedConfig({ config }: Scope): string | undefined {
  return typeof config === "string" ? config : undefined;
}
