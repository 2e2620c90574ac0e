import type { PageQuestion, PageTrial } from "../../../src/reports/html/page-data.ts";
import { to } from "../data/route.ts";
import { trialKey } from "../data/trials.ts";
import { Mark } from "../parts/marks.tsx";
import { safe } from "../parts/words.ts";

/** The checks of a case, trial by trial: what was checked, whether it held, and what the evidence was. */
export function Checks({ row, trials }: { row: { question: PageQuestion; at: number }; trials: PageTrial[] }) {
  const checked = trials.flatMap((trial) => trial.checks.filter(({ question }) => question === row.at).map((check) => ({ trial, check })));
  if (checked.length === 0) return null;
  return (
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">check</th>
        </tr>
      </thead>
      <tbody>
        {checked.map(({ trial, check }, at) => (
          <tr key={`${trial.run} ${at}`}>
            <td>
              <a href={to("trial", trialKey(trial.target, trial.ask, trial.run), { question: row.question.id })}>{trial.run}</a>
            </td>
            <td>
              <Mark verdict={check.passed === null ? "inconclusive" : check.passed ? "pass" : "fail"} />{" "}
              <span class="message">{safe(check.message) || (check.passed === true ? "all checks passed" : "")}</span>
              {check.parts !== undefined && (
                <ul class="parts">
                  {check.parts.map((part, place) => (
                    <li key={`${place}`}>
                      <Mark verdict={part.passed === null ? "inconclusive" : part.passed ? "pass" : "fail"} />{" "}
                      <code>{safe(part.grader)}</code> <span class="message">{safe(part.message)}</span>
                      {part.evidence !== undefined && part.evidence !== "" && (
                        <details>
                          <summary>evidence</summary>
                          <pre class="message">{safe(part.evidence)}</pre>
                        </details>
                      )}
                    </li>
                  ))}
                </ul>
              )}
              {check.score !== null && check.score !== undefined && check.passed !== true && (
                <span class="quiet"> score {check.score.toFixed(2)}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
