import { expect, test } from "vitest";
import { Pace } from "../../src/fleet/pace.ts";

/** How many jobs may wait when trials end at this rate, for as long. */
function ahead(perSecond: number, seconds: number): number {
  let now = 0;
  const pace = new Pace(250, () => now);
  for (let n = 0; n < perSecond * seconds; n++) {
    now += 1000 / perSecond;
    pace.note();
  }
  return pace.ended();
}

test("as many jobs may wait as ended within the last quarter of a second", () => {
  expect(ahead(640, 3)).toBeGreaterThanOrEqual(155);
  expect(ahead(640, 3)).toBeLessThanOrEqual(165);
  // 350 agents of 30 s each.
  expect(ahead(11.6, 60)).toBeLessThanOrEqual(4);
  expect(ahead(1, 60)).toBe(1);
});

test("a burst counts at once, and is forgotten", () => {
  let now = 0;
  const pace = new Pace(250, () => now);
  expect(pace.ended()).toBe(0);
  for (let n = 0; n < 32; n++) pace.note();
  expect(pace.ended()).toBe(32);
  now = 5_000;
  expect(pace.ended()).toBe(0);
});
