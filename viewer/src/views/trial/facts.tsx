import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import { Pair } from "../../parts/pair.tsx";
import { count, moment, money, number, oneLine, time } from "../../parts/words.ts";
import { endText } from "./words.ts";

export function Facts({ trial }: { trial: PageTrial }) {
  // A prediction has no turns.
  const isRun = trial.prediction === undefined;
  return (
    <dl class="pairs">
      {isRun && <Pair name="ended">{endText(trial)}</Pair>}
      <Pair name="time">
        {time(trial.ms)}
        {trial.retried > 0 && `, after ${count(trial.retried, "attempt")} that failed`}
      </Pair>
      {isRun && <Pair name="turns">{trial.turns}</Pair>}
      {isRun && <Pair name="tokens">{tokensText(trial)}</Pair>}
      <Pair name="cost">
        {trial.costUsd === undefined
          ? "not known"
          : `${money(trial.costUsd)}${trial.costEstimated === true ? " (estimated)" : ""}`}
      </Pair>
      <Pair name="asked">
        {trial.cached === undefined ? moment(trial.at) : `from the cache, measured ${moment(trial.cached.measuredAt)}`}
      </Pair>
      {trial.askedBecause !== undefined && <Pair name="because">{oneLine(trial.askedBecause)}</Pair>}
    </dl>
  );
}

function tokensText({ usage }: PageTrial): string {
  if (usage === undefined) return "not known";
  const parts = [
    [usage.inputTokens, "in"],
    [usage.outputTokens, "out"],
    [usage.cacheReadTokens, "read from cache"],
    [usage.cacheWriteTokens, "written to cache"],
  ] as const;
  return parts.flatMap(([n, word]) => (n === undefined ? [] : [`${number(n)} ${word}`])).join(", ") || "not known";
}
