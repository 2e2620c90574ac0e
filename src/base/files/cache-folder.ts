import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { writeFileIn } from "./write.ts";

/** Where Proctor keeps what outlives a run: `$XDG_CACHE_HOME/proctor`, else `~/.cache/proctor`. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const named = env["XDG_CACHE_HOME"] ?? "";
  // The XDG specification says that relative paths are to be ignored.
  return join(isAbsolute(named) ? named : join(env["HOME"] || homedir(), ".cache"), "proctor");
}

/** Writes a file that nothing depends on, and returns its path; undefined where it cannot be written, as in a container's HOME. */
export function keepIfPossible(file: string, text: string): string | undefined {
  try {
    writeFileIn(file, text);
    return file;
  } catch {
    return undefined;
  }
}
