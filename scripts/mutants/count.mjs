import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** Notes for every test file which places of the sources it comes by. */
const passed = new Set();
globalThis.__passedBy = (file, place) => passed.add(`${file} ${place}`);
afterAll(() => {
  appendFileSync(
    process.env.PROCTOR_MUTANT_HITS,
    `${JSON.stringify({ test: expect.getState().testPath, places: [...passed] })}\n`,
  );
});
