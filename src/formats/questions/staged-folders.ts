import { join } from "node:path";
import { globMatcher, isGlob, kindAt, listFolder } from "../../base/index.ts";

const MOST_FILES = 2_000;
const MOST_DEPTH = 20;

/**
 * Paths relative to the folder, in order, or why they cannot be staged. A link out of `within` is refused, and no file
 * is opened.
 */
export function filesBelow(folder: string, within: string): string[] | { path: string; why: string } {
  const found: string[] = [];
  const open = [""];
  for (let inside = open.shift(); inside !== undefined; inside = open.shift()) {
    for (const { name } of listFolder(join(folder, inside)).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === "" ? name : `${inside}/${name}`;
      if (name === ".git") continue;
      const kind = kindAt(join(folder, path), within);
      if (kind === "folder" && path.split("/").length <= MOST_DEPTH) open.push(path);
      else if (kind === "file") found.push(path);
      else return { path, why: kind === "outside" ? "leads outside the examined folder" : "is not a regular file" };
      if (found.length > MOST_FILES) return { path: inside, why: `holds more than ${MOST_FILES} files` };
    }
  }
  return found;
}

export function patternIn(path: string): { folder: string; matches(file: string): boolean } | undefined {
  const parts = path.replaceAll("\\", "/").split("/");
  const first = parts.findIndex(isGlob);
  if (first < 0) return undefined;
  const matches = globMatcher(parts.slice(first).join("/"), { dot: true });
  return { folder: parts.slice(0, first).join("/") || ".", matches };
}
