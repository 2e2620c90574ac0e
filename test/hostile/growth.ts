/**
 * How much more work four times the input is: about 4 where work grows with the input, 16 where it grows with its square. In processor time, so
 * that a busy machine does not matter, and the least of several tries, since nothing makes a program take less time than it needs.
 */
export async function growthOf(put: (size: number) => Promise<void> | void, size: number): Promise<number> {
  await put(size);
  const small = await least(() => put(size));
  const large = await least(() => put(4 * size));
  return large / Math.max(small, FLOOR_MS);
}

/** Below this a measurement says more about the clock than about the work. */
const FLOOR_MS = 4;
const TRIES = 3;

/** Of one call, in milliseconds of processor time; once where that says enough. */
export function leastCpu(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < TRIES; at++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
    if (best < FLOOR_MS) return best;
  }
  return best;
}

async function least(work: () => Promise<void> | void): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < TRIES; at++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
