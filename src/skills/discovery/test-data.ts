/** Folders of what tests and exams work on. */
const folders = /^(?:fixtures?|__fixtures__|testdata|test[-_]data|__mocks__|__snapshots__)$/i;

/**
 * Is this file, by its path below the root, something that an exam or a test works on, and nothing that anybody uses: fixtures, test
 * data, or the files that a case is staged with (`evals/<skill>/files/…`)?
 */
export function isTestData(path: string): boolean {
  const parts = path.split(/[\\/]/).slice(0, -1);
  const evals = parts.findIndex((part) => /^\.?evals?$/i.test(part));
  return parts.some((part, at) => folders.test(part) || (evals !== -1 && at > evals && part === "files"));
}
