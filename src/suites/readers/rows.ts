import { emptySuite } from "../questions/question.ts";
import { readRows } from "../rows/read-rows.ts";
import { suiteProblem } from "../rules.ts";
import { caseOf, gradersOf } from "./cases.ts";
import type { Reader } from "./reader.ts";

/** Everything else that is data: a row is whatever has a prompt and a label. */
export const rows: Reader = {
  id: "rows",
  read(document, { names }) {
    const read = readRows(document, names);
    if (read === null) return null;
    const suite = emptySuite(document.file, rows.id);
    const place = names.owner()?.id;
    suite.triggers = read.triggers;
    suite.problems = read.problems;
    const unlabelled = read.unlabelled.filter((row) => {
      const one = gradersOf(row.map).length > 0 ? caseOf(document, row.map, row.owner ?? place, suite.problems) : undefined;
      if (one !== undefined) suite.cases.push(one);
      return one === undefined;
    });
    const [first] = unlabelled;
    if (first !== undefined) {
      suite.problems.push(
        suiteProblem("suite/unlabelled", {
          location: document.at(first.at),
          message: `${unlabelled.length} of ${unlabelled.length + read.triggers.length} prompts in this file have no label and are not asked; this is the first.`,
          fix: "Add `should_trigger`, or `expect` with the name of the skill that should win.",
        }),
      );
    }
    return suite;
  },
};
