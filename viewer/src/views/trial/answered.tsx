import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import type { Row } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { Mark } from "../../parts/marks.tsx";
import { count, expectation, oneLine, safe, titleOf } from "../../parts/words.ts";

const MOST = 20;

/** The questions that share the trial, with their verdicts. */
export function Answered({ rows, trial }: { rows: Row[]; trial: PageTrial }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{rows.length === 1 ? "The question it answers" : "The questions it answers"}</h2>
      <ul class="answers">
        {rows.slice(0, MOST).map(({ question, at, answers }) => {
          const sign = answers[trial.target]?.result.runs[trial.run - 1] ?? ".";
          const check = trial.checks.find((one) => one.question === at);
          return (
            <li key={question.id}>
              <a href={to("question", question.id)}>
                <Mark verdict={{ "+": "pass", "-": "fail", "?": "unsure" }[sign] ?? "inconclusive"} />{" "}
                {question.kind === "case"
                  ? oneLine(titleOf(question)).slice(0, 80)
                  : `${oneLine(question.skill ?? "library")} ${expectation(question)}`}
              </a>
              {check !== undefined && check.message !== "" && <p class="message quiet">{safe(check.message)}</p>}
            </li>
          );
        })}
      </ul>
      {rows.length > MOST && <p class="quiet">and {count(rows.length - MOST, "more question")}</p>}
    </section>
  );
}
