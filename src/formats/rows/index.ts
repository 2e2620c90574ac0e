import { isSlip } from "../../base/index.ts";
import type { Format } from "../format.ts";
import { caseOf, gradersOf } from "../questions/cases.ts";
import { emptySuite } from "../questions/question.ts";
import { suiteProblem } from "../rules.ts";
import { normalKey } from "./label-words.ts";
import { hasPromptsAndLabels, mayHoldRows } from "./likely-files.ts";
import { readRows } from "./read-rows.ts";

/** The fallback for data in no known format: anything with a prompt and a label is a row. */
export const rows: Format = {
  id: "rows",
  files: mayHoldRows,
  recognises: hasPromptsAndLabels,
  read(document, { names }) {
    const read = readRows(document, names);
    if (read === null) return null;
    const suite = emptySuite(document.file, rows.id);
    const place = names.owner()?.id;
    suite.triggers = read.triggers;
    suite.problems = read.problems;
    const unlabelled = read.unlabelled.filter((row) => {
      const about = { document, skill: row.owner ?? place, problems: suite.problems };
      const one = gradersOf(row.map).length > 0 ? caseOf(row.map, about) : undefined;
      if (one !== undefined) suite.cases.push(one);
      return one === undefined;
    });
    const open = unlabelled.filter((row) => {
      const slip = row.map.entries.find(({ key }) => isSlip(normalKey(key), "should_trigger"));
      if (slip === undefined) return true;
      suite.problems.push(
        suiteProblem("suite/invalid", {
          location: document.at(slip.value),
          message: `"${slip.key}" is no label, so nothing would be checked of this prompt.`,
          fix: "Did you mean `should_trigger`?",
        }),
      );
      return false;
    });
    const [first] = open;
    if (first !== undefined) {
      suite.problems.push(
        suiteProblem("suite/unlabelled", {
          location: document.at(first.at),
          message: `${open.length} of ${open.length + read.triggers.length} prompts in this file have no label and are not asked; this is the first.`,
          fix: "Add `should_trigger`, or `expect` with the name of the skill that should win.",
        }),
      );
    }
    return suite;
  },
};
