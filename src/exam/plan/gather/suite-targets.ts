import { namesTargets } from "../../../formats/index.ts";
import type { Suite } from "../../../model/index.ts";

/** Who answers a suite's questions when nobody is named, by kind of question. */
interface OwnTargets {
  trigger: string;
  /** Nobody, where the suite names no model. */
  case: string | undefined;
}

/** A suite may name its own models: a judge for triggers, a model for cases. */
export function ownTargets({ defaults }: Suite): OwnTargets {
  return {
    trigger: defaults.judgeModel === undefined ? "embedded" : `judge:${defaults.judgeModel}`,
    case: defaults.model === undefined ? undefined : `model:${defaults.model}`,
  };
}

/** The targets that the suites name; undefined unless all of them are in formats that name some. */
export function targetsOfSuites(
  suites: readonly Suite[],
  only: "triggers" | "cases" | undefined,
): string[] | undefined {
  if (suites.length === 0 || !suites.every(namesTargets)) return undefined;
  const ids = suites.flatMap((suite) => {
    const own = ownTargets(suite);
    const triggers = suite.triggers.length > 0 && only !== "cases" ? [own.trigger] : [];
    const cases = suite.cases.length > 0 && only !== "triggers" && own.case !== undefined ? [own.case] : [];
    return [...triggers, ...cases];
  });
  return ids.length === 0 ? ["embedded"] : [...new Set(ids)];
}
