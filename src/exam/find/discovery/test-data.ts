const folders = /^(?:(?:[\w-]+[-_])?fixtures?|__fixtures__|testdata|test[-_]data|__mocks__|__snapshots__)$/i;
const tests = /^(?:tests?|__tests__|e2e)$/i;

/**
 * Whether a file, by its path below the root, is only input of a test or exam: a fixture, test data, or a file a case
 * is staged with (`evals/<skill>/files/…`).
 */
export function isTestData(path: string): boolean {
  const parts = foldersOf(path);
  const evals = parts.findIndex((part) => /^\.?evals?$/i.test(part));
  return parts.some((part, at) => folders.test(part) || (evals !== -1 && at > evals && part === "files"));
}

/**
 * Whether a skill exists only for a test. Suites often are in `tests/`, installable skills are not. Below a `skills`
 * folder, `test` may be a kind of skill.
 */
export function isTestSkill(path: string): boolean {
  const parts = foldersOf(path);
  const skills = parts.indexOf("skills");
  return isTestData(path) || parts.some((part, at) => tests.test(part) && (skills === -1 || at < skills));
}

function foldersOf(path: string): string[] {
  return path.split(/[\\/]/).slice(0, -1);
}
