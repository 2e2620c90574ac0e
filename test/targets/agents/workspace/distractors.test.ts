import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resolveTarget } from "../../../../src/targets/index.ts";
import { type RunResult, run } from "../../../../src/verbs/index.ts";
import { fakeAgent, saidByAgent } from "../../../fake-agent.ts";
import { readSat, World } from "../../../world.ts";

const world = new World();
const others = new World();
const agent = "agent:fake.mjs";
const cli = `
say({ type: "text", text: fs.readdirSync(".skills", { recursive: true }).map(String).sort().join(" ") });
for (const [, skill] of prompt.matchAll(/load (\\w+)/g)) {
  say({ type: "tool", id: skill, skill });
  say({ type: "done", id: skill, ok: fs.existsSync(".skills/" + skill + "/SKILL.md") });
}
`;

beforeAll(() => {
  world.skill("alpha", [
    { query: "load alpha and load delta", should_trigger: true },
    { query: "only load alpha, not more, but load delta", should_trigger: true, exclusive: true },
    { query: "load delta", should_trigger: true },
  ]);
  world.skill("beta");
  others.skill("delta", [{ query: "an exam", should_trigger: true }]);
  fakeAgent(world, cli);
});
afterAll(() => {
  world.remove();
  others.remove();
});

test("a distractor that fires counts: as an extra, and as what fired instead", async () => {
  const { scores, trials } = await readSat((await examine([others.dir])).record);
  expect(trials.flatMap(({ error }) => error ?? [])).toEqual([]);
  const verdicts = scores.targets[0]!.questions.map(({ prompt, verdict, cause, why }) => ({
    prompt,
    verdict,
    cause,
    why,
  }));
  expect(verdicts).toEqual([
    { prompt: "load alpha and load delta", verdict: "pass" },
    expect.objectContaining({ verdict: "fail", cause: "not_as_expected", why: expect.stringContaining("delta") }),
    { prompt: "load delta", verdict: "fail", cause: "sibling", why: "delta was loaded instead, on turn 1." },
  ]);
  expect(scores.targets[0]!.steals).toMatchObject([{ thief: "delta", victim: "alpha" }]);
  expect(scores.targets[0]!.note).toContain("with 1 other skill beside the library");
});

test("its answers are kept, and asked anew when the distractors change", async () => {
  await examine([others.dir]);
  const cached = async (dirs?: string[]) =>
    (await readSat((await examine(dirs)).record)).trials.filter((trial) => trial.cached).length;
  expect(await cached([others.dir])).toBe(3);
  expect(await cached()).toBe(0);
  others.write("skills/delta/steps.md", "Other steps.");
  expect(await cached([others.dir])).toBe(0);
});

test("distractors are copied without their exam", async () => {
  const said = await saidByAgent(world, {
    cwd: world.dir,
    env: environment(),
    settings: { options: options([others.dir]) },
  });
  expect(said).toContain(join("delta", "SKILL.md"));
  expect(said).not.toContain("evals");
});

test.each([
  ["a skill of the library", () => join(world.dir, "skills", "beta"), /has the name of beta, a skill of the library/],
  ["a folder without skills", () => join(others.dir, "skills", "delta", "evals"), /no skill in/],
  ["a folder that is not there", () => join(others.dir, "nowhere"), /There is no/],
])("%s is refused before anything runs", async (_, dir, message) => {
  await expect(examine([dir()])).rejects.toMatchObject({ name: "UsageError", message: expect.stringMatching(message) });
});

test("a first move has no place for distractors, and says so", async () => {
  const context = { cwd: world.dir, env: environment(), settings: { options: { with_skills: [others.dir] } } };
  await expect(resolveTarget("firstmove:claude:haiku", context)).rejects.toMatchObject({ name: "UsageError" });
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"] };
}

function options(dirs: string[] | undefined): Record<string, unknown> {
  return { canary: false, ...(dirs && { with_skills: dirs }) };
}

async function examine(dirs?: string[]): Promise<RunResult> {
  const runs = await run({
    cwd: world.dir,
    targets: [agent],
    agentOptions: options(dirs),
    runs: 1,
    env: environment(),
    config: {},
  });
  return runs[0]!;
}
