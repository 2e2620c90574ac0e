import type { WiredExam } from "../../../../src/reporters/html/wire.ts";
import { to } from "../../data/route.ts";
import { number, oneLine } from "../../parts/words.ts";

/** Skills that take others' prompts, the most frequent first. */
export function Thefts({ exam }: { exam: WiredExam }) {
  const all = exam.targets.flatMap((target) => target.steals.map((steal) => ({ ...steal, target: target.id })));
  if (all.length === 0) return null;
  const most = Math.max(...all.map(({ trials }) => trials));
  const shown = [...all].sort((a, b) => b.prompts - a.prompts || b.trials - a.trials).slice(0, 8);
  return (
    <section aria-labelledby="thefts">
      <h2 id="thefts">Who takes from whom</h2>
      <table class="thefts">
        <thead>
          <tr>
            <th scope="col">takes</th>
            <th scope="col">from</th>
            <th scope="col">prompts</th>
            <th scope="col">trials</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ thief, victim, prompts, trials, target }) => (
            <tr key={`${target} ${thief} ${victim}`}>
              <td>
                <a href={to("skill", thief)}>{oneLine(thief)}</a>
              </td>
              <td>
                <a href={to("skill", victim)}>{oneLine(victim)}</a>
                {exam.targets.length > 1 && <span class="quiet on">on {oneLine(target)}</span>}
              </td>
              <td class="number">{number(prompts)}</td>
              <td class="bar">
                <span>
                  <i style={{ width: `${(100 * trials) / most}%` }} />
                  {number(trials)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        <a href={to("matrix")}>
          The whole matrix{all.length > shown.length && `, with all ${number(all.length)} pairs`}
        </a>
      </p>
    </section>
  );
}
