import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { writeFileIn } from "./write.ts";

export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const named = env["XDG_CACHE_HOME"] ?? "";
  // The XDG specification says to ignore relative paths.
  return join(isAbsolute(named) ? named : join(env["HOME"] || homedir(), ".cache"), "proctor");
}

export function keepIfPossible(file: string, text: string): string | undefined {
  try {
    writeFileIn(file, text);
    return file;
  } catch {
    return undefined;
  }
}
