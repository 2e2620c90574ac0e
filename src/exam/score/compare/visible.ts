import { type Design, power, runsToSee, smallestDrop } from "../statistics/power.ts";

/** What a comparison could have seen: the smallest drop, four times in five, and the runs it takes to see one of a given size. */
export interface Visible {
  /** In shares; null when not even a drop to nothing is seen this often. */
  smallest: number | null;
  /** The drop that is asked about, how often it is seen with these runs, and the runs, before and now, that see it four times in five. */
  drop: number;
  power: number;
  /** null: not even a hundred do. */
  runs: number | null;
}

const DROP = 0.1;

export function visibleWith(design: Design, drop = DROP): Visible {
  const smallest = smallestDrop(design);
  return {
    smallest: smallest === null ? null : smallest / 100,
    drop,
    power: power(design, drop),
    runs: runsToSee(design, drop),
  };
}
