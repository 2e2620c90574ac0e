import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exam } from "../../src/exam/plan/index.ts";
import { shownInTrialsOnly } from "../../src/exam/plan/notices.ts";
import { plan } from "../../src/verbs/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  for (let index = 0; index < 5; index++) world.skill(`skill-${index}`, [], "d".repeat(400));
  world.skill("alpha", [{ query: "One", should_trigger: true }]);
  world.script({ default: { skills: ["alpha"] } });
});
afterEach(() => world.remove());

/** The exam of the script, as if it were put to that agent. */
async function told(id: string, agentOptions?: Record<string, unknown>): Promise<string[]> {
  const exam = await world.prepare();
  const targets = exam.targets.map((one) => ({ ...one, target: { ...one.target, id } })) as Exam["targets"];
  return shownInTrialsOnly({ ...exam, targets, options: { ...exam.options, agentOptions } });
}

test("a run says so where trials show the model more descriptions than its users' hosts will", async () => {
  expect(await told("claude:claude-sonnet-4-5")).toEqual([
    expect.stringMatching(
      /^In trials claude:claude-sonnet-4-5 sees the descriptions of 6 of 6 skills, but your users' Claude Code sees those of \d, .*--realistic/,
    ),
  ]);
  expect(await told("claude:claude-sonnet-4-5")).toEqual([
    expect.stringMatching(/its own skills \(13 in 2\.1\.325\) share/),
  ]);
  expect(await told("claude:opus")).toEqual([]);
  expect(await told("claude:claude-sonnet-4-5", { realistic: true })).toEqual([]);
  expect(await told("script:answers.yaml")).toEqual([]);
});

test("the plan of a run says it too, before anything is spent, without the CLI", async () => {
  const [planned] = await plan({ cwd: world.dir, targets: ["claude:claude-sonnet-4-5"], env: {} });
  expect(planned?.notices).toEqual([expect.stringContaining("In trials claude:claude-sonnet-4-5 sees")]);
});

test("a model that nobody knows is planned, with the warning that see has", async () => {
  const notices = async (target: string) => (await plan({ cwd: world.dir, targets: [target], env: {} }))[0]?.notices;
  expect(await notices("claude:nosuch")).toEqual([
    "Proctor does not know the model nosuch: is the name right? Descriptions get the room that Claude Code gives a model it does not know.",
  ]);
  for (const known of ["claude:opus", "codex:gpt-5.5", "gemini:nosuch", "embedded"])
    expect(await notices(known)).toEqual([]);
});
