import { displayWidth } from "../../base/index.ts";
import { type Confusion, ERROR, NONE, NOT_SAID, type Scores, type TargetScores } from "../../scores/index.ts";
import { oneLine, pad } from "../text/fit-text.ts";
import { count } from "../text/numbers.ts";
import { shortNames } from "../text/short-names.ts";
import type { Screen } from "./screen.ts";

type Cell = Confusion["cells"][number];

interface Shape {
  rows: string[];
  columns: string[];
  /** What a row's trials that went well come to, where not every column is there to say so. */
  right: boolean;
  /** Pairs that are confused and have no place. */
  left: number;
}

const whole = 10;
const most = { rows: 12, label: 26 };
/** Widest a column may be: as wide as the terminal lets it, and never so narrow that names say nothing. */
const columnWidths = [12, 8, 6, 5];
const corner = "expected ↓ fired →";

/** Expected × first activation, in trials. A small library whole; of a large one, what is confused most. Nothing where nothing went wrong. */
export function matrixLines(target: TargetScores, scores: Scores, screen: Screen): string[] {
  const { cells } = target.confusion;
  if (!cells.some((cell) => cell.wrong > 0)) return [];
  const names = new Set(cells.flatMap((cell) => [cell.expected, cell.fired]));
  const small = names.size <= whole + 3 ? wholeShape(cells) : undefined;
  const shape = small !== undefined && columnFor(small, cells, screen.width) !== undefined ? small : confusedShape(cells, screen.width);
  const label = labelOf(shape);
  const titles = titlesOf(shape, columnFor(shape, cells, screen.width) ?? columnWidths.at(-1)!);
  const byKey = new Map(cells.map((cell) => [`${cell.expected}\0${cell.fired}`, cell]));
  const lines = shape.rows.map((row) => {
    const found = shape.columns.map((column) => byKey.get(`${row}\0${column}`));
    return {
      row,
      texts: [...(shape.right ? [rightOf(cells, row)] : []), ...found.map((cell) => (cell === undefined ? "·" : `${cell.trials}`))],
      found,
    };
  });
  const widths = titles.map((title, index) => Math.max(displayWidth(title), ...lines.map(({ texts }) => texts[index]!.length)));
  const { colors } = screen;
  return [
    ...(scores.targets.length > 1 ? [colors.bold(oneLine(target.id))] : []),
    colors.dim(`${pad(corner, label)}  ${titles.map((title, index) => pad(title, widths[index]!, "right")).join("  ")}`),
    ...lines.map(({ row, texts, found }) => {
      const painted = texts.map((text, index) =>
        paint(pad(text, widths[index]!, "right"), found[index - Number(shape.right)], index === 0 && shape.right, colors),
      );
      return `${pad(oneLine(row), label)}  ${painted.join("  ")}`;
    }),
    ...notes(shape, colors),
  ];
}

function labelOf({ rows }: Shape): number {
  return Math.min(most.label, Math.max(displayWidth(corner), ...rows.map((row) => displayWidth(oneLine(row)))));
}

function titlesOf({ right, columns }: Shape, width: number): string[] {
  return [...(right ? ["right"] : []), ...shortNames(columns.map(oneLine), width)];
}

/** The widest columns with which the whole matrix fits; undefined when none do. */
function columnFor(shape: Shape, cells: Cell[], width: number): number | undefined {
  const digits = Math.max(...cells.map(({ trials }) => `${trials}`.length));
  const taken = (column: number) =>
    titlesOf(shape, column).reduce((sum, title) => sum + 2 + Math.max(digits, displayWidth(title)), labelOf(shape));
  return columnWidths.find((column) => taken(column) <= width);
}

function paint(text: string, cell: Cell | undefined, isRight: boolean, colors: Screen["colors"]): string {
  if (isRight) return text;
  if (cell === undefined) return colors.dim(text);
  return cell.wrong > 0 && cell.expected !== cell.fired ? colors.red(text) : cell.fired === ERROR ? colors.yellow(text) : text;
}

function wholeShape(cells: Cell[]): Shape {
  const rows = [...new Set(cells.map((cell) => cell.expected))].sort(byName);
  const columns = [...new Set(cells.map((cell) => cell.fired))].sort(byName);
  return { rows, columns, right: false, left: 0 };
}

/** Pairs, the most confused first, as long as their row and column find a place. */
function confusedShape(cells: Cell[], width: number): Shape {
  const wrong = cells
    .filter((cell) => cell.wrong > 0)
    .sort((a, b) => b.wrong - a.wrong || byName(a.expected, b.expected) || byName(a.fired, b.fired));
  const rows = new Set<string>();
  const columns = new Set<string>();
  let left = 0;
  for (const { expected, fired } of wrong) {
    const fits = (rows.has(expected) || rows.size < most.rows) && (columns.has(fired) || roomFor([...columns, fired], width));
    if (fits) {
      rows.add(expected);
      columns.add(fired);
    } else left++;
  }
  return { rows: [...rows].sort(byName), columns: [...columns].sort(byName), right: true, left };
}

function roomFor(columns: string[], width: number): boolean {
  const titles = shortNames(columns.map(oneLine), width < 80 ? 8 : 12);
  return most.label + 7 + titles.reduce((sum, title) => sum + 2 + Math.max(3, displayWidth(title)), 0) <= width;
}

function rightOf(cells: Cell[], row: string): string {
  return `${cells.filter((cell) => cell.expected === row && cell.fired !== ERROR).reduce((sum, cell) => sum + cell.trials - cell.wrong, 0)}`;
}

function notes({ rows, left }: Shape, colors: Screen["colors"]): string[] {
  return [
    ...(left > 0 ? [`… and ${count(left, "more confused pair")}: the json report holds all`] : []),
    ...(rows.includes(NOT_SAID) ? [`${NOT_SAID}: the suite says only what must not fire`] : []),
  ].map((line) => colors.dim(line));
}

/** Skills by name, then the rows and columns that are none. */
function byName(a: string, b: string): number {
  const special = (name: string) => (name === ERROR ? 3 : name === NOT_SAID ? 2 : name === NONE ? 1 : 0);
  return special(a) - special(b) || (a < b ? -1 : a > b ? 1 : 0);
}
