const folders = /^(?:(?:[\w-]+[-_])?fixtures?|__fixtures__|testdata|test[-_]data|__mocks__|__snapshots__)$/i;
const tests = /^(?:tests?|__tests__|e2e)$/i;

/**
 * Is this file, by its path below the root, something that an exam or a test works on, and nothing that anybody uses:
 * fixtures, test data, or the files that a case is staged with (`evals/<skill>/files/…`)?
 */
export function isTestData(path: string): boolean {
  const parts = foldersOf(path);
  const evals = parts.findIndex((part) => /^\.?evals?$/i.test(part));
  return parts.some((part, at) => folders.test(part) || (evals !== -1 && at > evals && part === "files"));
}

/**
 * Is a skill at this path only there for a test? Suites often lie in `tests/`; skills that people install do not. Below
 * a folder of skills, `test` may be a kind of skill.
 */
export function isTestSkill(path: string): boolean {
  const parts = foldersOf(path);
  const skills = parts.indexOf("skills");
  return isTestData(path) || parts.some((part, at) => tests.test(part) && (skills === -1 || at < skills));
}

function foldersOf(path: string): string[] {
  return path.split(/[\\/]/).slice(0, -1);
}
