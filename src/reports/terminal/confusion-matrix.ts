import { count, displayWidth } from "../../base/index.ts";
import { type Confusion, ERROR, NONE, NOT_SAID, type Scores, type TargetScores } from "../../scores/index.ts";
import { oneLine, pad } from "../text/fit-text.ts";
import { shortNames } from "../text/short-names.ts";
import type { ReportScreen } from "./screen.ts";

type MatrixCell = Confusion["cells"][number];

interface MatrixParts {
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
export function matrixLines(target: TargetScores, scores: Scores, screen: ReportScreen): string[] {
  const { cells } = target.confusion;
  if (!cells.some((cell) => cell.wrong > 0)) return [];
  const names = new Set(cells.flatMap((cell) => [cell.expected, cell.fired]));
  const small = names.size <= whole + 3 ? wholeMatrix(cells) : undefined;
  const parts = small !== undefined && columnFor(small, cells, screen.width) !== undefined ? small : mostConfused(cells, screen.width);
  const label = labelOf(parts);
  const titles = titlesOf(parts, columnFor(parts, cells, screen.width) ?? columnWidths.at(-1)!);
  const byKey = new Map(cells.map((cell) => [`${cell.expected}\0${cell.fired}`, cell]));
  const lines = parts.rows.map((row) => {
    const found = parts.columns.map((column) => byKey.get(`${row}\0${column}`));
    return {
      row,
      texts: [...(parts.right ? [rightOf(cells, row)] : []), ...found.map((cell) => (cell === undefined ? "·" : `${cell.trials}`))],
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
        paint(pad(text, widths[index]!, "right"), found[index - Number(parts.right)], index === 0 && parts.right, colors),
      );
      return `${pad(oneLine(row), label)}  ${painted.join("  ")}`;
    }),
    ...notes(parts, colors),
  ];
}

function labelOf({ rows }: MatrixParts): number {
  return Math.min(most.label, Math.max(displayWidth(corner), ...rows.map((row) => displayWidth(oneLine(row)))));
}

function titlesOf({ right, columns }: MatrixParts, width: number): string[] {
  return [...(right ? ["right"] : []), ...shortNames(columns.map(oneLine), width)];
}

/** The widest columns with which the whole matrix fits; undefined when none do. */
function columnFor(parts: MatrixParts, cells: MatrixCell[], width: number): number | undefined {
  const digits = Math.max(...cells.map(({ trials }) => `${trials}`.length));
  const taken = (column: number) =>
    titlesOf(parts, column).reduce((sum, title) => sum + 2 + Math.max(digits, displayWidth(title)), labelOf(parts));
  return columnWidths.find((column) => taken(column) <= width);
}

function paint(text: string, cell: MatrixCell | undefined, isRight: boolean, colors: ReportScreen["colors"]): string {
  if (isRight) return text;
  if (cell === undefined) return colors.dim(text);
  return cell.wrong > 0 && cell.expected !== cell.fired ? colors.red(text) : cell.fired === ERROR ? colors.yellow(text) : text;
}

function wholeMatrix(cells: MatrixCell[]): MatrixParts {
  const rows = [...new Set(cells.map((cell) => cell.expected))].sort(byName);
  const columns = [...new Set(cells.map((cell) => cell.fired))].sort(byName);
  return { rows, columns, right: false, left: 0 };
}

/** Pairs, the most confused first, as long as their row and column find a place. */
function mostConfused(cells: MatrixCell[], width: number): MatrixParts {
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

function rightOf(cells: MatrixCell[], row: string): string {
  return `${cells.filter((cell) => cell.expected === row && cell.fired !== ERROR).reduce((sum, cell) => sum + cell.trials - cell.wrong, 0)}`;
}

function notes({ rows, left }: MatrixParts, colors: ReportScreen["colors"]): string[] {
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
