import { createMask } from "../../../base/index.ts";
import type { Exam } from "../../plan/index.ts";
import { takeSnapshot } from "../snapshot.ts";
import { jobOf } from "../trial.ts";
import { openAnswers } from "./cached-answers.ts";

/** How many trials of an exam the cache would answer, by target. Asks nobody, and keeps nothing. */
export async function cachedTrials(exam: Exam): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (!exam.options.cache || exam.options.refresh) return counts;
  const snapshot = await takeSnapshot(exam);
  const answers = openAnswers({ exam: snapshot.exam, skills: snapshot.staged, mask: createMask([]) });
  try {
    for (const ask of snapshot.exam.plan.asks) {
      for (let run = 1; run <= ask.runs; run++) {
        const kept = await answers.find(jobOf({ ask, run }, snapshot.exam));
        if (kept?.status === "line") counts.set(ask.target, (counts.get(ask.target) ?? 0) + 1);
      }
    }
  } finally {
    await answers.close();
    await snapshot.remove();
  }
  return counts;
}
