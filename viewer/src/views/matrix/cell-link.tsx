import { to } from "../../data/route.ts";
import { number } from "../../parts/words.ts";
import { type Cell, placeOf, styleOf, titleOf } from "./cells.ts";

/** The number of trials in a cell, linked to their questions. */
export function CellLink({ cell, most, target }: { cell: Cell; most: number; target: string }) {
  return (
    <a
      class={`cell ${styleOf(cell, most)}`}
      href={to("questions", "", { expected: cell.expected, fired: cell.fired, target })}
      title={titleOf(cell)}
    >
      {number(cell.trials)}
      <span class="unseen"> {titleOf(cell)}</span>
    </a>
  );
}

interface MatrixRow {
  row: string;
  columns: readonly string[];
  byPlace: ReadonlyMap<string, Cell>;
  most: number;
  target: string;
}

/** One row of a matrix, in column order. */
export function RowCells({ row, columns, byPlace, most, target }: MatrixRow) {
  return (
    <>
      {columns.map((column) => {
        const cell = byPlace.get(placeOf(row, column));
        return (
          <td key={column} class={row === column ? "same" : ""}>
            {cell !== undefined && <CellLink cell={cell} most={most} target={target} />}
          </td>
        );
      })}
    </>
  );
}
