import { realPath } from "../../../base/index.ts";
import type { Workspace } from "./workspace.ts";

export const TAMPERED = "something else was put in place of a folder that the trial was given";

/**
 * Whether the folders are still the ones that were made. The examinee may have replaced one by a link; what we then
 * write, read, remove or show to the next sandbox would be somebody's home.
 */
export function isIntact(workspace: Partial<Pick<Workspace, "root" | "project" | "home" | "tmp">>): boolean {
  const { root, project, home, tmp } = workspace;
  return [root, project, home, tmp].every((folder) => folder === undefined || realPath(folder) === folder);
}
