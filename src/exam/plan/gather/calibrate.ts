import { count } from "../../../base/index.ts";
import { gradeTrigger } from "../../../graders/index.ts";
import type { Library, Rate } from "../../../model/index.ts";
import { foldEvents } from "../../../model/index.ts";
import { loadEmbedded, type Target } from "../../../targets/index.ts";
import { failsGiven } from "../../score/index.ts";
import type { PlannedTarget } from "../plan.ts";
import { agentDecisions, type Decisions } from "./agent-decisions.ts";

/** The targets with the embedded one's limits refitted to what an agent did on these cards, where that measurably helps; its note says what was done. */
export async function calibrateTargets(
  targets: readonly PlannedTarget[],
  library: Library,
  home: string,
): Promise<PlannedTarget[]> {
  return Promise.all(
    targets.map(async (planned) => {
      if (planned.target.id !== "embedded") return planned;
      const { calibrate, embeddedTarget, routedQuery } = await loadEmbedded();
      const found = await agentDecisions(home, library, routedQuery);
      const calibration = calibrate(library.skills, found.decisions, found.agent);
      const target = embeddedTarget("", { root: home, calibration });
      const parts = [
        target.note,
        calibration.summary,
        ...(calibration.status === "too_few" ? [moreText(found)] : []),
        await trustText(found, target, library),
      ];
      return {
        target: { ...target, note: parts.filter((part) => part).join("; ") },
        identity: await target.identify(),
      };
    }),
  );
}

/** How to come to enough trials. */
function moreText({ agent, elsewhere }: Decisions): string {
  const older =
    elsewhere === 0
      ? ""
      : `${count(elsewhere, "trial")} of agents there ${elsewhere === 1 ? "is" : "are"} on other cards; `;
  return `${older}${agent === undefined ? "proctor run -t claude:haiku, for example, makes some" : "more questions put to it add to them"}`;
}

/** What the embedded target's word was worth on the questions that the agent was asked, by limits that were not fitted to them. */
async function trustText({ agent = "", triggers }: Decisions, embedded: Target, library: Library): Promise<string> {
  const sitting = await embedded.open(library);
  const asking = { run: 1, signal: new AbortController().signal, decided: () => false };
  const asked = await Promise.all(
    triggers.map(async ({ query, expect, fails }) => {
      const ask = {
        key: query,
        kind: "trigger" as const,
        prompt: query,
        files: [],
        messages: [],
        library: library.fingerprint,
        limits: {},
      };
      const { events } = await sitting.ask(ask, asking);
      const { passed } = gradeTrigger(expect, await foldEvents(events));
      return { ask: query, first: verdictOf(passed), fails };
    }),
  );
  const { givenFail, givenPass } = failsGiven(asked);
  const parts = [
    ["fails", givenFail],
    ["passes", givenPass],
  ] as const;
  const told = parts.flatMap(([does, rate]) => (rate.n === 0 ? [] : [`${shareOf(rate)} that embedded ${does}`]));
  return told.length === 0 ? "" : `of the questions in its trials ${agent} failed ${told.join(" and ")}`;
}

function verdictOf(passed: boolean | null): "pass" | "fail" | "unsure" {
  if (passed === null) return "unsure";
  return passed ? "pass" : "fail";
}

function shareOf({ value, n, low, high }: Rate): string {
  const short = (bound: number | null) => (bound ?? 0).toFixed(2).replace(/^0/, "");
  return `${Math.round((value ?? 0) * n)} of the ${n} [${short(low)}–${short(high)}]`;
}
