import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/base/options/index.ts";
import { changesOf, examined } from "../../src/exam/plan/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
});
afterEach(() => world.remove());

const look = async () => examined({ cwd: world.dir, config: await loadConfig({ cwd: world.dir, env: {} }) });
const named = (...both: Parameters<typeof changesOf>) => changesOf(...both).map(({ name, how }) => `${name} ${how}`);

test.each<[string, () => void, string[]]>([
  ["a file beside the skills", () => world.write("notes.txt", "x"), []],
  ["a record", () => world.write(".proctor/runs/a/record.jsonl", "{}"), []],
  ["the same text again", () => world.skill("refund", [{ query: "I want my money back", should_trigger: true }]), []],
  [
    "a body",
    () => world.write("skills/refund/SKILL.md", "---\nname: refund\ndescription: Refunds.\n---\nNew.\n"),
    ["skill refund changed"],
  ],
  ["a file of a skill", () => world.write("skills/refund/scripts/pay.py", "pass"), ["skill refund changed"]],
  ["a new skill", () => world.skill("orders"), ["skill orders added"]],
  [
    "a suite",
    () => world.skill("refund", [{ query: "Other", should_trigger: true }]),
    ["skills/refund/evals/triggers.json changed"],
  ],
  [
    "a suite that breaks",
    () => world.write("skills/refund/evals/triggers.json", "[{"),
    ["skills/refund/evals/triggers.json changed"],
  ],
  [
    "a suite that goes",
    () => rmSync(join(world.dir, "skills/refund/evals"), { recursive: true }),
    ["skills/refund/evals/triggers.json removed"],
  ],
])("what an edit changes: %s", async (_what, edit, changed) => {
  const before = await look();
  edit();
  expect(named(before, await look())).toEqual(changed);
});

test("a report or a log in the folder of a skill that is the root changes nothing", async () => {
  world.write("SKILL.md", "---\nname: root\ndescription: All of it.\n---\n");
  const before = await look();
  world.write("report.json", {});
  world.write("w.err", "x");
  expect(named(before, await look())).toEqual([]);
  world.write("reference.md", "x");
  expect(named(before, await look())).toEqual([expect.stringMatching(/^skill /)]);
});

test("an edit of the script that answers is a change too", async () => {
  world.script({ default: { skills: [] } });
  const flags = { targets: ["script:answers.yaml"] };
  const look = async () => examined({ cwd: world.dir, config: await loadConfig({ cwd: world.dir, env: {} }), flags });
  const before = await look();
  expect(named(before, await look())).toEqual([]);
  world.script({ default: { skills: ["refund"] } });
  expect(named(before, await look())).toEqual(["answers.yaml changed"]);
});
