import { join, sep } from "node:path";
import { UsageError } from "../problems/usage-error.ts";
import { toPosix } from "./paths.ts";
import { isLink, kindAt, realPath } from "./untrusted.ts";

const NAME = ".proctor";

/**
 * `.proctor` in a project, or a folder in it. `npm run check` enforces that there is no other way to get there. A
 * cloned project may bring its own `.proctor` with links into the user's home. `.proctor` itself may be a link within
 * the project; any other link is refused before anything is read, written or removed.
 */
export function ownFolder(root: string, ...names: string[]): string {
  let folder = join(root, NAME);
  if (isLink(folder) && kindAt(folder, root) !== "folder") throw refusal(folder, root);
  for (const name of names) {
    folder = join(folder, name);
    if (isLink(folder)) throw refusal(folder, root);
  }
  return folder;
}

export function projectOf(folder: string, ...names: string[]): string | undefined {
  const end = sep + join(NAME, ...names);
  return folder.endsWith(end) ? folder.slice(0, -end.length) : undefined;
}

function refusal(folder: string, root: string): UsageError {
  const real = realPath(folder);
  const leads =
    kindAt(folder, root) === "outside"
      ? `that leads out of the project, to ${toPosix(real ?? "")}`
      : `to ${toPosix(real ?? "nothing")}`;
  return new UsageError(
    `${toPosix(folder)} is a link ${leads}; nothing is read or written there.`,
    "Remove the link. To keep records on another disk, mount it there.",
  );
}
