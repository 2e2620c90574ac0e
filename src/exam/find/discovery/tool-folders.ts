import { agentHosts, hosts, otherToolFolders } from "../../../hosts/index.ts";

const hostFolders = hosts.flatMap(({ folders = [] }) => folders);

/** Hidden folders of plugins and of tests. */
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

/** Repositories keep copies of their skills for each tool in such folders, and in plain ones (`codex/`). */
const copied = new Set([
  ...[...hostFolders, ...otherToolFolders, ".apm"],
  ...[...agentHosts.map(({ agent }) => agent.id), "cursor", "generic"],
]);

/** Walked like any other folder; an unknown hidden folder only for a `skills` folder right in it. */
export function isWalkedWhole(name: string): boolean {
  return !name.startsWith(".") || walked.has(name);
}

/** A folder that says for which tool a skill is, and nothing about the skill: a known one, or any `.name/skills`. */
export function isToolFolder(name: string, inside?: string): boolean {
  return copied.has(name) || (name.startsWith(".") && inside === "skills");
}

/** Where a tool keeps whole copies of the repository. */
export function isWorktrees(name: string, parent: string): boolean {
  return name === "worktrees" && parent === ".claude";
}

/** Copies in these come first, in the order in which people use them. */
export const FIRST_TOOLS: readonly string[] = [".claude", ".agents"];
