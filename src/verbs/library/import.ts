import { resolve } from "node:path";
import { isWithin, namedPlace, type Problem, relativePosix, UsageError } from "../../base/index.ts";
import { discover } from "../../exam/find/index.ts";
import { type Imported, importSuites } from "../../exam/read/index.ts";

export interface ImportOptions {
  /** Default: the working directory of the process. */
  cwd?: string;
  /** A suite file, or a folder with suites. */
  from: string;
  /** The folder for `<skill>/triggers.json` and `<skill>/evals.json`. */
  to: string;
  /** Replace files that differ. */
  force?: boolean;
}

export interface ImportedSuites extends Imported {
  /** True if `proctor run` would read both the originals and the imported files. */
  readTwice: boolean;
  root: string;
}

export async function importFrom({ cwd = process.cwd(), from, to, force }: ImportOptions): Promise<ImportedSuites> {
  const [source, folder] = [resolve(cwd, from), namedPlace(to, cwd).path];
  const found = await discover({ cwd, paths: [from] });
  // A folder with suites only needs the skills beside it.
  const { libraries, files, root } =
    found.libraries.some((library) => library.skills.length > 0) || !source.startsWith(cwd)
      ? found
      : await discover({ cwd, root: cwd });
  const [library] = libraries;
  if (library === undefined) throw nothing(from);
  const imported = await importSuites({ library, files, from: source, to: folder, force });
  if (imported.written.length === 0) throw nothing(from, imported.problems, cwd);
  const readTwice =
    isWithin(root, source) && isWithin(root, folder) && !imported.written.some(({ file }) => file === source);
  return { ...imported, readTwice, root };
}

function nothing(from: string, problems: readonly Problem[] = [], cwd = ""): UsageError {
  const place = from === "." ? "this folder" : from;
  const hint = "docs/suites.md lists the formats that are read.";
  if (problems.length === 0) return new UsageError(`There is no suite in ${place}.`, hint);
  const lines = problems.map(
    ({ location: { file, line }, message }) =>
      `  ${relativePosix(cwd, file)}${line === undefined ? "" : `:${line}`}: ${message}`,
  );
  return new UsageError(`Nothing in ${place} could be imported:\n${lines.join("\n")}`, hint);
}
