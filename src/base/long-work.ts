let listener: ((doing: string) => void) | undefined;
let every = 100;
let nextAt = Number.POSITIVE_INFINITY;

/** Who is told what long work does, at most every so many milliseconds; undefined: nobody. */
export function onLongWork(told: ((doing: string) => void) | undefined, everyMs = 100): void {
  listener = told;
  every = everyMs;
  nextAt = told === undefined ? Number.POSITIVE_INFINITY : performance.now() + everyMs;
}

/** Says what is being done, from inside a loop that may take long: cheap enough for every turn of it. */
export function tellLongWork(doing: () => string): void {
  if (nextAt === Number.POSITIVE_INFINITY) return;
  const now = performance.now();
  if (now < nextAt) return;
  nextAt = now + every;
  listener?.(doing());
}
