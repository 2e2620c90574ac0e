import { test as base } from "vitest";
import { FleetWorld } from "./fleet-world.ts";

/** Tests with a world of their own: a Redis, and a script that answers the questions of two skills now so, now so, and two of them with an error. */
export const test = base.extend<{ world: FleetWorld }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern
  world: async ({}, use) => {
    const world = await FleetWorld.open();
    world.skill(
      "alpha",
      Array.from({ length: 12 }, (_, n) => ({ query: `Question ${n} for alpha`, should_trigger: n % 3 !== 0 })),
    );
    world.skill("beta", [{ query: "Question 3 for alpha", should_trigger: true }]);
    world.script({
      answers: [
        { pattern: "Question [48]", skills: ["alpha"], error: { reason: "timeout", retryable: false } },
        { pattern: "Question [0-7] ", skills: ["alpha"], hit_rate: 0.6, text: "Alpha at work." },
      ],
      default: { skills: [], text: "Nothing to do." },
    });
    await use(world);
    await world.close();
  },
});
