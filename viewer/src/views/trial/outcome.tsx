import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { oneLine, safe } from "../../parts/words.ts";
import { EVIDENCE } from "./words.ts";

/** The outcome: an error, or the skills it activated. */
export function Outcome({ model, trial }: { model: Model; trial: PageTrial }) {
  if (trial.error !== undefined)
    return (
      <p class="outcome error">
        <b>Error: {model.data.words.errors[trial.error.reason] ?? trial.error.reason}.</b>{" "}
        <span class="message">{safe(trial.error.message).slice(0, 4000)}</span>
        <br />
        An error is not an answer: it is part of no rate.
      </p>
    );
  if (trial.fired.length === 0)
    return (
      <p class="outcome">
        {trial.askedBack === true ? "No skill was used: it asked a question back." : "No skill was used."}
      </p>
    );
  return (
    <ul class="outcome">
      {trial.fired.slice(0, 12).map(({ skill, turn, evidence, agent }, at) => (
        <li key={`${at}`}>
          <a href={to("skill", skill)}>{oneLine(skill)}</a> {EVIDENCE[evidence] ?? evidence}
          {evidence !== "predicted" && ` on turn ${turn}`}
          {agent !== undefined && `, by ${oneLine(agent)}`}
          {(evidence === "refused" || evidence === "mentioned") && <span class="quiet"> (does not count)</span>}
        </li>
      ))}
    </ul>
  );
}
