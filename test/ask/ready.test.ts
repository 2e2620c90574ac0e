import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunOptions, run } from "../../src/verbs/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [
    { query: "load alpha", should_trigger: true },
    { query: "load nothing", should_trigger: false },
  ]);
  world.write(
    "fake-claude",
    `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("2.1.300"); process.exit(0); }
const say = (event) => console.log(JSON.stringify(event));
const prompt = require("node:fs").readFileSync(0, "utf8");
const skill = /load (alpha)/.exec(prompt)?.[1];
say({ type: "system", subtype: "init", model: "claude-haiku-4-5" });
if (skill) {
  say({ type: "assistant", message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Skill", input: { skill } }] } });
  say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "Launching skill: " + skill }] } });
}
say({ type: "assistant", message: { id: "m2", content: [{ type: "text", text: "Done." }] } });
say({ type: "result", subtype: "success", is_error: false, result: "Done.", usage: { input_tokens: 10, output_tokens: 2 }, ...(!prompt.includes("unpriced") && { total_cost_usd: 0.01 }) });
`,
  );
  chmodSync(join(world.dir, "fake-claude"), 0o755);
});
afterEach(() => world.remove());

const key = { ANTHROPIC_API_KEY: "dummy-key" };
const ask = (env: Record<string, string>, more: Partial<RunOptions> = {}) =>
  run({
    cwd: world.dir,
    targets: ["claude:haiku"],
    agentOptions: { canary: false, sandbox: "off" },
    runs: 2,
    earlyStop: false,
    config: {},
    env: { PATH: process.env["PATH"] ?? "", PROCTOR_CLAUDE_PATH: join(world.dir, "fake-claude"), ...env },
    ...more,
  });
const runs = () =>
  existsSync(join(world.dir, ".proctor", "runs")) ? readdirSync(join(world.dir, ".proctor", "runs")).length : 0;

test("an agent without any key is refused before anything is asked, and leaves no record", async () => {
  await expect(ask({})).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^claude:haiku: .*no key.*Set ANTHROPIC_API_KEY/),
    hint: expect.stringContaining("-t embedded"),
  });
  expect(runs()).toBe(0);
});

test("what the cache answers wholly needs no key; one question more does", async () => {
  const [first] = await ask(key);
  expect(first!.scores.targets[0]!.trials).toMatchObject({ total: 4, cached: 0 });
  const [second] = await ask({});
  expect(second!.scores.targets[0]!.trials).toMatchObject({ total: 4, cached: 4 });
  await expect(ask({}, { runs: 3 })).rejects.toMatchObject({ exitCode: 2 });
  expect(runs()).toBe(2);
});

test("a variable that is set for the target alone may be its key", async () => {
  const config = { targets: [{ target: "claude:haiku", env: { ANTHROPIC_AUTH_TOKEN: "dummy" } }] };
  await expect(ask({}, { config })).resolves.toHaveLength(1);
});

test("--budget alone limits an agent that reports its cost, on the first run too: the first trial shows what the next ones take", async () => {
  const [result] = await ask(key, { runs: 3, jobs: 4, budget: 0.035 });
  expect(result!.scores.targets[0]!.trials).toMatchObject({ total: 3, cost: { usd: 0.03 } });
  expect(result!.exitCode).toBe(3);
});

test("an answer whose cost is not reported after all ends a run that only dollars limit", async () => {
  world.skill(
    "alpha",
    [1, 2, 3, 4].map((number) => ({ query: `unpriced ${number}`, should_trigger: false })),
  );
  const [result] = await ask(key, { runs: 3, jobs: 4, budget: 5 });
  expect(result!.scores.targets[0]!.trials).toMatchObject({ total: 1, cost: { unknown: 1 } });
  expect(result!.exitCode).toBe(3);
});
