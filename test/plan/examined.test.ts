import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig } from "../../src/options/index.ts";
import { examined, firstChange } from "../../src/plan/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
});
afterEach(() => world.remove());

const look = async () => examined({ cwd: world.dir, config: await loadConfig({ cwd: world.dir, env: {} }) });

test.each<[string, () => void, string | undefined]>([
  ["a file beside the skills", () => world.write("notes.txt", "x"), undefined],
  ["a record", () => world.write(".proctor/runs/a/record.jsonl", "{}"), undefined],
  ["the same text again", () => world.skill("refund", [{ query: "I want my money back", should_trigger: true }]), undefined],
  ["a body", () => world.write("skills/refund/SKILL.md", "---\nname: refund\ndescription: Refunds.\n---\nNew.\n"), "skill refund"],
  ["a file of a skill", () => world.write("skills/refund/scripts/pay.py", "pass"), "skill refund"],
  ["a new skill", () => world.skill("orders"), "skill orders"],
  ["a suite", () => world.skill("refund", [{ query: "Other", should_trigger: true }]), "skills/refund/evals/triggers.json"],
  ["a suite that breaks", () => world.write("skills/refund/evals/triggers.json", "[{"), "skills/refund/evals/triggers.json"],
  ["a suite that goes", () => rmSync(join(world.dir, "skills/refund/evals"), { recursive: true }), "skills/refund/evals/triggers.json"],
])("what an edit changes: %s", async (_what, edit, changed) => {
  const before = await look();
  edit();
  expect(firstChange(before, await look())).toBe(changed);
});

test("a report or a log in the folder of a skill that is the root changes nothing", async () => {
  world.write("SKILL.md", "---\nname: root\ndescription: All of it.\n---\n");
  const before = await look();
  world.write("report.json", {});
  world.write("w.err", "x");
  expect(firstChange(before, await look())).toBeUndefined();
  world.write("reference.md", "x");
  expect(firstChange(before, await look())).toMatch(/^skill /);
});

test("an edit of the script that answers is a change too", async () => {
  world.script({ default: { skills: [] } });
  const flags = { targets: ["script:answers.yaml"] };
  const look = async () => examined({ cwd: world.dir, config: await loadConfig({ cwd: world.dir, env: {} }), flags });
  const before = await look();
  expect(firstChange(before, await look())).toBeUndefined();
  world.script({ default: { skills: ["refund"] } });
  expect(firstChange(before, await look())).toBe("answers.yaml");
});
