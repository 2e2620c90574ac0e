import { dirname, join, resolve } from "node:path";
import { isTaken } from "../../../base/index.ts";
import type { LoadedConfig } from "../../../base/options/index.ts";

/** The folder that holds `.proctor`: the configuration's, else the repository's, else the working directory. Records are found again from anywhere inside. */
export function homeOf(cwd: string, config: LoadedConfig): string {
  if (config.file !== undefined) return config.root;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isTaken(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}
