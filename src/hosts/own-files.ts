import type { OwnFiles } from "./host.ts";
import { hosts } from "./list.ts";

export interface OwnFile {
  owner: string;
  entry: string;
}

export const otherToolFolders = [".cursor", ".windsurf", ".roo", ".kiro", ".factory"];

/**
 * Files that belong to no host here but are read anyway: by git, which every CLI starts, and by other tools whose files
 * CLIs read too.
 */
const others: readonly { title: string; ownFiles: OwnFiles }[] = [
  {
    title: "git",
    // A folder with a HEAD can be a repository without a .git, and its configuration names commands.
    ownFiles: {
      paths: [".git", "HEAD"],
      source: "git-scm.com/docs: gitrepository-layout, git-config (core.fsmonitor, safe.bareRepository)",
    },
  },
  {
    title: "another coding tool",
    ownFiles: {
      paths: [...otherToolFolders, ".cursorrules", ".windsurfrules", ".clinerules"],
      source:
        "cursor.com/docs, docs.windsurf.com, docs.cline.bot, docs.roocode.com, kiro.dev/docs, docs.factory.ai: rules, hooks, MCP",
    },
  },
];

export function ownFileLists(): { title: string; ownFiles: OwnFiles }[] {
  return [...hosts.flatMap(({ title, ownFiles }) => (ownFiles === undefined ? [] : [{ title, ownFiles }])), ...others];
}

/**
 * The owner of a path inside a host's working directory: settings, hooks, servers, instructions or skills. Compares the
 * way any file system might, not just this one.
 */
export function ownFileOf(path: string): OwnFile | undefined {
  const segments = foldedPath(path);
  for (const { title, ownFiles } of ownFileLists()) {
    const entry = ownFiles.paths.find((one) => matches(segments, one));
    if (entry !== undefined) return { owner: title, entry: entry.replace(/^\//, "") };
  }
  return undefined;
}

function matches(segments: readonly string[], entry: string): boolean {
  const wanted = foldedPath(entry);
  const starts = entry.startsWith("/") ? [0] : segments.map((_, index) => index);
  return starts.some((start) => wanted.every((name, index) => isName(segments[start + index], name)));
}

/** Windows also knows a file by a short name: CLAUDE~1 for .claude. */
function isName(segment: string | undefined, name: string): boolean {
  if (segment === undefined || segment === name) return segment === name;
  const short = /^(.{1,6})~\d+(?:\..{0,3})?$/.exec(segment)?.[1];
  return short !== undefined && name.replaceAll(".", "").startsWith(short);
}

/**
 * Splits a path into segments that are equal if any file system could take them for the same: ignores case, accents,
 * ignorable characters, trailing blanks and dots, and anything after a colon.
 */
export function foldedPath(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]/)) {
    const folded = foldedName(segment);
    if (segment === "..") segments.pop();
    else if (folded !== "") segments.push(folded);
  }
  return segments;
}

function foldedName(segment: string): string {
  const stream = segment.indexOf(":");
  return (stream > 0 ? segment.slice(0, stream) : segment)
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\p{Cc}]/gu, "")
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<![. ])[. ]+$/, "");
}
