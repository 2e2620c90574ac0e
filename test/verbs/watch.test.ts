import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Edits, watchEdits } from "../../src/verbs/asking/watch.ts";
import { World } from "../world.ts";

let world: World;
let edits: Edits;
beforeEach(async () => {
  world = new World();
  world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
  world.skill("orders");
  edits = await watchEdits({ cwd: world.dir, env: {} });
});
afterEach(() => {
  edits.close();
  world.remove();
});

const at = (path: string) => join(world.dir, path);
const skill = "skills/refund/SKILL.md";
const suite = "skills/refund/evals/triggers.json";
const query = (text: string) => JSON.stringify([{ query: text, should_trigger: true }]);

/** As editors and agents save: a new file takes the place of the old one. */
function replace(path: string, text: string): void {
  writeFileSync(at(`${path}.tmp`), text);
  renameSync(at(`${path}.tmp`), at(path));
}

/** What is noticed of each edit, one after the other. */
async function noticed(...steps: (() => void)[]): Promise<string[][]> {
  const all: string[][] = [];
  for (const step of steps) {
    await edits.mark();
    step();
    all.push((await edits.next()).map(({ name, how }) => `${name} ${how}`));
  }
  return all;
}

test("a file that was replaced is still watched", async () => {
  const more = () => appendFileSync(at(skill), "More.\n");
  const saved = () => replace(skill, `${readFileSync(at(skill), "utf8")}Saved.\n`);
  const copied = () => {
    const text = readFileSync(at(skill), "utf8");
    rmSync(at(skill));
    writeFileSync(at(skill), `${text}Copied.\n`);
  };
  const steps = [saved, more, saved, saved, more, copied, more, copied, more];
  expect(await noticed(...steps)).toEqual(steps.map(() => ["skill refund changed"]));
});

test("a suite that was replaced is still watched", async () => {
  const seen = await noticed(
    () => replace(suite, query("One")),
    () => writeFileSync(at(suite), query("Two")),
    () => replace(suite, query("Three")),
  );
  expect(seen).toEqual([1, 2, 3].map(() => [`${suite} changed`]));
});

test("what is added later is watched, too, however deep it lies", async () => {
  const seen = await noticed(
    () => world.skill("new", [{ query: "New", should_trigger: true }]),
    () => appendFileSync(at("skills/new/SKILL.md"), "More.\n"),
    () => writeFileSync(at("skills/new/evals/triggers.json"), query("Newer")),
    () => world.write("skills/new/a/b/c/notes.md", "x"),
    () => world.write("skills/new/a/b/c/notes.md", "y"),
    () => rmSync(at("skills/new"), { recursive: true }),
    () => world.skill("new"),
    () => appendFileSync(at("skills/new/SKILL.md"), "More.\n"),
  );
  expect(seen).toEqual([
    ["skill new added", "skills/new/evals/triggers.json added"],
    ["skill new changed"],
    ["skills/new/evals/triggers.json changed"],
    ["skill new changed"],
    ["skill new changed"],
    ["skill new removed", "skills/new/evals/triggers.json removed"],
    ["skill new added"],
    ["skill new changed"],
  ]);
});

test("a folder that was replaced is still watched", async () => {
  const swap = () => {
    cpSync(at("skills/refund"), at("refund.new"), { recursive: true });
    writeFileSync(at("refund.new/evals/triggers.json"), query("Swapped"));
    rmSync(at("skills/refund"), { recursive: true });
    renameSync(at("refund.new"), at("skills/refund"));
  };
  const edit = () => writeFileSync(at(suite), query("Edited"));
  expect(await noticed(swap, edit)).toEqual([[`${suite} changed`], [`${suite} changed`]]);
});

test("a skill and its suite that change together are both named", async () => {
  const both = () => {
    replace(skill, `${readFileSync(at(skill), "utf8")}More.\n`);
    replace(suite, query("One"));
  };
  expect(await noticed(both)).toEqual([["skill refund changed", `${suite} changed`]]);
});

test("a suite right in the folder of its skill is named, not the skill", async () => {
  const questions = "skills/orders/questions.json";
  const seen = await noticed(
    () => writeFileSync(at(questions), query("Where is my order?")),
    () => replace(questions, query("Where is it?")),
  );
  expect(seen).toEqual([[`${questions} added`], [`${questions} changed`]]);
});

test("a script outside the folder that is examined is watched", async () => {
  mkdirSync(at("here"));
  const answers = "here/answers.yaml";
  world.write(answers, "default: { skills: [] }\n");
  edits.close();
  edits = await watchEdits({ cwd: at("here"), paths: ["../skills"], targets: ["script:answers.yaml"], env: {} });
  const seen = await noticed(
    () => replace(answers, "default: { skills: [refund] }\n"),
    () => writeFileSync(at(answers), "default: { skills: [orders] }\n"),
  );
  expect(seen).toEqual([["answers.yaml changed"], ["answers.yaml changed"]]);
});

test("where not every folder can be watched, edits are found all the same", async () => {
  edits.close();
  edits = await watchEdits({ cwd: world.dir, env: {} }, { mostFolders: 1 });
  expect(await noticed(() => replace(suite, query("One")))).toEqual([[`${suite} changed`]]);
});
