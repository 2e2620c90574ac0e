import { describe, expect } from "vitest";
import { isHere } from "../tools.ts";
import { chaos } from "./world/chaos.ts";
import { test } from "./world/scene.ts";

/** `npm run bench -- fleet chaos` does it with 1,000 trials. */
describe.runIf(isHere("redis"))("chaos", () => {
  test("150 trials are in the record exactly once, and scored as in a quiet run", async ({ scene }) => {
    const { world, processes } = await scene({ questions: 150, latency: 100, redis: { persistent: true } });
    const after = await chaos(world, processes, 150, 3);
    expect(after).toMatchObject({ trials: 150, distinct: 150, errors: 0, same: true });
    expect(after.kills).toBeGreaterThan(2);
  });
});
