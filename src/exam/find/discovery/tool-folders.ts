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

/** Folders in which repositories keep a copy of their skills for each tool, hidden or plain (`codex/`). */
const copied = new Set([
  ...[...hostFolders, ...otherToolFolders, ".apm"],
  ...[...agentHosts.map(({ agent }) => agent.id), "cursor", "generic"],
]);

/** In any other hidden folder only a `skills` folder directly below it is searched. */
export function isWalkedWhole(name: string): boolean {
  return !name.startsWith(".") || walked.has(name);
}

/** Whether a folder says which tool a skill is for, and nothing about the skill. */
export function isToolFolder(name: string, inside?: string): boolean {
  return copied.has(name) || (name.startsWith(".") && inside === "skills");
}

/** Where a tool keeps whole copies of the repository. */
export function isWorktrees(name: string, parent: string): boolean {
  return name === "worktrees" && parent === ".claude";
}

/** The order in which copies are preferred, by how common the tools are. */
export const FIRST_TOOLS: readonly string[] = [".claude", ".agents"];
