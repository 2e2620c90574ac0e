import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunSettings } from "../../src/base/options/index.ts";
import { run } from "../../src/verbs/index.ts";
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

test.each([
  [{ evidence: "loaded" }, "--evidence any → loaded"],
  [{ timeoutSeconds: 30 }, "--timeout 120 → 30"],
  [{ runs: 5 }, "--runs none → 5"],
  [{ skills: ["alpha"] }, "--skill none → alpha"],
  [{ earlyStop: false }, "--no-early-stop off → on"],
  [{ cross: true }, "--cross off → on"],
  [{ threshold: 0.9, maxTurns: 3 }, "--max-turns none → 3; --threshold 0.5 → 0.9."],
  [{ withSkills: ["/elsewhere"] }, "--with-skills none → "],
  [{ agentOptions: { realistic: true } }, "--realistic off → on"],
] as [RunSettings, string][])("a run cannot be resumed with %j", async (settings, difference) => {
  await run({ ...scope(), targets: ["script:answers.yaml"] });
  await expect(run({ ...scope(), resume: true, ...settings })).rejects.toThrow(difference);
});

test("shards that were graded by different evidence, time limits or judges are not parts of one run", async () => {
  const print = async (settings: RunSettings) => (await world.sit(settings)).header.optionsFingerprint;
  const all: RunSettings[] = [{}, { evidence: "loaded" }, { timeoutSeconds: 30 }, { judge: "gpt-5" }];
  const prints = await Promise.all(all.map(print));
  expect(new Set(prints).size).toBe(all.length);
  expect(await print({ jobs: 2, retries: 0, budget: 5 })).toBe(prints[0]);
});
