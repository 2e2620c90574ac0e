import type { Problem } from "../base/index.ts";
import { checksNothing, suiteProblem } from "../formats/index.ts";
import type { Library, Suite } from "../model/index.ts";
import { checkBalance } from "./suites/balance.ts";
import { checkGraders } from "./suites/graders.ts";
import { checkNames } from "./suites/names.ts";
import { checkQueries } from "./suites/queries.ts";
import { checkRepeats } from "./suites/repeats.ts";
import { siblingsOf } from "./suites/siblings.ts";
import { checkTemplates } from "./suites/templates.ts";

/** Everything that is wrong with these suites, or would make their scores mean little; what was found while reading them included. */
export function checkSuites({ suites, library }: { suites: readonly Suite[]; library: Library }): Problem[] {
  const siblings = siblingsOf(suites, library);
  const each = suites.flatMap((suite) => [
    ...suite.problems,
    ...nothingChecked(suite),
    ...checkNames(suite, library),
    ...checkGraders(suite, library),
    ...checkTemplates(suite),
    ...checkQueries(suite, library),
    ...checkBalance(suite, library, siblings),
  ]);
  return [...each, ...checkRepeats(suites, library)];
}

function nothingChecked(suite: Suite): Problem[] {
  return suite.triggers
    .filter(({ expect }) => checksNothing(expect))
    .map(({ source }) =>
      suiteProblem("suite/nothing-to-check", {
        message: "This question requires no skill, forbids none and allows any: there is nothing to check.",
        fix: "Add required_skills or forbidden_skills, or set allow_extra to false.",
        location: source,
      }),
    );
}
