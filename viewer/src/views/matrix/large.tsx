import { useState } from "preact/hooks";
import { here, param, to } from "../../data/route.ts";
import { memo } from "../../parts/memo.ts";
import { Scroll } from "../../parts/scroll.tsx";
import { type Cell, cutName, nameOf, placeOf, styleOf, titleOf } from "./cells.ts";

interface Drawn {
  rows: string[];
  columns: string[];
  byPlace: Map<string, Cell>;
  most: number;
  target: string;
}

const SIZES: Record<string, number> = { small: 6, middle: 11, large: 18 };

/** For hundreds of skills: draws only non-empty cells, at three sizes, and names the cell under the pointer. */
export function LargeMatrix(drawn: Drawn) {
  const { rows, columns, byPlace } = drawn;
  const size = SIZES[param("zoom") || (columns.length > 120 ? "small" : "middle")] ?? 11;
  const [over, setOver] = useState<{ row: number; column: number } | undefined>();
  const label = size >= 10 ? 170 : 8;
  const top = label * 0.72;
  const shown = over === undefined ? undefined : byPlace.get(placeOf(rows[over.row] ?? "", columns[over.column] ?? ""));
  const move = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const [column, row] = [
      Math.floor((event.clientX - box.left - label) / size),
      Math.floor((event.clientY - box.top - top) / size),
    ];
    const isInside = column >= 0 && row >= 0 && column < columns.length && row < rows.length;
    if (!isInside) setOver(undefined);
    else if (over?.row !== row || over.column !== column) setOver({ row, column });
  };
  return (
    <>
      <div class="filters">
        <nav class="tabs" aria-label="Zoom">
          {Object.keys(SIZES).map((zoom) => (
            <a key={zoom} href={here({ zoom })} aria-current={SIZES[zoom] === size ? "true" : undefined}>
              {zoom}
            </a>
          ))}
        </nav>
        <p class="over">
          {over === undefined
            ? "Point at a cell to read it; a click opens its questions."
            : shown === undefined
              ? `expected ${nameOf(rows[over.row] ?? "")}, fired ${nameOf(columns[over.column] ?? "")}: never`
              : titleOf(shown)}
        </p>
      </div>
      <Scroll label="Matrix" tall>
        <svg
          class="large-matrix"
          width={label + columns.length * size + 10}
          height={top + rows.length * size + 10}
          role="group"
          aria-label={`Matrix of ${rows.length} rows and ${columns.length} columns; the table below has its mistakes`}
          onMouseMove={move}
          onMouseLeave={() => setOver(undefined)}
        >
          <rect x={label} y={top} width={columns.length * size} height={rows.length * size} class="ground" />
          {over !== undefined && (
            <>
              <rect x={label} y={top + over.row * size} width={columns.length * size} height={size} class="cross" />
              <rect x={label + over.column * size} y={top} width={size} height={rows.length * size} class="cross" />
            </>
          )}
          <Labels rows={rows} columns={columns} size={size} label={label} top={top} />
          <Boxes {...drawn} size={size} label={label} top={top} />
        </svg>
      </Scroll>
    </>
  );
}

interface Measures {
  size: number;
  label: number;
  top: number;
}

const Labels = memo(({ rows, columns, size, label, top }: Pick<Drawn, "rows" | "columns"> & Measures) => {
  if (size < 10) return null;
  return (
    <>
      {columns.map((column, place) => (
        <text
          key={column}
          x={0}
          y={0}
          transform={`translate(${label + place * size + size * 0.75} ${top - 4}) rotate(-60)`}
          class="label"
        >
          {cutName(column)}
        </text>
      ))}
      {rows.map((row, place) => (
        <text key={row} x={label - 6} y={top + place * size + size * 0.8} class="label end">
          {cutName(row)}
        </text>
      ))}
    </>
  );
});

/** Memoised, so that moving the pointer does not redraw it. */
const Boxes = memo(({ rows, columns, byPlace, most, target, size, label, top }: Drawn & Measures) => {
  const at = {
    row: new Map(rows.map((row, place) => [row, place])),
    column: new Map(columns.map((column, place) => [column, place])),
  };
  const side = size - (size > 6 ? 1 : 0.4);
  return (
    <>
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
              width={side}
              height={side}
              class={`box ${styleOf(cell, most)}`}
            />
          </a>
        );
      })}
    </>
  );
});
