import { displayWidth } from "../../base/index.ts";
import { ERROR, NONE, NOT_SAID, type Scores, type TargetScores } from "../../scores/index.ts";
import { shortNames } from "../text/short-names.ts";
import { oneLine, pad } from "../text/width.ts";
import type { Screen } from "./screen.ts";

const most = { rows: 12, whole: 10 };
const corner = "expected ↓ fired →";

/** Expected × first activation, in trials. A small library whole; of a large one, the rows in which something went wrong. */
export function matrixLines(target: TargetScores, scores: Scores, screen: Screen): string[] {
  const { cells } = target.confusion;
  const wrong = new Map<string, number>();
  for (const cell of cells) wrong.set(cell.expected, (wrong.get(cell.expected) ?? 0) + cell.wrong);
  if (![...wrong.values()].some((trials) => trials > 0)) return [];

  const all = [...wrong.keys()].sort(byName);
  const confused = all.filter((row) => wrong.get(row)! > 0).sort((a, b) => wrong.get(b)! - wrong.get(a)! || byName(a, b));
  const rows = all.length <= most.whole || screen.verbose ? all : confused.slice(0, most.rows).sort(byName);
  const { columns, left } = columnsFor(target, rows, screen);
  const names = shortNames(columns.map(oneLine), screen.verbose ? 16 : 10);
  const label = Math.max(displayWidth(corner), ...rows.map((row) => Math.min(30, displayWidth(oneLine(row)))));
  const title = scores.targets.length > 1 ? [screen.colors.bold(oneLine(target.id))] : [];
  return [
    ...title,
    screen.colors.dim(`${pad(corner, label)}  ${names.join("  ")}`),
    ...rows.map((row) => rowLine(row, columns, names, label, target, screen)),
    ...notes(rows, left, all.length <= most.whole ? 0 : confused.filter((row) => !rows.includes(row)).length, screen),
  ];
}

function rowLine(row: string, columns: string[], names: string[], label: number, target: TargetScores, { colors }: Screen): string {
  const cells = columns.map((column, index) => {
    const cell = target.confusion.cells.find(({ expected, fired }) => expected === row && fired === column);
    const text = pad(cell === undefined ? "·" : `${cell.trials}`, displayWidth(names[index]!), "right");
    return cell === undefined ? colors.dim(text) : cell.wrong > 0 ? colors.red(text) : column === ERROR ? colors.yellow(text) : text;
  });
  return `${pad(oneLine(row), label)}  ${cells.join("  ")}`.trimEnd();
}

/** The columns that matter for these rows, as many as fit: what was expected and what fired, then none and error. */
function columnsFor(target: TargetScores, rows: string[], { width }: Screen): { columns: string[]; left: number } {
  const weight = new Map<string, number>();
  const fired = target.confusion.cells.filter(({ expected }) => rows.includes(expected));
  for (const cell of fired) weight.set(cell.fired, (weight.get(cell.fired) ?? 0) + cell.trials + 1000 * cell.wrong);
  const special = [NONE, ERROR].filter((column) => weight.has(column));
  const label = Math.max(displayWidth(corner), ...rows.map((row) => Math.min(30, displayWidth(oneLine(row)))));
  const room = Math.max(1, Math.floor((width - label) / 12) - special.length);
  const skills = [...weight.keys()].filter((column) => !special.includes(column));
  const kept = skills.sort((a, b) => weight.get(b)! - weight.get(a)! || byName(a, b)).slice(0, room);
  return { columns: [...kept.sort(byName), ...special], left: skills.length - kept.length };
}

function notes(rows: string[], columns: number, hidden: number, { colors }: Screen): string[] {
  const parts = [...(hidden > 0 ? [`${hidden} more rows`] : []), ...(columns > 0 ? [`${columns} more columns`] : [])];
  return [
    ...(parts.length > 0 ? [colors.dim(`… and ${parts.join(", ")} with confusion: the json report holds all`)] : []),
    ...(rows.includes(NOT_SAID) ? [colors.dim(`${NOT_SAID}: the suite says only what must not fire`)] : []),
  ];
}

/** Skills by name, then the rows and columns that are none. */
function byName(a: string, b: string): number {
  const special = (name: string) => Number(name.startsWith("("));
  return special(a) - special(b) || (a < b ? -1 : a > b ? 1 : 0);
}
