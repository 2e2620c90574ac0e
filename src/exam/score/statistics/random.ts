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
