import type { Library } from "../../skills/index.ts";
import { makeAsk, resolveExpect, type Suite } from "../../suites/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import type { PlannedTarget } from "../plan.ts";

/** The targets with the embedded one's thresholds refitted to these suites, where that measurably helps; its note says what was done. */
export async function calibrateTargets(
  targets: readonly PlannedTarget[],
  library: Library,
  suites: readonly Suite[],
  home: string,
): Promise<PlannedTarget[]> {
  return Promise.all(
    targets.map(async (planned) => {
      if (planned.target.id !== "embedded") return planned;
      const { calibrate, embeddedTarget, routedQuery } = await loadEmbedded();
      const calibration = calibrate(library.skills, labelsOf(suites, library, routedQuery));
      const target = embeddedTarget("", { root: home, calibration });
      const note = [target.note, calibration.summary].filter((part) => part !== undefined).join("; ");
      return { target: { ...target, note }, identity: await target.identify() };
    }),
  );
}

type Query = (ask: ReturnType<typeof makeAsk>) => string;

/** What the suites say of each skill: required is a positive label, forbidden a negative one. */
function labelsOf(suites: readonly Suite[], library: Library, queryOf: Query): { query: string; skill: string; positive: boolean }[] {
  return suites.flatMap((suite) =>
    suite.triggers.flatMap((trigger) => {
      const expect = resolveExpect(trigger.expect, library, trigger.source.file);
      if ("invalid" in expect || trigger.skip !== undefined) return [];
      const query = queryOf(makeAsk(trigger, library));
      const label = (positive: boolean) => (skill: string) => ({ query, skill, positive });
      return [...expect.required_skills.map(label(true)), ...expect.forbidden_skills.map(label(false))];
    }),
  );
}
