import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export function findOnPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const endings = process.platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD").split(";") : [""];
  const dirs = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((dir) => dir !== "");
  return dirs.flatMap((dir) => endings.map((ending) => join(dir, command + ending))).find(isExecutable);
}

/** Node starts batch files only through a shell, which would interpret the prompt. */
export function startsInShellOnly(path: string, platform = process.platform): boolean {
  return platform === "win32" && /\.(?:cmd|bat)$/i.test(path);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
