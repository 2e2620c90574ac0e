import { count, type Problem, relativePosix } from "../../../base/index.ts";
import { suiteProblem } from "../../../formats/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { namesOf } from "../../find/index.ts";
import { isMaterial } from "../candidates.ts";
import { isTestCode, readTestCode } from "./test-code.ts";

const telling = /trigger|activat|routing|skill|eval/i;

export async function unreadCode(
  files: readonly string[],
  suites: readonly Suite[],
  library: Library,
): Promise<Problem[]> {
  const names = namesOf(library);
  const code = files.filter(
    (file) => isTestCode(file) && telling.test(relativePosix(library.root, file)) && !isMaterial(file, names),
  );
  if (code.length === 0) return [];
  const asked = new Set(suites.flatMap(({ triggers }) => triggers.map(({ query }) => query)));
  const read = await readTestCode(code, library);
  return read.suites.flatMap(({ file, triggers }) => {
    const open = triggers.filter(({ query }) => !asked.has(query));
    if (open.length === 0) return [];
    return suiteProblem("suite/not-read", {
      message: `${count(open.length, "labelled prompt")} in this code ${open.length === 1 ? "is" : "are"} not asked: code is not run.`,
      fix: `proctor import ${relativePosix(library.root, file)} --to evals writes a suite of ${open.length === 1 ? "it" : "them"}.`,
      location: { file },
    });
  });
}
