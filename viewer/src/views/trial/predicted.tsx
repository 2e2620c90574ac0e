import type { PageTrial } from "../../../../src/reporters/html/page-data.ts";
import { to } from "../../data/route.ts";
import { oneLine } from "../../parts/words.ts";

/** The ranking of a target that only predicts. */
export function Predicted({ trial }: { trial: PageTrial }) {
  if (trial.prediction === undefined) return null;
  const { ranking, needs } = trial.prediction;
  const most = Math.max(needs, 1e-9, ...ranking.map(({ score }) => score));
  return (
    <section>
      <h2>How it ranks the skills</h2>
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">skill</th>
            <th scope="col">score (fires from {needs.toFixed(2)})</th>
            <th scope="col">shared words</th>
          </tr>
        </thead>
        <tbody>
          {ranking.map(({ skill, score, verdict, words }) => (
            <tr key={skill} class={verdict}>
              <td>
                <a href={to("skill", skill)}>{oneLine(skill)}</a>
                <span class="quiet"> {{ fires: "fires", uncertain: "cannot tell", silent: "silent" }[verdict]}</span>
              </td>
              <td class="bar">
                <span>
                  <i style={{ width: `${Math.max(0, (100 * score) / most)}%` }} />
                  {score.toFixed(2)}
                </span>
              </td>
              <td class="quiet">{words.map(oneLine).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
