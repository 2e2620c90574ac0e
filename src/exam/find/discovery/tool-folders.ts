/** Folders in which coding tools keep skills of a project. A tool that is not among them is found by its `.name/skills`. */
const tools = ["claude", "agents", "github", "gemini", "opencode", "cursor", "codex", "qwen", "copilot", "apm"];

/** Of these only the place of a copy is known. */
const others = ["windsurf", "factory", "roo", "kiro"];

/** As repositories name folders with a copy of their skills for each tool. */
const plain = ["claude", "codex", "copilot", "gemini", "opencode", "cursor", "qwen", "generic"];

/** Hidden folders of plugins and of tests. */
const further = [
  "claude-plugin",
  "codex-plugin",
  "cursor-plugin",
  "plugin",
  "eval",
  "evals",
  "test",
  "tests",
  "sklab",
  "skill-lab",
  "waza",
];

const walked = new Set([...tools, ...further].map((name) => `.${name}`));
const copied = new Set([...[...tools, ...others].map((name) => `.${name}`), ...plain]);

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
