import type { FooterLine } from "../../../model/index.ts";
import type { Exam } from "../../plan/index.ts";
import type { Counters } from "../limits/counters.ts";
import type { ScheduleResult } from "../schedule/schedule.ts";

interface ExamEnd {
  exam: Exam;
  counters: Counters;
  result: ScheduleResult;
  /** Skills and files that were edited during the run. */
  changed: string[];
}

/** How a run ended, and how many trials of its plan were not made, by reason. */
export function footerOf({ exam, counters, result, changed }: ExamEnd): FooterLine {
  const { standings, progress } = counters;
  const { interrupted, unasked } = result;
  const notAsked: Record<string, number> = {};
  for (const ask of exam.plan.asks) {
    if (standings.needed(ask) === 0) continue;
    const reason = unasked.get(ask.target) ?? "interrupted";
    notAsked[reason] = (notAsked[reason] ?? 0) + ask.runs - standings.done(ask);
  }
  const how = interrupted ? "interrupted" : unasked.size > 0 ? "stopped" : "complete";
  const footer: FooterLine = {
    type: "footer",
    endedAt: new Date().toISOString(),
    how,
    notAsked,
    saved: progress.saved,
  };
  return changed.length === 0 ? footer : { ...footer, changed };
}
