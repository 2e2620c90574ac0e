import { to } from "../../data/route.ts";
import { type Cell, styleOf, titleOf } from "./cells.ts";

/** How many trials of what was expected came out so; it opens their questions. */
export function CellLink({ cell, most, target }: { cell: Cell; most: number; target: string }) {
  return (
    <a
      class={`cell ${styleOf(cell, most)}`}
      href={to("questions", "", { expected: cell.expected, fired: cell.fired, target })}
      title={titleOf(cell)}
    >
      {cell.trials}
      <span class="unseen"> {titleOf(cell)}</span>
    </a>
  );
}
