import { count, displayWidth } from "../../base/index.ts";
import { type Confusion, ERROR, NONE, NOT_SAID, type Scores, type TargetScores, UNSURE } from "../../model/index.ts";
import { oneLine, pad } from "../text/fit-text.ts";
import { shortNames } from "../text/short-names.ts";
import type { ReportScreen } from "./screen.ts";

type MatrixCell = Confusion["cells"][number];

interface MatrixParts {
  rows: string[];
  columns: string[];
  /** Adds how many of a row's trials went well, if not all columns are shown. */
  right: boolean;
  left: number;
}

const MOST_WHOLE = 10;
const most = { rows: 12, label: 26 };
const NARROWEST = 5;
/** Column widths, tried in this order. */
const columnWidths = [12, 8, 6, NARROWEST];
const corner = "expected ↓ fired →";

/**
 * Expected × first activation, in trials. A small library is shown whole, a large one by its most confused pairs. Empty
 * if nothing went wrong.
 */
export function matrixLines(target: TargetScores, scores: Scores, screen: ReportScreen): string[] {
  const { cells } = target.confusion;
  if (!cells.some((cell) => cell.wrong > 0)) return [];
  const names = new Set(cells.flatMap((cell) => [cell.expected, cell.fired]));
  const small = names.size <= MOST_WHOLE + 3 ? wholeMatrix(cells) : undefined;
  const parts =
    small !== undefined && columnFor(small, cells, screen.width) !== undefined
      ? small
      : mostConfused(cells, screen.width);
  const label = labelOf(parts);
  const titles = titlesOf(parts, columnFor(parts, cells, screen.width) ?? NARROWEST);
  const { colors } = screen;
  const byKey = new Map(cells.map((cell) => [`${cell.expected}\0${cell.fired}`, cell]));
  const rows = parts.rows.map((row) => {
    const found = parts.columns.map((column) => paintedCell(byKey.get(`${row}\0${column}`), colors));
    return { row, cells: parts.right ? [{ text: rightOf(cells, row), paint: String }, ...found] : found };
  });
  const widths = titles.map((title, at) =>
    Math.max(displayWidth(title), ...rows.map((row) => row.cells[at]?.text.length ?? 0)),
  );
  const aligned = (text: string, at: number) => pad(text, widths[at] ?? 0, "right");
  return [
    ...(scores.targets.length > 1 ? [colors.bold(oneLine(target.id))] : []),
    colors.dim(`${pad(corner, label)}  ${titles.map(aligned).join("  ")}`),
    ...rows.map((row) => {
      const painted = row.cells.map(({ text, paint }, at) => paint(aligned(text, at)));
      return `${pad(oneLine(row.row), label)}  ${painted.join("  ")}`;
    }),
    ...notes(parts, colors),
  ];
}

function paintedCell(
  cell: MatrixCell | undefined,
  colors: ReportScreen["colors"],
): { text: string; paint(text: string): string } {
  if (cell === undefined) return { text: "·", paint: colors.dim };
  const isWrong = cell.wrong > 0 && cell.expected !== cell.fired;
  return { text: `${cell.trials}`, paint: isWrong ? colors.red : cell.fired === ERROR ? colors.yellow : String };
}

function labelOf({ rows }: MatrixParts): number {
  return Math.min(most.label, Math.max(displayWidth(corner), ...rows.map((row) => displayWidth(oneLine(row)))));
}

function titlesOf({ right, columns }: MatrixParts, width: number): string[] {
  return [...(right ? ["right"] : []), ...shortNames(columns.map(oneLine), width)];
}

function columnFor(parts: MatrixParts, cells: MatrixCell[], width: number): number | undefined {
  const digits = Math.max(...cells.map(({ trials }) => `${trials}`.length));
  const taken = (column: number) =>
    titlesOf(parts, column).reduce((sum, title) => sum + 2 + Math.max(digits, displayWidth(title)), labelOf(parts));
  return columnWidths.find((column) => taken(column) <= width);
}

function wholeMatrix(cells: MatrixCell[]): MatrixParts {
  const rows = [...new Set(cells.map((cell) => cell.expected))].sort(byName);
  const columns = [...new Set(cells.map((cell) => cell.fired))].sort(byName);
  return { rows, columns, right: false, left: 0 };
}

function mostConfused(cells: MatrixCell[], width: number): MatrixParts {
  const wrong = cells
    .filter((cell) => cell.wrong > 0)
    .sort((a, b) => b.wrong - a.wrong || byName(a.expected, b.expected) || byName(a.fired, b.fired));
  const rows = new Set<string>();
  const columns = new Set<string>();
  let left = 0;
  for (const { expected, fired } of wrong) {
    const fits =
      (rows.has(expected) || rows.size < most.rows) && (columns.has(fired) || roomFor([...columns, fired], width));
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

function rightOf(cells: MatrixCell[], row: string): string {
  return `${cells.filter((cell) => cell.expected === row && cell.fired !== ERROR).reduce((sum, cell) => sum + cell.trials - cell.wrong, 0)}`;
}

function notes({ rows, left }: MatrixParts, colors: ReportScreen["colors"]): string[] {
  return [
    ...(left > 0 ? [`… and ${count(left, "more confused pair")}: the json report holds all`] : []),
    ...(rows.includes(NOT_SAID) ? [`${NOT_SAID}: the suite says only what must not fire`] : []),
  ].map((line) => colors.dim(line));
}

function byName(a: string, b: string): number {
  const special = (name: string) =>
    name === ERROR ? 4 : name === UNSURE ? 3 : name === NOT_SAID ? 2 : name === NONE ? 1 : 0;
  return special(a) - special(b) || (a < b ? -1 : a > b ? 1 : 0);
}
