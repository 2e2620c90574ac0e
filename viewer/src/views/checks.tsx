import type { PageQuestion, PageTrial } from "../../../src/reporters/html/page-data.ts";
import { to } from "../data/route.ts";
import { trialKey } from "../data/trials.ts";
import { Mark } from "../parts/marks.tsx";
import { safe } from "../parts/words.ts";

type Check = PageTrial["checks"][number];
type Part = Pick<Check, "passed" | "message"> & { grader?: string; evidence?: string };

/** The checks of a case with their evidence. Runs with the same outcome are grouped. */
export function Checks({ row, trials }: { row: { question: PageQuestion; at: number }; trials: PageTrial[] }) {
  const alike = new Map<string, { check: Check; trials: PageTrial[] }>();
  for (const trial of trials)
    for (const check of trial.checks.filter(({ question }) => question === row.at)) {
      const key = JSON.stringify([check.passed, check.message, check.score, check.parts]);
      const known = alike.get(key);
      if (known === undefined) alike.set(key, { check, trials: [trial] });
      else known.trials.push(trial);
    }
  if (alike.size === 0) return null;
  return (
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">checks</th>
        </tr>
      </thead>
      <tbody>
        {[...alike].map(([key, { check, trials: same }]) => (
          <tr key={key}>
            <td>
              {same.map((trial, at) => (
                <>
                  {at > 0 && ", "}
                  <a
                    key={trial.run}
                    href={to("trial", trialKey(trial.target, trial.ask, trial.run), { question: row.question.id })}
                  >
                    {trial.run}
                  </a>
                </>
              ))}
            </td>
            <td>
              <ul class="parts">
                {partsOf(check).map((part, place) => (
                  <PartLine key={`${place}`} part={part} />
                ))}
              </ul>
              {check.score !== null &&
                check.score !== undefined &&
                check.passed !== true &&
                (check.parts?.length ?? 0) > 1 && <span class="quiet">score {check.score.toFixed(2)}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A check of one grader has no parts; it is its only part. */
function partsOf({ parts, passed, message }: Check): Part[] {
  if (parts !== undefined && parts.length > 0) return parts;
  return [{ passed, message: message === "" && passed === true ? "all checks passed" : message }];
}

function PartLine({ part: { passed, grader, message, evidence } }: { part: Part }) {
  return (
    <li>
      <Mark verdict={passed === null ? "inconclusive" : passed ? "pass" : "fail"} />
      <div>
        {grader !== undefined && <code>{safe(grader)}</code>} <span class="message">{safe(message)}</span>
        {evidence !== undefined && evidence !== "" && (
          <details open={passed === false}>
            <summary>evidence</summary>
            <pre class="message">{safe(evidence)}</pre>
          </details>
        )}
      </div>
    </li>
  );
}
