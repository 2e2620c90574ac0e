/**
 * The rivals of a skill, as positions in rising order, on how many of its clauses each fires, and how much its card says the same.
 * Typed arrays: large libraries have millions of them.
 */
export interface Rivals {
  positions: Int32Array;
  fires: Uint8Array;
  overlaps: Float64Array;
}

export const NO_RIVALS: Rivals = { positions: new Int32Array(), fires: new Uint8Array(), overlaps: new Float64Array() };

export function rivalsOf(fires: ReadonlyMap<number, number>, overlap: (rival: number) => number): Rivals {
  const positions = Int32Array.from(fires.keys()).sort();
  return {
    positions,
    fires: Uint8Array.from(positions, (at) => fires.get(at) ?? 0),
    overlaps: Float64Array.from(positions, overlap),
  };
}

/** On how many clauses it fires; undefined where it is no rival. */
export function firesOf({ positions, fires }: Rivals, sibling: number): number | undefined {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `!`: the middle lies between two places of the array.
    if (positions[middle]! < sibling) low = middle + 1;
    else high = middle;
  }
  return positions[low] === sibling ? fires[low] : undefined;
}
