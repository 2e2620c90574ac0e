let listener: ((doing: string) => void) | undefined;
let every = 100;
let nextAt = Number.POSITIVE_INFINITY;

export function onLongWork(told: ((doing: string) => void) | undefined, everyMs = 100): void {
  listener = told;
  every = everyMs;
  nextAt = told === undefined ? Number.POSITIVE_INFINITY : performance.now() + everyMs;
}

export function tellLongWork(doing: () => string): void {
  if (nextAt === Number.POSITIVE_INFINITY) return;
  const now = performance.now();
  if (now < nextAt) return;
  nextAt = now + every;
  listener?.(doing());
}
