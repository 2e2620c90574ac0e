import type { Suite } from "../../../model/index.ts";

/** Who answers a suite's questions when nobody is named, by kind of question. */
interface OwnTargets {
  trigger: string;
  /** Nobody, where the suite names no model. */
  case: string | undefined;
}

/** eva's suites name their own models: a judge for the triggering block, a model for the cases. */
export function ownTargets({ defaults }: Suite): OwnTargets {
  return {
    trigger: defaults.judgeModel === undefined ? "embedded" : `judge:${defaults.judgeModel}`,
    case: defaults.model === undefined ? undefined : `model:${defaults.model}`,
  };
}

/** The targets of eva's folders, where only such folders are examined; undefined where others are, which the embedded router answers. */
export function targetsOfEva(suites: readonly Suite[], only: "triggers" | "cases" | undefined): string[] | undefined {
  if (suites.length === 0 || suites.some(({ format }) => format !== "eva")) return undefined;
  const ids = suites.flatMap((suite) => {
    const own = ownTargets(suite);
    const triggers = suite.triggers.length > 0 && only !== "cases" ? [own.trigger] : [];
    const cases = suite.cases.length > 0 && only !== "triggers" && own.case !== undefined ? [own.case] : [];
    return [...triggers, ...cases];
  });
  return ids.length === 0 ? ["embedded"] : [...new Set(ids)];
}
