import type { PageRun } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { here, param } from "../../data/route.ts";
import { isServed } from "../../data/source.ts";
import { intervalText, moment, number, oneLine, rateText } from "../../parts/words.ts";
import { METRICS, type Metric, metricOf, rateOf } from "./metric.ts";

/** The trend's numbers, the newest run first. */
export function RunTable({ model, skill }: { model: Model; skill: string }) {
  const metric = metricOf(param("metric"));
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">Kept runs</h2>
      <table class="kept">
        <thead>
          <tr>
            <th scope="col">target</th>
            <th scope="col" colSpan={2}>
              {METRICS[metric]}
            </th>
            <th scope="col">verdicts</th>
          </tr>
        </thead>
        {model.data.history.toReversed().map((run) => (
          <RunRows key={run.run} run={run} metric={metric} skill={skill} isNow={run.run === model.exam?.run.id} />
        ))}
      </table>
    </section>
  );
}

function RunRows({ run, metric, skill, isNow }: { run: PageRun; metric: Metric; skill: string; isNow: boolean }) {
  return (
    <tbody class={isNow ? "now" : ""}>
      <tr>
        <th scope="rowgroup" colSpan={4}>
          {isServed.value ? (
            <a class="entry" href={here({ run: run.run })}>
              {run.run}
            </a>
          ) : (
            run.run
          )}{" "}
          <span class="quiet">
            {moment(run.startedAt)}
            {run.partial !== undefined && ", part of the questions"}
            {run.how !== "complete" && `, ${run.how}`}
            {isNow && ", this run"}
          </span>
        </th>
      </tr>
      {run.targets.map((target) => {
        const rate = rateOf(target, metric, skill);
        return (
          <tr key={target.id}>
            <td>
              {oneLine(target.id)}
              {target.predicted && <span class="quiet"> predicted</span>}
            </td>
            <td class="number">{rate === undefined ? "—" : rateText(rate)}</td>
            <td class="number quiet">{rate === undefined ? "" : intervalText(rate)}</td>
            <td class="number">{`${number(target.verdicts)} of ${number(target.planned)}`}</td>
          </tr>
        );
      })}
    </tbody>
  );
}
