import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resolveTarget } from "../../../../src/targets/index.ts";
import { run as runExam } from "../../../../src/verbs/index.ts";
import { readSat, World } from "../../../world.ts";

const cli = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("1.2.3"); process.exit(0); }
console.log(JSON.stringify({ skill: "alpha" }));
`;
const definition = `import { defineAgent } from "proctor";
import { seen } from "./lib/seen.ts";

export default defineAgent({
  name: "mine", command: "./bin/mine", skillsDir: ".skills", readOnly: true, sources: ["prompts/*.txt"],
  launch: () => ({ args: [], env: {} }),
  events: (line) => [{ type: "call", id: "1", tool: "skill", skill: seen(line) }, { type: "result", id: "1", ok: true }, { type: "end" }],
});
`;

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [{ query: "First", should_trigger: true }]);
  world.write("agents/my-agent.ts", definition);
  world.write(
    "agents/lib/seen.ts",
    'import { field } from "./field";\nexport const seen = (line: Record<string, unknown>) => line[field];\n',
  );
  world.write("agents/lib/field.mts", 'export const field = "skill";\n');
  world.write("agents/prompts/system.txt", "Be brief.");
  world.write("agents/bin/mine", cli);
  chmodSync(join(world.dir, "agents/bin/mine"), 0o755);
});
afterEach(() => world.remove());

test.each([
  [
    "the file itself",
    "agents/my-agent.ts",
    `${definition}// an edit\n`,
    "my-agent.ts of agent:./agents/my-agent.ts changed",
  ],
  [
    "a file it imports",
    "agents/lib/seen.ts",
    "export const seen = () => 'alpha';\n",
    "lib/seen.ts of agent:./agents/my-agent.ts changed",
  ],
  [
    "a file that one imports",
    "agents/lib/field.mts",
    'export const field = "skill" as string;\n',
    "lib/field.mts of agent",
  ],
  ["a file it names as a source", "agents/prompts/system.txt", "Be long.", "prompts/system.txt of agent"],
  [
    "the script that is its command",
    "agents/bin/mine",
    `${cli}// an edit\n`,
    "the command of agent:./agents/my-agent.ts changed",
  ],
])("an edit of %s asks again, and says why", async (_, path, content, why) => {
  await sit();
  expect((await sit()).filter(({ cached }) => cached === undefined)).toEqual([]);
  world.write(path, content);
  const trials = await sit();
  expect(trials.length).toBeGreaterThan(0);
  for (const trial of trials) {
    expect(trial.cached).toBeUndefined();
    expect(trial.askedBecause).toContain(why);
  }
});

test("what is read is the file as it is now, whatever was loaded before in this process", async () => {
  expect((await sit())[0]?.activations).toMatchObject([{ skill: "alpha" }]);
  world.write("agents/lib/field.mts", 'export const field = "nothing";\n');
  expect((await sit())[0]?.activations).toEqual([]);
});

test("a variable that is set for the target is part of its identity, its key is not, and neither can be read in it", async () => {
  world.write("agents/my-agent.ts", definition.replace('name: "mine",', 'name: "mine", keys: ["MINE_API_KEY"],'));
  const identity = async (env: Record<string, string>) => {
    const context = { cwd: world.dir, env: { PATH: process.env["PATH"] }, settings: { env } };
    return (await resolveTarget("agent:./agents/my-agent.ts", context)).identify();
  };
  const plain = await identity({ MINE_MODE: "fast" });
  expect(await identity({ MINE_MODE: "fast", MINE_API_KEY: "other" })).toEqual(plain);
  expect(await identity({ MINE_MODE: "slow" })).not.toEqual(plain);
  expect(await identity({ MINE_MODE: "fast", MAX_THINKING_TOKENS: "31999" })).not.toEqual(plain);
  expect(JSON.stringify(plain)).not.toContain("fast");
});

test("a package that the file imports is known by its version, not by all its files", async () => {
  mkdirSync(join(world.dir, "agents/node_modules/dep"), { recursive: true });
  const dep = (version: string) =>
    writeFileSync(
      join(world.dir, "agents/node_modules/dep/package.json"),
      JSON.stringify({ name: "dep", version, main: "a.js" }),
    );
  dep("1.0.0");
  world.write("agents/node_modules/dep/a.js", "module.exports = {};");
  world.write("agents/my-agent.ts", `import "dep";\n${definition}`);
  const identity = async () =>
    (await resolveTarget("agent:./agents/my-agent.ts", { cwd: world.dir, env: process.env })).identify();
  const before = await identity();
  expect(await identity()).toEqual(before);
  dep("2.0.0");
  expect(await identity()).not.toEqual(before);
});

async function sit() {
  const [run] = await runExam({
    cwd: world.dir,
    targets: ["agent:./agents/my-agent.ts"],
    agentOptions: { canary: false },
    runs: 1,
    env: { PATH: process.env["PATH"] },
    config: {},
  });
  return (await readSat(run!.record)).trials;
}
