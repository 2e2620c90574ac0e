import { useMemo } from "preact/hooks";
import type { Model } from "../../data/model.ts";
import { to } from "../../data/route.ts";
import { count, number, oneLine } from "../../parts/words.ts";
import { CellLink, RowCells } from "./cell-link.tsx";
import { type Cell, isMistake, nameOf, OTHERS } from "./cells.ts";

/** Height of a row in pixels, to reserve the right space for groups out of sight, which are not drawn. */
const ROW = 29;

interface GroupsProps {
  model: Model;
  cells: Cell[];
  rows: string[];
  columns: string[];
  byPlace: Map<string, Cell>;
  most: number;
  target: string;
}

/** For large libraries: one matrix per group of confused skills, the worst first. */
export function Groups({ model, cells, rows, columns, byPlace, most, target }: GroupsProps) {
  const { groups, alone } = useMemo(() => {
    const found = rivalGroups(cells, rows, columns);
    const [grouped, mistaken] = [
      new Set(found.flatMap((group) => group.rows)),
      new Set(cells.filter(isMistake).map((cell) => cell.expected)),
    ];
    return { groups: found, alone: rows.filter((row) => !grouped.has(row) && mistaken.has(row)) };
  }, [cells, rows, columns]);
  return (
    <>
      {groups.length === 0 && <p>No skill was mistaken for another.</p>}
      <div class="rival-groups">
        {groups.map((group) => (
          <div
            key={group.rows.join()}
            style={{ containIntrinsicSize: `auto 380px auto ${ROW * group.rows.length + 54}px` }}
          >
            <GroupMatrix group={group} byPlace={byPlace} most={most} target={target} />
          </div>
        ))}
      </div>
      {alone.length > 0 && (
        <section aria-labelledby="alone">
          <h2 id="alone">Mistakes without a rival</h2>
          <p class="quiet">
            No other skill fired where these were expected: nothing did, or the trial ended in an error.
          </p>
          <ul class="alone">
            {alone.map((row) => {
              const own = cells.filter((cell) => cell.expected === row);
              return (
                <li key={row}>
                  {model.skills.has(row) ? <a href={to("skill", row)}>{oneLine(row)}</a> : nameOf(row)}
                  {own.filter(isMistake).map((cell) => (
                    <CellLink key={cell.fired} cell={cell} most={most} target={target} />
                  ))}
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}

interface RivalGroup {
  rows: string[];
  columns: string[];
  wrong: number;
  trials: number;
}

/** Connected components of skills joined by mistakes. */
function rivalGroups(cells: readonly Cell[], rows: readonly string[], columns: readonly string[]): RivalGroup[] {
  const group = new Map<string, Set<string>>();
  const of = (name: string) => group.get(name) ?? new Set([name]);
  for (const { expected, fired, wrong } of cells) {
    if (wrong === 0 || OTHERS.includes(fired) || OTHERS.includes(expected) || expected === fired) continue;
    const joined = new Set([...of(expected), ...of(fired)]);
    for (const name of joined) group.set(name, joined);
  }
  return [...new Set(group.values())]
    .map((names) => {
      const own = cells.filter(({ expected }) => names.has(expected));
      const others = OTHERS.filter((other) => own.some(({ fired }) => fired === other));
      return {
        rows: rows.filter((row) => names.has(row)),
        columns: [...columns.filter((column) => names.has(column)), ...others],
        wrong: own.reduce((sum, cell) => sum + (cell.fired === "(error)" ? 0 : cell.wrong), 0),
        trials: own.reduce((sum, cell) => sum + cell.trials, 0),
      };
    })
    .sort((a, b) => b.wrong - a.wrong);
}

/** Columns are labelled with the number of their row, to show each name once. */
function GroupMatrix({
  group,
  byPlace,
  most,
  target,
}: { group: RivalGroup } & Pick<GroupsProps, "byPlace" | "most" | "target">) {
  const numbers = new Map(
    [...new Set([...group.rows, ...group.columns.filter((column) => !OTHERS.includes(column))])].map((name, at) => [
      name,
      at + 1,
    ]),
  );
  return (
    <table class="matrix group">
      <caption>
        <b>{number(group.wrong)} wrong</b> of {count(group.trials, "trial")}
      </caption>
      <thead>
        <tr>
          <th scope="col" class="corner">
            expected
          </th>
          {group.columns.map((column) => (
            <th key={column} scope="col" title={nameOf(column)}>
              {numbers.get(column) ?? nameOf(column)}
              {numbers.has(column) && <span class="unseen"> {nameOf(column)}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...numbers].map(([row, number]) => (
          <tr key={row}>
            <th scope="row">
              <a href={to("skill", row)}>{oneLine(row)}</a> <span class="quiet">{number}</span>
            </th>
            <RowCells row={row} columns={group.columns} byPlace={byPlace} most={most} target={target} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
