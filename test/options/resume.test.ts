import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../../src/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [{ query: "Load alpha", should_trigger: true }]);
  world.script({ default: { skills: ["alpha"] } });
});
afterEach(() => world.remove());

const scope = () => ({ cwd: world.dir, env: {}, config: {} });

test("a run cannot be resumed with another judge, and the message names the flag and both models", async () => {
  await run({ ...scope(), targets: ["script:answers.yaml"], judge: "claude-haiku-4-5" });
  await expect(run({ ...scope(), resume: true, judge: "gpt-5" })).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining("--judge claude-haiku-4-5 → gpt-5"),
    hint: "Start a new run; the cache keeps what is unchanged.",
  });
});

test("a run that named no judge cannot be resumed with one", async () => {
  await run({ ...scope(), targets: ["script:answers.yaml"] });
  await expect(run({ ...scope(), resume: true, judge: "gpt-5" })).rejects.toThrow("--judge none → gpt-5");
});
