import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { casesText } from "../../../../src/reporters/text/lift-words.ts";
import { to } from "../../data/route.ts";
import { capital, count, money, number, oneLine, time } from "../../parts/words.ts";
import { spanText } from "../lift.tsx";

/** Cost, coverage, errors and savings of a target. */
export function Facts({ target, hasTriggers }: { target: PageTarget; hasTriggers: boolean }) {
  const { id, total, trials, lift } = target;
  const { verdicts, planned, skipped } = total.coverage;
  return (
    <ul class="facts">
      {target.predicted && target.note !== undefined && <li class="note">{capital(oneLine(target.note))}.</li>}
      <li>
        <b>{costText(trials.cost)}</b>{" "}
        {trials.perTrial.usd !== null && trials.perTrial.usd > 0 && `(${money(trials.perTrial.usd)} a trial)`}
      </li>
      <li>
        <b>{count(trials.total, "trial")}</b>
        {trials.perTrial.ms !== null && `, ${time(trials.perTrial.ms)} each`}
      </li>
      <li>
        verdicts on <b>{`${number(verdicts)} of ${number(planned)}`}</b>
        {skipped > 0 && `, ${number(skipped)} skipped`}
      </li>
      <Errors target={target} />
      {lift !== undefined && hasTriggers && (
        <li>
          lift{" "}
          <a href={to("cases")}>
            <b>{spanText(lift)}</b>
          </a>{" "}
          over {casesText(lift)}
        </li>
      )}
      {total.flaky > 0 && (
        <li>
          <a href={to("questions", "", { flaky: "yes", target: id })}>{number(total.flaky)} flaky</a>
        </li>
      )}
      {trials.cached > 0 && (
        <li>
          {number(trials.cached)} from the cache{trials.savedUsd > 0 && `, saved ${money(trials.savedUsd)}`}
          {trials.oldestCached !== undefined && ` (oldest ${oneLine(trials.oldestCached.slice(0, 10))})`}
        </li>
      )}
    </ul>
  );
}

function costText({ usd, known, unknown, estimated }: PageTarget["trials"]["cost"]): string {
  if (known === 0) return unknown === 0 ? "$0" : "cost unknown";
  return `${money(usd)}${estimated > 0 ? " (estimated)" : ""}${unknown > 0 ? `, and ${count(unknown, "trial")} of unknown cost` : ""}`;
}

function Errors({ target: { id, trials } }: { target: PageTarget }) {
  const errors = Object.values(trials.errors);
  if (errors.length === 0) return <li>no errors</li>;
  const all = errors.reduce((sum, error) => sum + error.trials, 0);
  return (
    <li class="errors">
      <a href={to("questions", "", { cause: "error", target: id })}>{count(all, "error")}</a>, in no rate
      {trials.retries > 0 && `, ${number(trials.retries)} retried`}
    </li>
  );
}
