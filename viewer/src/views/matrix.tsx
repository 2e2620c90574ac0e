import { linkHorizontal } from "d3-shape";
import { useMemo, useState } from "preact/hooks";
import type { PageTarget } from "../../../src/reports/html/page-data.ts";
import type { Model } from "../data/model.ts";
import { here, param, to } from "../data/route.ts";
import { Scroll } from "../parts/scroll.tsx";
import { chosenTarget, TargetChoice } from "../parts/target-choice.tsx";
import { count, oneLine } from "../parts/words.ts";

const OTHERS = ["(none)", "(not said)", "(error)"];
const OTHER_WORDS: Record<string, string> = { "(none)": "no skill", "(not said)": "not said", "(error)": "error" };

type Cell = PageTarget["confusion"]["cells"][number];

/** Who is confused with whom: what was expected, and what fired first. */
export function MatrixView({ model }: { model: Model }) {
  const chosen = chosenTarget(model);
  if (chosen === undefined || model.exam === null) return <h1>Nothing was asked</h1>;
  const { target } = chosen;
  const { cells } = target.confusion;
  if (cells.length === 0)
    return (
      <>
        <h1>Who is confused with whom</h1>
        <TargetChoice model={model} />
        <p>Nothing is known: no trigger was measured on this target.</p>
      </>
    );
  return (
    <>
      <h1>Who is confused with whom</h1>
      <TargetChoice model={model} />
      <div class="confusion">
        <Heat model={model} target={target} cells={cells} />
        <div class="side">
          <Flows target={target} />
          <Mistakes target={target} />
        </div>
      </div>
    </>
  );
}

