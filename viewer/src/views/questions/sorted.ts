import { type Row, worst } from "../../data/model.ts";

/** Sorts by prompt, skill or verdict; ties keep the order of the suite. */
export function sorted(rows: Row[], sort: string): Row[] {
  const name = sort.replace(/^-/, "");
  const value = (row: Row): string | number =>
    name === "prompt"
      ? row.text()
      : name === "skill"
        ? (row.question.skill ?? "")
        : worst(row, name === "verdict" ? undefined : Number(name.slice("verdict".length)));
  const keyed = rows.map((row) => ({ row, value: value(row) }));
  keyed.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : a.row.at - b.row.at));
  if (sort.startsWith("-")) keyed.reverse();
  return keyed.map(({ row }) => row);
}
