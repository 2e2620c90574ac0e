import { join } from "node:path";
import { globMatcher, isGlob, kindAt, listFolder } from "../../base/index.ts";

/** A suite that wants more than this in a workspace means something else. */
const MOST_FILES = 2_000;
const MOST_DEPTH = 20;

/**
 * Files below a folder, relative to it, in order; or why they cannot be staged. No link is followed out, and nothing
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

/** The part of a pattern before its first wildcard, and the rest; undefined where it is a plain path. */
export function patternIn(path: string): { folder: string; matches(file: string): boolean } | undefined {
  const parts = path.replaceAll("\\", "/").split("/");
  const first = parts.findIndex(isGlob);
  if (first < 0) return undefined;
  const matches = globMatcher(parts.slice(first).join("/"), { dot: true });
  return { folder: parts.slice(0, first).join("/") || ".", matches };
}
