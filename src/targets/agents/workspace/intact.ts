import { realPath } from "../../../base/index.ts";
import type { Workspace } from "./workspace.ts";

/** What is said where the folders are not those any more. */
export const TAMPERED = "something else was put in place of a folder that the trial was given";

/**
 * Are the folders of a workspace still the ones that were made? Whoever worked there may have put a link in the place of one: what we then
 * write, read, remove or show to the next sandbox would be somebody's home.
 */
export function isIntact(workspace: Partial<Pick<Workspace, "root" | "project" | "home" | "tmp">>): boolean {
  const { root, project, home, tmp } = workspace;
  return [root, project, home, tmp].every((folder) => folder === undefined || realPath(folder) === folder);
}
