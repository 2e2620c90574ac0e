import type { Problem } from "../../base/index.ts";
import type { Library } from "../../skills/index.ts";
import { checksNothing } from "../questions/expect.ts";
import { suiteProblem } from "../rules.ts";
import type { Suite } from "../suite.ts";
import { checkBalance } from "./balance.ts";
import { checkGraders } from "./graders.ts";
import { checkNames } from "./names.ts";
import { checkQueries } from "./queries.ts";
import { checkRepeats } from "./repeats.ts";
import { siblingsOf } from "./siblings.ts";
import { checkTemplates } from "./templates.ts";

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
