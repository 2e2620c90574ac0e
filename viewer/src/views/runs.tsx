import { scaleLinear, scalePoint } from "d3-scale";
import { line } from "d3-shape";
import { useMemo } from "preact/hooks";
import { diffOf } from "../../../src/reports/html/diff.ts";
import type { PageRun } from "../../../src/reports/html/page-data.ts";
import type { Rate } from "../../../src/scores/scores.ts";
import type { Model } from "../data/model.ts";
import { here, param, to } from "../data/route.ts";
import { isServed } from "../data/source.ts";
import { count, intervalText, moment, oneLine, rateText, safe, whole } from "../parts/words.ts";
import { Choice } from "./questions.tsx";

const METRICS = { score: "score", recall: "recall", fpr: "false positives" } as const;
type Metric = keyof typeof METRICS;

/** Rates over the runs that are kept, with the edits of the skills between them. */
export function RunsView({ model }: { model: Model }) {
  const skill = param("skill");
  const edited = model.data.history.filter((run) => run.edited.some((edit) => skill === "" || edit.skill === skill));
  return (
    <>
      <h1>Over time</h1>
      <div class="filters">
        <Choice name="metric" label="rate" any={null} values={Object.entries(METRICS)} />
        <Choice name="skill" label="skill" any="all of the library" values={model.data.library.skills.map(({ id }) => [id, oneLine(id)])} />
      </div>
      <Trend model={model} skill={skill} />
      <div class="columns even">
        <RunTable model={model} skill={skill} />
        <section aria-labelledby="edits">
          <h2 id="edits">Edits</h2>
          {edited.length === 0 && <p class="quiet">No skill was edited between the runs that are kept.</p>}
          <ol class="edits">
            {edited.toReversed().map((run) => (
              <li key={run.run}>
                <p>
                  before <b>{run.run}</b>
                </p>
                <ul class="plain-list">
                  {run.edited
                    .filter((edit) => skill === "" || edit.skill === skill)
                    .slice(0, 12)
                    .map((edit) => (
                      <li key={edit.skill}>
                        <a href={to("skill", edit.skill)}>{oneLine(edit.skill)}</a>
                        {edit.before === undefined || edit.after === undefined ? (
                          <span class="quiet"> its files changed, not its description</span>
                        ) : (
                          <WordDiff before={edit.before} after={edit.after} />
                        )}
                      </li>
                    ))}
                </ul>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </>
  );
}

function RunTable({ model, skill }: { model: Model; skill: string }) {
  const metric = (param("metric") || "score") as Metric;
  return (
    <section aria-labelledby="kept">
      <h2 id="kept">Runs that are kept</h2>
      <table class="kept">
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">target</th>
            <th scope="col">{METRICS[metric]}</th>
            <th scope="col">verdicts</th>
          </tr>
        </thead>
        <tbody>
          {model.data.history.toReversed().flatMap((run) =>
            run.targets.map((target) => {
              const rate = rateOf(target, metric, skill);
              return (
                <tr key={`${run.run} ${target.id}`} class={run.run === model.exam?.run.id ? "now" : ""}>
                  <td>
                    {isServed.value ? (
                      <a class="entry" href={here({ run: run.run })}>
                        {run.run}
                      </a>
                    ) : (
                      run.run
                    )}
                    <span class="quiet">
                      {" "}
                      {moment(run.startedAt)}
                      {run.partial !== undefined && ", part of the questions"}
                      {run.how !== "complete" && `, ${run.how}`}
                    </span>
                  </td>
                  <td>{oneLine(target.id)}</td>
                  <td class="number">{rate === undefined ? "—" : `${rateText(rate)} ${intervalText(rate)}`}</td>
                  <td class="number">
                    {target.verdicts} of {target.planned}
                  </td>
                </tr>
              );
            }),
          )}
        </tbody>
      </table>
    </section>
  );
}

function rateOf(target: PageRun["targets"][number], metric: Metric, skill: string): Rate | undefined {
  return skill === "" ? target[metric] : target.skills.find((one) => one.skill === skill)?.[metric];
}

const STYLES = ["a", "b", "c", "d", "e"];

/** A rate with its interval, run after run; an edit is a mark on the axis. */
export function Trend({ model, skill, small = false }: { model: Model; skill: string; small?: boolean }) {
  const metric = (small ? "score" : param("metric") || "score") as Metric;
  const { history } = model.data;
  const [width, height] = small ? [420, 150] : [1100, 300];
  const margin = { left: 34, right: 12, top: 12, bottom: small ? 26 : 46 };
  const x = useMemo(
    () =>
      scalePoint<string>()
        .domain(history.map(({ run }) => run))
        .range([margin.left, width - margin.right])
        .padding(0.5),
    [history, width],
  );
  const y = scaleLinear()
    .domain([0, 1])
    .range([height - margin.bottom, margin.top]);
  const targets = [...new Set(history.flatMap((run) => run.targets.map(({ id }) => id)))].slice(0, STYLES.length);
  const every = Math.ceil(history.length / (small ? 4 : 14));
  return (
    <figure class="trend">
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={trendText(history, targets, metric, skill)}>
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} class="tick" />
            <text x={margin.left - 6} y={y(tick) + 4} class="end">
              {tick}
            </text>
          </g>
        ))}
        {history.map((run, at) => {
          const edits = run.edited.filter((edit) => skill === "" || edit.skill === skill);
          const place = x(run.run) ?? 0;
          return (
            <g key={run.run}>
              {at % every === 0 && (
                <text x={place} y={height - margin.bottom + 16} class="middle">
                  {run.run.slice(5)}
                </text>
              )}
              {edits.length > 0 && (
                <g class="edit">
                  <line x1={place - x.step() / 2} x2={place - x.step() / 2} y1={margin.top} y2={height - margin.bottom} />
                  <path d={`M${place - x.step() / 2} ${height - margin.bottom}l5 8h-10z`}>
                    <title>{`edited before ${run.run}: ${edits.map((edit) => edit.skill).join(", ")}`}</title>
                  </path>
                  {!small && (
                    <text x={place - x.step() / 2} y={height - margin.bottom + 34} class="middle">
                      {edits.length === 1 ? oneLine(edits[0]?.skill ?? "").slice(0, 22) : `${edits.length} edits`}
                    </text>
                  )}
                </g>
              )}
            </g>
          );
        })}
        {targets.map((id, at) => {
          const offset = (at - (targets.length - 1) / 2) * Math.min(8, x.step() / (targets.length + 1));
          const points = history.flatMap((run) => {
            const target = run.targets.find((one) => one.id === id);
            const rate = target && rateOf(target, metric, skill);
            return rate === undefined || rate.value === null || target === undefined
              ? []
              : [{ run, rate, value: rate.value, predicted: target.predicted, place: (x(run.run) ?? 0) + offset }];
          });
          const path = line<(typeof points)[number]>(
            (point) => point.place,
            (point) => y(point.value),
          )(points);
          return (
            <g key={id} class={`series ${STYLES[at]}${points[0]?.predicted === true ? " predicted" : ""}`}>
              {path !== null && <path d={path} class="path" />}
              {points.map(({ run, rate, value, predicted, place }) => (
                <g key={run.run}>
                  {rate.low !== null && rate.high !== null && (
                    <line x1={place} x2={place} y1={y(rate.low)} y2={y(rate.high)} class="range" />
                  )}
                  {predicted ? (
                    <path d={`M${place} ${y(value) - 5}l5 5-5 5-5-5z`} class="point" />
                  ) : (
                    <circle cx={place} cy={y(value)} r="4" class={run.run === model.exam?.run.id ? "point now" : "point"} />
                  )}
                  <title>{`${id}, ${run.run}: ${whole(rate, METRICS[metric])}${run.partial === undefined ? "" : " (part of the questions)"}`}</title>
                </g>
              ))}
            </g>
          );
        })}
      </svg>
      <figcaption>
        {targets.map((id, at) => (
          <span
            key={id}
            class={`series ${STYLES[at]}${history.some((run) => run.targets.some((target) => target.id === id && target.predicted)) ? " predicted" : ""}`}
          >
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <circle cx="6" cy="6" r="4" class="point" />
            </svg>{" "}
            {oneLine(id)}
          </span>
        ))}
        {history.some((run) => run.edited.length > 0) && (
          <span>
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" class="edit">
              <path d="M6 2l5 8h-10z" />
            </svg>{" "}
            an edit
          </span>
        )}
      </figcaption>
    </figure>
  );
}

function trendText(history: PageRun[], targets: string[], metric: Metric, skill: string): string {
  const of = skill === "" ? "the library" : skill;
  return `${METRICS[metric]} of ${of} over ${count(history.length, "run")} on ${targets.join(", ")}; the table has the numbers`;
}

/** What was taken out and what was put in, word by word. */
function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <p class="diff">
      {parts.map(({ type, text }, at) =>
        type === "same" ? (
          <span key={`${at}`}>{safe(text)} </span>
        ) : type === "out" ? (
          <del key={`${at}`}>{safe(text)} </del>
        ) : (
          <ins key={`${at}`}>{safe(text)} </ins>
        ),
      )}
    </p>
  );
}

function wordDiff(before: string, after: string) {
  const [a = [], b = []] = [before, after].map((text) => text.split(/\s+/).filter((word) => word !== ""));
  return diffOf(a, b).map(({ type, items }) => ({ type, text: items.join(" ") }));
}
