import { afterAll, expect, test, vi } from "vitest";
import type { Reporter } from "../../src/reporters/index.ts";
import { World } from "../world.ts";

/** Test Anything Protocol: a reporter that shows runs and problems, but no comparisons. */
const tap: Reporter = {
  name: "tap",
  about: "for tools that read TAP",
  render: ({ targets }) => `1..${targets.flatMap(({ questions }) => questions).length}\n`,
  check: ({ problems }) => `1..${problems.length}\n`,
};

// All that adding a reporter takes beside its file: a line in the list. Everything is loaded anew, with that line and afterwards without it.
vi.resetModules();
vi.doMock("../../src/reporters/list.ts", async (original) => {
  const { reporters } = await original<typeof import("../../src/reporters/list.ts")>();
  return { reporters: [...reporters, tap] };
});
const { runMain } = await import("../cli/run-main.ts");
afterAll(() => {
  vi.doUnmock("../../src/reporters/list.ts");
  vi.resetModules();
  world.remove();
});

const world = new World();
world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
const proctor = async (...args: string[]) => (await runMain(world.dir, args)).stdout;

test("run and check show what it says, and help and completion name it", async () => {
  expect(await proctor("run", "--reporter", "tap")).toBe("1..1\n");
  expect(await proctor("check", "--reporter", "tap")).toMatch(/^1\.\.\d+\n$/);
  expect(await proctor("run", "--help")).toMatch(/waza,\s+tap, each with/);
  expect(await proctor("check", "--help")).toMatch(/csv,\s+tap,\s+each with/);
  expect(await proctor("completion", "bash")).toMatch(/"check --reporter"\) words="terminal [^"]* tap"/);
});

test("what it cannot show names those that can", async () => {
  const { code, stderr } = await runMain(world.dir, ["check", "--reporter", "html"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "proctor: The reporter html shows a run, not problems.\n  proctor check has terminal, json, junit, markdown, github, sarif, gitlab, csv and tap.\n",
  });
  expect(await proctor("compare", "--help")).not.toContain("tap");
});
