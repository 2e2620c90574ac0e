import type { FooterLine } from "../../../model/index.ts";
import type { PlannedAsk } from "../../plan/index.ts";
import type { ScheduleResult } from "../schedule/schedule.ts";
import type { Standings } from "../schedule/standings.ts";

interface SittingEnd {
  standings: Standings;
  result: ScheduleResult;
  /** What the cache saved. */
  saved: FooterLine["saved"];
  /** What was edited meanwhile. */
  changed: string[];
}

/** How a sitting ended, and what of its plan was not asked, by reason. */
export function footerOf(asks: readonly PlannedAsk[], { standings, result, saved, changed }: SittingEnd): FooterLine {
  const { interrupted, unasked } = result;
  const notAsked: Record<string, number> = {};
  for (const ask of asks) {
    if (standings.needed(ask) === 0) continue;
    const reason = unasked.get(ask.target) ?? "interrupted";
    notAsked[reason] = (notAsked[reason] ?? 0) + ask.runs - standings.done(ask);
  }
  const how = interrupted ? "interrupted" : unasked.size > 0 ? "stopped" : "complete";
  const footer: FooterLine = { type: "footer", endedAt: new Date().toISOString(), how, notAsked, saved };
  return changed.length === 0 ? footer : { ...footer, changed };
}
