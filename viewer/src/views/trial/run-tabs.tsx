import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import type { Row } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { type Trials, trialKey } from "../../data/trials.ts";
import { Dot } from "../../parts/marks.tsx";
import { RUN_WORDS, time } from "../../parts/words.ts";

/** Tabs for the runs of one question on one target. */
export function RunTabs({ row: { answers, question }, trial, trials }: { row: Row; trial: PageTrial; trials: Trials }) {
  const runs = [...(answers[trial.target]?.result.runs ?? "")].flatMap((sign, at) => {
    const one = trials.get(trialKey(trial.target, trial.ask, at + 1));
    return one === undefined ? [] : [{ sign, one }];
  });
  if (runs.length < 2) return null;
  return (
    <nav class="tabs runs-of" aria-label="Runs">
      {runs.map(({ sign, one }) => (
        <a
          key={one.run}
          href={to("trial", trialKey(one.target, one.ask, one.run), { question: question.id })}
          aria-current={one.run === trial.run ? "true" : undefined}
        >
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <Dot run={sign} x={7} y={7} />
          </svg>
          run {one.run}
          <span class="unseen"> {RUN_WORDS[sign]}</span> <span class="quiet">{time(one.ms)}</span>
        </a>
      ))}
    </nav>
  );
}
