import { scaleLinear, scalePoint } from "d3-scale";
import { line } from "d3-shape";
import { useMemo } from "preact/hooks";
import type { Rate } from "../../../../src/model/score.ts";
import type { PageRun } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { param } from "../../data/route.ts";
import { useWidth } from "../../parts/width.ts";
import { count, oneLine, whole } from "../../parts/words.ts";
import { METRICS, type Metric, metricOf, rateOf } from "./metric.ts";

const STYLES = ["a", "b", "c", "d", "e"];
/** Space for a run's name below the axis, in pixels. */
const ROOM = 76;

/** A rate with its interval over runs; edits are marks on the axis. */
export function Trend({ model, skill, small = false }: { model: Model; skill: string; small?: boolean }) {
  const metric = small ? "score" : metricOf(param("metric"));
  const { history } = model.data;
  const [figure, width] = useWidth<HTMLElement>(small ? 420 : 1100);
  const height = small ? 150 : width < 600 ? 230 : 320;
  const targets = useMemo(() => targetsOf(history), [history]);
  const axes = useMemo(() => axesOf(history, width, height), [history, width, height]);
  return (
    <figure class="trend" ref={figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        role="img"
        aria-label={trendText(history, targets, metric, skill)}
      >
        {targets.every(({ id }) => pointsOf(history, id, metric, skill).length === 0) && (
          <text x={width / 2} y={(axes.box.top + axes.box.bottom) / 2} class="middle">
            {`no ${METRICS[metric]} was measured`}
          </text>
        )}
        <Ground history={history} skill={skill} axes={axes} />
        {targets.map((target, at) => (
          <Series
            key={target.id}
            points={pointsOf(history, target.id, metric, skill)}
            target={target}
            style={target.style}
            shift={(at - (targets.length - 1) / 2) * Math.min(8, axes.x.step() / (targets.length + 1))}
            axes={axes}
            now={model.exam?.run.id}
            name={METRICS[metric]}
          />
        ))}
      </svg>
      <figcaption>
        {targets.map(({ id, predicted, style }) => (
          <span key={id} class={`series ${style}${predicted ? " predicted" : ""}`}>
            <svg width="14" height="12" viewBox="-7 -6 14 12" aria-hidden="true">
              <Point predicted={predicted} x={0} y={0} />
            </svg>{" "}
            {oneLine(id)}
            {predicted && ", predicted"}
          </span>
        ))}
        {history.some((run) => run.edited.some((edit) => skill === "" || edit.skill === skill)) && (
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

interface Drawn {
  id: string;
  predicted: boolean;
  style: string;
}

function targetsOf(history: readonly PageRun[]): Drawn[] {
  const found = new Map<string, Omit<Drawn, "style">>();
  for (const { targets } of history) for (const { id, predicted } of targets) found.set(id, { id, predicted });
  const all = [...found.values()].slice(0, STYLES.length);
  // A prediction has the colour that predictions have everywhere; where there are several, the first of them.
  const styles = STYLES.values();
  const first = all.find(({ predicted }) => predicted);
  return all.map((one) => ({ ...one, style: one === first ? "prediction" : (styles.next().value ?? "") }));
}

type Axes = ReturnType<typeof axesOf>;

function axesOf(history: readonly PageRun[], width: number, height: number) {
  const box = { left: 34, right: width - 12, top: 12, bottom: height - 46 };
  const x = scalePoint<string>()
    .domain(history.map(({ run }) => run))
    .range([box.left, box.right])
    .padding(0.5);
  return { box, x, y: scaleLinear().domain([0, 1]).range([box.bottom, box.top]) };
}

/** The scale, as many run names as fit, and the edits between runs. */
function Ground({ history, skill, axes: { box, x, y } }: { history: readonly PageRun[]; skill: string; axes: Axes }) {
  const every = Math.ceil(ROOM / x.step());
  return (
    <>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line x1={box.left} x2={box.right} y1={y(tick)} y2={y(tick)} class="tick" />
          <text x={box.left - 6} y={y(tick) + 4} class="end">
            {tick}
          </text>
        </g>
      ))}
      {history.map((run, at) => {
        const edits = run.edited.filter((edit) => skill === "" || edit.skill === skill);
        const place = x(run.run) ?? 0;
        const between = place - x.step() / 2;
        return (
          <g key={run.run}>
            {(history.length - 1 - at) % every === 0 && (
              <text x={place} y={box.bottom + 16} class="middle">
                {run.run.slice(5)}
              </text>
            )}
            {edits.length > 0 && (
              <g class="edit">
                <line x1={between} x2={between} y1={box.top} y2={box.bottom} />
                <path d={`M${between} ${box.bottom}l5 8h-10z`}>
                  <title>{`edited before ${run.run}: ${edits.map((edit) => edit.skill).join(", ")}`}</title>
                </path>
                {x.step() >= ROOM && (
                  <text x={between} y={box.bottom + 34} class="middle">
                    {edits.length === 1 ? oneLine(edits[0]?.skill ?? "").slice(0, 22) : `${edits.length} edits`}
                  </text>
                )}
              </g>
            )}
          </g>
        );
      })}
    </>
  );
}

interface Value {
  run: string;
  rate: Rate;
  value: number;
  partial: boolean;
}

function pointsOf(history: readonly PageRun[], id: string, metric: Metric, skill: string): Value[] {
  return history.flatMap((run) => {
    const target = run.targets.find((one) => one.id === id);
    const rate = target && rateOf(target, metric, skill);
    return rate === undefined || rate.value === null
      ? []
      : [{ run: run.run, rate, value: rate.value, partial: run.partial !== undefined }];
  });
}

interface SeriesProps {
  points: Value[];
  target: Drawn;
  style: string;
  /** Offset in pixels, so that points of one run do not overlap. */
  shift: number;
  axes: Axes;
  now: string | undefined;
  name: string;
}

function Series({ points, target: { id, predicted }, style, shift, axes: { x, y }, now, name }: SeriesProps) {
  const across = ({ run }: Value) => (x(run) ?? 0) + shift;
  const path = line<Value>(across, ({ value }) => y(value))(points);
  return (
    <g class={`series ${style}${predicted ? " predicted" : ""}`}>
      {path !== null && <path d={path} class="path" />}
      {points.map((point) => {
        const { run, rate, value, partial } = point;
        return (
          <g key={run}>
            {rate.low !== null && rate.high !== null && (
              <line x1={across(point)} x2={across(point)} y1={y(rate.low)} y2={y(rate.high)} class="range" />
            )}
            <Point predicted={predicted} x={across(point)} y={y(value)} isNow={run === now} />
            <title>{`${id}, ${run}: ${whole(rate, name)}${partial ? " (part of the questions)" : ""}`}</title>
          </g>
        );
      })}
    </g>
  );
}

/** Measured rates are filled circles, predicted ones hollow diamonds, as everywhere on the page. */
function Point({ predicted, x, y, isNow = false }: { predicted: boolean; x: number; y: number; isNow?: boolean }) {
  if (predicted) return <path d={`M${x} ${y - 5}l5 5-5 5-5-5z`} class="point" />;
  return <circle cx={x} cy={y} r="4" class={isNow ? "point now" : "point"} />;
}

function trendText(history: readonly PageRun[], targets: Drawn[], metric: Metric, skill: string): string {
  const of = skill === "" ? "the library" : skill;
  return `${METRICS[metric]} of ${of} over ${count(history.length, "run")} on ${targets.map(({ id }) => id).join(", ")}; the table has the numbers`;
}
