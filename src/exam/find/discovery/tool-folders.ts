import { agentHosts, hosts, otherToolFolders } from "../../../hosts/index.ts";

const hostFolders = hosts.flatMap(({ folders = [] }) => folders);

const further = [
  ".claude-plugin",
  ".codex-plugin",
  ".cursor-plugin",
  ".plugin",
  ".eval",
  ".evals",
  ".test",
  ".tests",
  ".sklab",
  ".skill-lab",
  ".waza",
];

const walked = new Set([...hostFolders, ".cursor", ".apm", ...further]);

/** Repositories keep a copy of their skills in these folders for each tool, hidden or plain (`codex/`). */
const copied = new Set([
  ...[...hostFolders, ...otherToolFolders, ".apm"],
  ...[...agentHosts.map(({ agent }) => agent.id), "cursor", "generic"],
]);

/** In other hidden folders only `skills` directly below is searched. */
export function isWalkedWhole(name: string): boolean {
  return !name.startsWith(".") || walked.has(name);
}

export function isToolFolder(name: string, inside?: string): boolean {
  return copied.has(name) || (name.startsWith(".") && inside === "skills");
}

export function isWorktrees(name: string, parent: string): boolean {
  return name === "worktrees" && parent === ".claude";
}

export const FIRST_TOOLS: readonly string[] = [".claude", ".agents"];
