import { useMemo } from "preact/hooks";
import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import type { Model } from "../../data/model.ts";
import { here, param, to } from "../../data/route.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { chosenTarget, TargetChoice } from "../../parts/target-choice.tsx";
import { oneLine } from "../../parts/words.ts";
import { RowCells } from "./cell-link.tsx";
import { axes, type Cell, isMistake, mostWrong, nameOf, placeOf } from "./cells.ts";
import { Flows } from "./flows.tsx";
import { Groups } from "./groups.tsx";
import { LargeMatrix } from "./large.tsx";
import { Mistakes } from "./mistakes.tsx";

/** The confusion matrix: what was expected, and what fired first. */
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
  const isWide = cells.length > 0 && axes(cells, model.exam.order).columns.length > MOST_BESIDE;
  return (
    <>
      <h1>Who is confused with whom</h1>
      <TargetChoice model={model} />
      <div class={`confusion${isWide ? " stacked" : ""}`}>
        <Heat model={model} target={target} cells={cells} />
        <div class="side">
          <Flows target={target} />
          <Mistakes target={target} />
        </div>
      </div>
    </>
  );
}

/** Limits: columns with a list beside the matrix, rows before groups, columns before a drawing. */
const MOST_BESIDE = 15;
const MOST_ROWS = 24;
const MOST_COLUMNS = 40;

/** Explains the colours that occur. */
const KEY: { style: string; words: string; has(cell: Cell): boolean }[] = [
  {
    style: "right",
    words: "as expected",
    has: ({ fired, wrong }) => wrong === 0 && fired !== "(error)" && fired !== "(cannot tell)",
  },
  { style: "wrong s4", words: "wrong", has: ({ wrong, trials }) => wrong > 0 && wrong === trials },
  { style: "partly", words: "some wrong", has: ({ wrong, trials }) => wrong > 0 && wrong < trials },
  { style: "error", words: "error, in no rate", has: ({ fired }) => fired === "(error)" },
  { style: "unsure", words: "cannot tell, in no rate", has: ({ fired }) => fired === "(cannot tell)" },
];

function Heat({ model, target, cells }: { model: Model; target: PageTarget; cells: Cell[] }) {
  const order = model.exam?.order ?? [];
  const all = useMemo(() => axes(cells, order), [cells, order]);
  const isLarge = all.rows.length > MOST_ROWS;
  const view = param("rows") || (isLarge ? "groups" : "all");
  const { rows, columns } = useMemo(() => (view === "wrong" ? onlyMistakes(all, cells) : all), [all, view, cells]);
  const byPlace = useMemo(() => new Map(cells.map((cell) => [placeOf(cell.expected, cell.fired), cell])), [cells]);
  const most = useMemo(() => mostWrong(cells), [cells]);
  const views = [
    ["groups", "groups of rivals"],
    ["wrong", "only rows with mistakes"],
    ["all", `all ${all.rows.length}`],
  ];
  return (
    <section aria-label="Matrix">
      <div class="filters">
        {isLarge && (
          <nav class="tabs" aria-label="Rows">
            {views.map(([name, text]) => (
              <a key={name} href={here({ rows: name })} aria-current={view === name ? "true" : undefined}>
                {text}
              </a>
            ))}
          </nav>
        )}
        <p class="quiet">
          Rows: what was expected. Columns: what fired first. Every trial once; rivals stand side by side.{" "}
          <span class="key">
            {KEY.filter(({ has }) => cells.some(has)).map(({ style, words }) => (
              <span key={style}>
                <i class={`cell ${style}`}>3</i> {words}{" "}
              </span>
            ))}
          </span>
        </p>
      </div>
      {view === "groups" ? (
        <Groups
          model={model}
          cells={cells}
          rows={rows}
          columns={columns}
          byPlace={byPlace}
          most={most}
          target={target.id}
        />
      ) : rows.length === 0 ? (
        <p>No trial went wrong.</p>
      ) : columns.length > MOST_COLUMNS ? (
        <LargeMatrix rows={rows} columns={columns} byPlace={byPlace} most={most} target={target.id} />
      ) : (
        <MatrixTable model={model} rows={rows} columns={columns} byPlace={byPlace} most={most} target={target.id} />
      )}
    </section>
  );
}

function onlyMistakes({ rows, columns }: { rows: string[]; columns: string[] }, cells: Cell[]) {
  const mistakes = cells.filter(isMistake);
  const [expected, named] = [
    new Set(mistakes.map((cell) => cell.expected)),
    new Set(mistakes.flatMap((cell) => [cell.expected, cell.fired])),
  ];
  return { rows: rows.filter((row) => expected.has(row)), columns: columns.filter((column) => named.has(column)) };
}

interface TableProps {
  model: Model;
  rows: string[];
  columns: string[];
  byPlace: Map<string, Cell>;
  most: number;
  target: string;
}

function MatrixTable({ model, rows, columns, byPlace, most, target }: TableProps) {
  return (
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
                  <span>{nameOf(column)}</span>
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              <th scope="row">{model.skills.has(row) ? <a href={to("skill", row)}>{oneLine(row)}</a> : nameOf(row)}</th>
              <RowCells row={row} columns={columns} byPlace={byPlace} most={most} target={target} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
