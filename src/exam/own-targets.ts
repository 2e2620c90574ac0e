import type { Suite } from "../suites/index.ts";

/** Who answers a suite's questions when nobody is named, by kind of question. */
export interface OwnTargets {
  trigger: string;
  case: string;
}

/** eva's suites name their own models: a judge for the triggering block, a model for the cases. All others go to the embedded router. */
export function ownTargets({ format, defaults }: Suite): OwnTargets {
  if (format !== "eva") return { trigger: "embedded", case: "embedded" };
  return {
    trigger: defaults.judgeModel === undefined ? "embedded" : `judge:${defaults.judgeModel}`,
    case: defaults.model === undefined ? "embedded" : `model:${defaults.model}`,
  };
}

/** The targets that these suites need, in the order of the questions. */
export function targetsOf(suites: readonly Suite[], only: "triggers" | "cases" | undefined): string[] {
  const ids = suites.flatMap((suite) => {
    const own = ownTargets(suite);
    const triggers = suite.triggers.length > 0 && only !== "cases" ? [own.trigger] : [];
    const cases = suite.cases.length > 0 && only !== "triggers" ? [own.case] : [];
    return [...triggers, ...cases];
  });
  return [...new Set(ids.length === 0 ? ["embedded"] : ids)];
}
