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

export function isInstalledFolder(name: string): boolean {
  return INSTALLED.has(name);
}

export function isMachineFolder(name: string): boolean {
  return INSTALLED.has(name) || HISTORY.has(name);
}
