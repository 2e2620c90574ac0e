import { isWithin, type Problem } from "../../base/index.ts";
import type { Library } from "../../skills/index.ts";
import { parseCode } from "../documents/code.ts";
import { makeDocument } from "../documents/document.ts";
import { loadText } from "../documents/load.ts";
import { namesNear } from "../names.ts";
import { emptySuite, giveIds } from "../questions/question.ts";
import { readRows } from "../rows/read-rows.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";

const testCode = /\.(?:test|spec|eval)\.[cm]?[jt]sx?$|[\\/](?:test_[^\\/]*|[^\\/]*_test)\.py$/;
const about = /trigger|activat|\broute|routing|expected_?skill/i;

/**
 * Prompts and labels in the tests that people wrote by hand (Jest, Vitest, pytest): lists and tables of literals. The code is read, never run;
 * what is computed there cannot be known, and is named.
 */
export function readTestCode(files: readonly string[], library: Library): { suites: Suite[]; problems: Problem[] } {
  const suites: Suite[] = [];
  const problems: Problem[] = [];
  for (const file of files.filter((one) => testCode.test(one))) {
    const content = loadText(file, isWithin(library.root, file) ? library.root : undefined);
    if ("problem" in content || !about.test(content.text)) continue;
    const read = readOne(file, content.text, library);
    if (read.suite !== undefined) suites.push(read.suite);
    problems.push(...read.problems);
  }
  return { suites, problems };
}

function readOne(file: string, text: string, library: Library): { suite?: Suite; problems: Problem[] } {
  const { root, partial } = parseCode(text, file.endsWith(".py") ? "python" : "script");
  const document = makeDocument(file, "json", text, root);
  const rows = readRows(document, namesNear(library, file));
  const tell = (message: string, start: number) =>
    suiteProblem("suite/not-understood", {
      message,
      fix: "Write the prompts out, or add them to the imported file by hand.",
      location: document.at(start),
    });
  const problems = partial.map(({ name, start }) =>
    tell(`${name} has items that are computed: only what is written out was imported.`, start),
  );
  if (rows === null || rows.triggers.length === 0) {
    const isMeant = /trigger|activation|routing/i.test(file);
    return {
      problems: isMeant
        ? [...problems, tell("No prompt with a label was found in this test: only lists and tables of literals are read.", 0)]
        : [],
    };
  }
  const suite = { ...emptySuite(file, "test-code"), triggers: rows.triggers, problems: rows.problems };
  return { suite: giveIds(suite), problems };
}
