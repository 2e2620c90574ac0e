import type { Problem } from "../base/index.ts";
import type { Library, Suite } from "../model/index.ts";
import { checkBalance } from "./suites/balance.ts";
import { checkGraders } from "./suites/graders.ts";
import { checkNames } from "./suites/names.ts";
import { checkQueries } from "./suites/queries.ts";
import { checkRepeats } from "./suites/repeats.ts";
import { siblingsOf } from "./suites/siblings.ts";
import { checkTemplates } from "./suites/templates.ts";

export function checkSuites({ suites, library }: { suites: readonly Suite[]; library: Library }): Problem[] {
  const siblings = siblingsOf(suites, library);
  const each = suites.flatMap((suite) => [
    ...suite.problems,
    ...checkNames(suite, library),
    ...checkGraders(suite, library),
    ...checkTemplates(suite),
    ...checkQueries(suite, library),
    ...checkBalance(suite, library, siblings),
  ]);
  return [...each, ...checkRepeats(suites, library)];
}
