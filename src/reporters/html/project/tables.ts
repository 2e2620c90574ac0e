/**
 * Rows stored by column to shrink a page: keys are written once, repeated values once, and values missing in most rows
 * take no space. Unpacking restores the input.
 */
export interface PackedTable {
  rows: number;
  columns: Record<string, PackedColumn>;
}

/** A column's values, and the rows they belong to if some rows have none. */
type PackedColumn = ({ values: unknown[] } | { words: unknown[]; places: number[] } | { table: PackedTable }) & {
  at?: number[];
};

export function packTable(rows: readonly object[]): PackedTable {
  const columns = new Map<string, { values: unknown[]; at: number[] }>();
  rows.forEach((row, at) => {
    for (const [key, value] of Object.entries(row)) {
      if (value === undefined) continue;
      const column = columns.get(key) ?? { values: [], at: [] };
      columns.set(key, column);
      column.values.push(value);
      column.at.push(at);
    }
  });
  return {
    rows: rows.length,
    columns: Object.fromEntries(
      [...columns].map(([key, { values, at }]) => [
        key,
        at.length === rows.length ? packed(values) : { ...packed(values), at },
      ]),
    ),
  };
}

/** Uses a dictionary for repeated values if that is shorter; distinct objects become a nested table. */
function packed(values: unknown[]): PackedColumn {
  const places = new Map<string, number>();
  const words: unknown[] = [];
  const of = values.map((value) => {
    const key = JSON.stringify(value);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, words.length);
    return words.push(value) - 1;
  });
  if (words.length * 2 <= values.length) return { words, places: of };
  return values.every(isPlainObject) ? { table: packTable(values) } : { values };
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equal values of different rows share one object, so callers must not modify the result. */
export function unpackTable<T>({ rows, columns }: PackedTable): T[] {
  const all = Array.from({ length: rows }, (): Record<string, unknown> => ({}));
  for (const [key, column] of Object.entries(columns)) {
    const values = valuesOf(column);
    const { at } = column;
    // `!`: `packTable` wrote both, the number of rows and their places.
    if (at === undefined) for (let row = 0; row < rows; row++) all[row]![key] = values[row];
    else for (let place = 0; place < at.length; place++) all[at[place] ?? 0]![key] = values[place];
  }
  return all as T[];
}

function valuesOf(column: PackedColumn): unknown[] {
  if ("values" in column) return column.values;
  if ("table" in column) return unpackTable(column.table);
  const { words } = column;
  return column.places.map((place) => words[place]);
}
