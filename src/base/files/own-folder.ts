import { join } from "node:path";
import { UsageError } from "../problems/usage-error.ts";
import { toPosix } from "./paths.ts";
import { kindAt, realPath } from "./untrusted.ts";

/**
 * `.proctor` in a project, or a folder in it. A cloned project may bring one of its own, with links in it that lead to somebody's home: what
 * leads out of the project is refused before anything is written there.
 */
export function ownFolder(root: string, ...names: string[]): string {
  let folder = root;
  for (const name of [".proctor", ...names]) {
    folder = join(folder, name);
    if (kindAt(folder, root) === "outside")
      throw new UsageError(
        `${toPosix(folder)} is a link that leads out of the project, to ${toPosix(realPath(folder) ?? "another place")}; nothing is written there.`,
        "Remove the link. To keep records on another disk, mount it there.",
      );
  }
  return folder;
}
