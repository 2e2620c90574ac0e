/** A source of numbers in [0, 1) that gives the same ones for the same seed (xmur3 seeding mulberry32, both public domain). */
export type Random = () => number;

export function seeded(seed: string): Random {
  let state = 1779033703 ^ seed.length;
  for (let i = 0; i < seed.length; i++) {
    state = Math.imul(state ^ seed.charCodeAt(i), 3432918353);
    state = (state << 13) | (state >>> 19);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One draw from Beta(a, b), as a ratio of gammas. */
export function drawBeta(a: number, b: number, random: Random): number {
  const x = drawGamma(a, random);
  return x / (x + drawGamma(b, random));
}

/** Marsaglia and Tsang 2000; shapes below 1 by their boost. */
function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const w = 1 + c * x;
    if (w <= 0) continue;
    const v = w * w * w;
    if (Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller. */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
