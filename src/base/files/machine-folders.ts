/** Folders that package managers and interpreters fill on their own, whatever is in them. */
const INSTALLED = new Set([
  "node_modules",
  "bower_components",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".gradle",
  ".npm",
  ".cache",
]);

const HISTORY = new Set([".git", ".hg", ".svn", ".proctor"]);

/** Too many files to look at one by one, and none that a person or an agent wrote. */
export function isInstalledFolder(name: string): boolean {
  return INSTALLED.has(name);
}

/** Folders that no skill, suite or agent is made of. */
export function isMachineFolder(name: string): boolean {
  return INSTALLED.has(name) || HISTORY.has(name);
}