function Heat({ model, target, cells }: { model: Model; target: PageTarget; cells: Cell[] }) {
  const order = model.exam?.order ?? [];
  const wrong = useMemo(
    () => new Set(cells.filter((cell) => cell.wrong > 0 || cell.fired === "(error)").flatMap(({ expected, fired }) => [expected, fired])),
    [cells],
  );
  const all = useMemo(() => axes(cells, order), [cells, order]);
  const isLarge = all.rows.length > 24;
  const only = param("rows") === "" ? isLarge : param("rows") === "wrong";
  const { rows, columns } = useMemo(
    () =>
      only
        ? {
            rows: all.rows.filter((row) => cells.some((cell) => cell.expected === row && (cell.wrong > 0 || cell.fired === "(error)"))),
            columns: all.columns.filter((column) => wrong.has(column)),
          }
        : all,
    [all, only, cells, wrong],
  );
  const byPlace = useMemo(() => new Map(cells.map((cell) => [`${cell.expected}\0${cell.fired}`, cell])), [cells]);
  const most = Math.max(1, ...cells.filter((cell) => cell.wrong > 0).map((cell) => cell.wrong));
  const isWide = columns.length > 40;
  return (
    <section aria-label="Matrix">
      <div class="filters">
        {isLarge && (
          <nav class="tabs" aria-label="Rows">
            <a href={here({ rows: "wrong" })} aria-current={only ? "true" : undefined}>
              only rows with mistakes
            </a>
            <a href={here({ rows: "all" })} aria-current={only ? undefined : "true"}>
              all {all.rows.length}
            </a>
          </nav>
        )}
        <p class="quiet">
          Rows: what was expected. Columns: what fired first. Every trial once; rivals stand side by side.{" "}
          <span class="key">
            <i class="cell right">3</i> as expected <i class="cell wrong s4">3</i> wrong <i class="cell error">3</i> error, in no rate
          </span>
        </p>
      </div>
      {rows.length === 0 ? (
        <p>No trial went wrong.</p>
      ) : isWide ? (
        <Large rows={rows} columns={columns} byPlace={byPlace} most={most} target={target.id} />
      ) : (
        <Scroll label="Matrix">
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col" class="corner">
                  expected
                </th>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    <div>
                      <span>{OTHER_WORDS[column] ?? oneLine(column)}</span>
                    </div>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row}>
                  <th scope="row">
                    {OTHER_WORDS[row] ?? (model.skills.has(row) ? <a href={to("skill", row)}>{oneLine(row)}</a> : oneLine(row))}
                  </th>
                  {columns.map((column) => {
                    const cell = byPlace.get(`${row}\0${column}`);
                    if (cell === undefined) return <td key={column} class={row === column ? "same" : ""} />;
                    return (
                      <td key={column} class={row === column ? "same" : ""}>
                        <a
                          class={`cell ${styleOf(cell, most)}`}
                          href={to("questions", "", { expected: row, fired: column, target: target.id })}
                          title={titleOf(cell)}
                        >
                          {cell.trials}
                          <span class="unseen"> {titleOf(cell)}</span>
                        </a>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

function styleOf({ fired, wrong, trials }: Cell, most: number): string {
  if (fired === "(error)") return "error";
  if (wrong === 0) return "right";
  const share = wrong / most;
  return `wrong s${share > 0.66 ? 4 : share > 0.33 ? 3 : share > 0.1 ? 2 : 1}${wrong < trials ? " partly" : ""}`;
}

function titleOf({ expected, fired, trials, wrong }: Cell): string {
  const what = `expected ${OTHER_WORDS[expected] ?? oneLine(expected)}, fired ${OTHER_WORDS[fired] ?? oneLine(fired)}: ${count(trials, "trial")}`;
  return fired === "(error)" ? what : `${what}, ${wrong} wrong`;
}

/** Rivals side by side; what is no skill comes last. */
function axes(cells: Cell[], order: readonly string[]): { rows: string[]; columns: string[] } {
  const place = new Map(order.map((skill, at) => [skill, at]));
  // Several skills together stand beside the first of them.
  const of = (name: string) =>
    place.get(name) ?? place.get(name.split(" + ")[0] ?? "") ?? (OTHERS.includes(name) ? 1e6 + OTHERS.indexOf(name) : 1e5);
  const by = (a: string, b: string) => of(a) - of(b) || (a < b ? -1 : 1);
  return {
    rows: [...new Set(cells.map(({ expected }) => expected))].sort(by),
    columns: [...new Set(cells.flatMap(({ expected, fired }) => (order.includes(expected) ? [expected, fired] : [fired])))].sort(by),
  };
}

/** For hundreds of skills: a drawing that holds only the cells that are not empty, at three sizes, with the cell under the pointer named. */
function Large({
  rows,
  columns,
  byPlace,
  most,
  target,
}: {
  rows: string[];
  columns: string[];
  byPlace: Map<string, Cell>;
  most: number;
  target: string;
}) {
  const size = { small: 6, middle: 11, large: 18 }[param("zoom") || (columns.length > 120 ? "small" : "middle")] ?? 10;
  const [over, setOver] = useState<{ row: number; column: number } | undefined>();
  const label = size >= 10 ? 170 : 8;
  const [width, height] = [label + columns.length * size + 10, label * 0.72 + rows.length * size + 10];
  const at = { row: new Map(rows.map((row, place) => [row, place])), column: new Map(columns.map((column, place) => [column, place])) };
  const top = label * 0.72;
  const shown = over === undefined ? undefined : byPlace.get(`${rows[over.row]}\0${columns[over.column]}`);
  const move = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const [column, row] = [Math.floor((event.clientX - box.left - label) / size), Math.floor((event.clientY - box.top - top) / size)];
    setOver(column >= 0 && row >= 0 && column < columns.length && row < rows.length ? { row, column } : undefined);
  };
  return (
    <>
      <div class="filters">
        <nav class="tabs" aria-label="Zoom">
          {["small", "middle", "large"].map((zoom) => (
            <a key={zoom} href={here({ zoom })} aria-current={{ small: 6, middle: 11, large: 18 }[zoom] === size ? "true" : undefined}>
              {zoom}
            </a>
          ))}
        </nav>
        <p class="over">
          {over === undefined
            ? "Point at a cell to read it; a click opens its questions."
            : shown === undefined
              ? `expected ${oneLine(rows[over.row] ?? "")}, fired ${oneLine(columns[over.column] ?? "")}: never`
              : titleOf(shown)}
        </p>
      </div>
      <Scroll label="Matrix" tall>
        <svg
          class="large-matrix"
          width={width}
          height={height}
          role="group"
          aria-label={`Matrix of ${rows.length} rows and ${columns.length} columns; the table below has its mistakes`}
          onMouseMove={move}
          onMouseLeave={() => setOver(undefined)}
        >
          {size >= 10 &&
            columns.map((column, place) => (
              <text
                key={column}
                x={0}
                y={0}
                transform={`translate(${label + place * size + size * 0.75} ${top - 4}) rotate(-60)`}
                class="label"
              >
                {cutName(OTHER_WORDS[column] ?? column)}
              </text>
            ))}
          {size >= 10 &&
            rows.map((row, place) => (
              <text key={row} x={label - 6} y={top + place * size + size * 0.8} class="label end">
                {cutName(OTHER_WORDS[row] ?? row)}
              </text>
            ))}
          <rect x={label} y={top} width={columns.length * size} height={rows.length * size} class="ground" />
          {over !== undefined && (
            <>
              <rect x={label} y={top + over.row * size} width={columns.length * size} height={size} class="cross" />
              <rect x={label + over.column * size} y={top} width={size} height={rows.length * size} class="cross" />
            </>
          )}
          {[...byPlace.values()].map((cell) => {
            const [row, column] = [at.row.get(cell.expected), at.column.get(cell.fired)];
            if (row === undefined || column === undefined) return null;
            return (
              <a
                key={`${cell.expected} ${cell.fired}`}
                href={to("questions", "", { expected: cell.expected, fired: cell.fired, target })}
                aria-label={titleOf(cell)}
              >
                <rect
                  x={label + column * size}
                  y={top + row * size}
                  width={size - (size > 6 ? 1 : 0.4)}
                  height={size - (size > 6 ? 1 : 0.4)}
                  class={`box ${styleOf(cell, most)}`}
                />
              </a>
            );
          })}
        </svg>
      </Scroll>
    </>
  );
}

function cutName(name: string): string {
  const text = oneLine(name);
  return text.length > 26 ? `${text.slice(0, 25)}…` : text;
}

const MOST_FLOWS = 24;
const link = linkHorizontal<unknown, [number, number]>();

/** The thefts as a drawing: from whose prompts on the left to who took them on the right, as thick as it was frequent. */
function Flows({ target }: { target: PageTarget }) {
  const steals = target.steals.slice(0, MOST_FLOWS);
  if (steals.length === 0)
    return (
      <section aria-labelledby="flows">
        <h2 id="flows">Who takes from whom</h2>
        <p class="quiet">No skill took a prompt of another.</p>
      </section>
    );
  const unit = Math.min(5, 420 / steals.reduce((sum, { trials }) => sum + trials, 0));
  const left = stacked(steals.map(({ victim, trials }) => ({ name: victim, size: Math.max(2, trials * unit) })));
  const right = stacked(steals.map(({ thief, trials }) => ({ name: thief, size: Math.max(2, trials * unit) })));
  const height = Math.max(left.height, right.height) + 8;
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">Who takes from whom</h2>
      <p class="quiet">Prompts of the skills on the left went to those on the right; the thicker, the more trials.</p>
      <svg
        class="flows"
        viewBox={`0 0 560 ${height}`}
        width="100%"
        role="group"
        aria-label={steals.map(({ thief, victim, trials }) => `${thief} takes ${count(trials, "trial")} from ${victim}`).join("; ")}
      >
        {steals.map(({ thief, victim, trials, prompts }, at) => {
          const size = Math.max(2, trials * unit);
          const [from, end] = [left.places[at] ?? 0, right.places[at] ?? 0];
          return (
            <a
              key={`${thief} ${victim}`}
              href={to("questions", "", { expected: victim, fired: thief, target: target.id })}
              aria-label={`${oneLine(thief)} takes from ${oneLine(victim)}`}
            >
              <path
                d={link({ source: [200, from + size / 2], target: [360, end + size / 2] } as never) ?? ""}
                class="flow"
                stroke-width={size}
              >
                <title>{`${oneLine(thief)} takes ${count(prompts, "prompt")} of ${oneLine(victim)}, in ${count(trials, "trial")}`}</title>
              </path>
            </a>
          );
        })}
        {left.groups.map(({ name, from, to: end }) => (
          <g key={name}>
            <rect x="196" y={from} width="4" height={end - from} class="node" />
            <text x="190" y={(from + end) / 2 + 4} class="end">
              {cutName(name)}
            </text>
          </g>
        ))}
        {right.groups.map(({ name, from, to: end }) => (
          <g key={name}>
            <rect x="360" y={from} width="4" height={end - from} class="node thief" />
            <text x="370" y={(from + end) / 2 + 4}>
              {cutName(name)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  );
}

/** Where each flow begins, with those of one skill together. */
function stacked(flows: { name: string; size: number }[]) {
  const names = [...new Set(flows.map(({ name }) => name))];
  const places: number[] = [];
  const groups: { name: string; from: number; to: number }[] = [];
  let y = 4;
  for (const name of names) {
    const from = y;
    flows.forEach((flow, at) => {
      if (flow.name !== name) return;
      places[at] = y;
      y += flow.size;
    });
    groups.push({ name, from, to: y });
    y = Math.max(y + 8, from + 20);
  }
  return { places, groups, height: y };
}

const MOST_MISTAKES = 100;

/** The same as a list, for those who read rather than look. */
function Mistakes({ target }: { target: PageTarget }) {
  const wrong = target.confusion.cells.filter((cell) => cell.wrong > 0 || cell.fired === "(error)");
  return (
    <section aria-labelledby="mistakes">
      <h2 id="mistakes">Every confusion</h2>
      <Scroll label="Matrix" tall>
        <table class="mistakes">
          <thead>
            <tr>
              <th scope="col">expected</th>
              <th scope="col">fired first</th>
              <th scope="col">trials</th>
              <th scope="col">wrong</th>
            </tr>
          </thead>
          <tbody>
            {wrong.slice(0, MOST_MISTAKES).map((cell) => (
              <tr key={`${cell.expected} ${cell.fired}`}>
                <td>{OTHER_WORDS[cell.expected] ?? oneLine(cell.expected)}</td>
                <td>
                  <a class="entry" href={to("questions", "", { expected: cell.expected, fired: cell.fired, target: target.id })}>
                    {OTHER_WORDS[cell.fired] ?? oneLine(cell.fired)}
                  </a>
                </td>
                <td class="number">{cell.trials}</td>
                <td class="number">{cell.fired === "(error)" ? "—" : cell.wrong}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {wrong.length > MOST_MISTAKES && <p class="quiet">{(wrong.length - MOST_MISTAKES).toLocaleString("en")} more with fewer trials.</p>}
    </section>
  );
}
