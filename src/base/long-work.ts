let listener: ((doing: string) => void) | undefined;
let every = 100;
let nextAt = Number.POSITIVE_INFINITY;

/** Sets the listener for long work, and how often it is called at most; undefined removes it. */
export function onLongWork(told: ((doing: string) => void) | undefined, everyMs = 100): void {
  listener = told;
  every = everyMs;
  nextAt = told === undefined ? Number.POSITIVE_INFINITY : performance.now() + everyMs;
}

/** Reports progress from inside a long loop; cheap enough to call on every turn. */
export function tellLongWork(doing: () => string): void {
  if (nextAt === Number.POSITIVE_INFINITY) return;
  const now = performance.now();
  if (now < nextAt) return;
  nextAt = now + every;
  listener?.(doing());
}
