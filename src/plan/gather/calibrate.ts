import type { Library } from "../../skills/index.ts";
import { loadEmbedded } from "../../targets/index.ts";
import type { PlannedTarget } from "../plan.ts";
import { agentDecisions } from "./agent-decisions.ts";

/** The targets with the embedded one's limits refitted to what an agent did on these cards, where that measurably helps; its note says what was done. */
export async function calibrateTargets(targets: readonly PlannedTarget[], library: Library, home: string): Promise<PlannedTarget[]> {
  return Promise.all(
    targets.map(async (planned) => {
      if (planned.target.id !== "embedded") return planned;
      const { calibrate, embeddedTarget, routedQuery } = await loadEmbedded();
      const { agent, decisions } = await agentDecisions(home, library, routedQuery);
      const calibration = calibrate(library.skills, decisions, agent ?? "an agent");
      const target = embeddedTarget("", { root: home, calibration });
      const note = [target.note, calibration.summary].filter((part) => part !== undefined).join("; ");
      return { target: { ...target, note }, identity: await target.identify() };
    }),
  );
}
