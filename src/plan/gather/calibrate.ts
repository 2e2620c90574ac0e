import { failsGiven, type Rate } from "../../scores/index.ts";
import type { Library } from "../../skills/index.ts";
import { type Calibration, loadEmbedded } from "../../targets/index.ts";
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
      const note = [target.note, calibration.summary, trustText(calibration.said, agent ?? "")].filter((part) => part).join("; ");
      return { target: { ...target, note }, identity: await target.identify() };
    }),
  );
}

/** What the embedded target's word was worth on the questions that the agent was asked, by limits that were not fitted to them. */
function trustText(said: Calibration["said"], agent: string): string {
  const asked = said.flatMap(({ query, fired, wanted, says }) =>
    wanted === undefined ? [] : [{ ask: query, first: verdictOf(says, wanted), fails: fired !== wanted }],
  );
  const { givenFail, givenPass } = failsGiven(asked);
  const parts = [
    ["fails", givenFail],
    ["passes", givenPass],
  ] as const;
  const told = parts.flatMap(([does, rate]) => (rate.n === 0 ? [] : [`${shareOf(rate)} that it ${does}`]));
  return told.length === 0 ? "" : `${agent} failed ${told.join(", ")}`;
}

function verdictOf(says: boolean | undefined, wanted: boolean): "pass" | "fail" | "unsure" {
  if (says === undefined) return "unsure";
  return says === wanted ? "pass" : "fail";
}

function shareOf({ value, n, low, high }: Rate): string {
  const short = (bound: number | null) => (bound ?? 0).toFixed(2).replace(/^0/, "");
  return `${Math.round((value ?? 0) * n)} of the ${n} [${short(low)}–${short(high)}]`;
}
