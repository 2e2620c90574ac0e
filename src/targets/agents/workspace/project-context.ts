import { join } from "node:path";
import { fingerprint, readText, UsageError } from "../../../base/index.ts";
import type { AgentAdapter } from "../../../hosts/index.ts";
import { importedFiles } from "./context-imports.ts";

/** A project's instructions for agents, such as AGENTS.md: only the files a host reads on its own. */
export interface ProjectContext {
  files: readonly { path: string; content: string }[];
  leftOut: readonly string[];
  prints: Record<string, string>;
}

const MOST_BYTES = 1024 * 1024;

/** Read once, so that all trials see the same. */
export function readContext(
  { title, contextFiles = [], contextImports = false }: Pick<AgentAdapter, "title" | "contextFiles" | "contextImports">,
  project: string,
): ProjectContext {
  if (contextFiles.length === 0)
    throw new UsageError(
      `Which file ${title} takes a project's instructions from is unknown, so it cannot be asked with --with-context.`,
      "Your own agent names it in defineAgent: contextFiles.",
    );
  const own = contextFiles.flatMap((path) => {
    const read = readText(join(project, path), { within: project, mostBytes: MOST_BYTES });
    if (read.status === "text") return [{ path, content: read.text }];
    if (read.reason === "missing") return [];
    throw new UsageError(
      `${path} cannot be read for --with-context: ${read.message}.`,
      "Put a regular file there, or leave the option out.",
    );
  });
  const { imported, leftOut } = contextImports
    ? importedFiles(own, project, MOST_BYTES)
    : { imported: [], leftOut: [] };
  const files = [...own, ...imported];
  return {
    files,
    leftOut,
    prints: Object.fromEntries(files.map(({ path, content }) => [path, fingerprint(content).slice(0, 16)])),
  };
}

export function contextNote(
  { files, leftOut }: ProjectContext,
  { contextFiles = [] }: Pick<AgentAdapter, "contextFiles">,
): string {
  const without = leftOut.length === 0 ? "" : `, without what they import from elsewhere (${leftOut.join(", ")})`;
  if (files.length > 0) return `with the project's ${files.map(({ path }) => path).join(" and ")}${without}`;
  return `without instructions of the project, which has no ${contextFiles.join(" or ")}`;
}
