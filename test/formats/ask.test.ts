import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectation, isPositive, makeAsk } from "../../src/formats/index.ts";
import { folderOf, readFolder } from "./library.ts";

describe("what a suite says becomes one grader's configuration", () => {
  const base = { also_fine: [], mode: "any_order" };
  test.each<[string, Parameters<typeof expectation>[0], object]>([
    [
      "should trigger",
      { skill: "s", shouldTrigger: true },
      { required_skills: ["s"], forbidden_skills: [], allow_extra: true },
    ],
    [
      "should not trigger",
      { skill: "s", shouldTrigger: false },
      { required_skills: [], forbidden_skills: ["s"], allow_extra: true },
    ],
    [
      "another one should",
      { skill: "s", shouldTrigger: false, expect: ["x"] },
      { required_skills: ["x"], forbidden_skills: ["s"], allow_extra: true },
    ],
    [
      "several should",
      { expect: ["x", "y"] },
      { required_skills: ["x", "y"], forbidden_skills: [], allow_extra: true },
    ],
    [
      "only this one",
      { skill: "s", shouldTrigger: true, exclusive: true },
      { required_skills: ["s"], forbidden_skills: [], allow_extra: false },
    ],
    [
      "nobody should",
      { skill: "s", nobody: "stated" },
      { required_skills: [], forbidden_skills: [], allow_extra: false },
    ],
    [
      "it should not, and is the expected one",
      { skill: "s", shouldTrigger: false, expect: ["s"] },
      { required_skills: [], forbidden_skills: ["s"], allow_extra: true },
    ],
    [
      "this or that",
      { expect: ["x"], alsoFine: ["y"] },
      { required_skills: ["x"], forbidden_skills: [], also_fine: ["y"], allow_extra: true },
    ],
    [
      "it should not, but would do no harm",
      { skill: "s", shouldTrigger: false, alsoFine: ["s"] },
      { required_skills: [], forbidden_skills: [], also_fine: ["s"], allow_extra: true },
    ],
    [
      "another one should, and it would do no harm",
      { skill: "s", shouldTrigger: false, expect: ["x"], alsoFine: ["s"] },
      { required_skills: ["x"], forbidden_skills: [], also_fine: ["s"], allow_extra: true },
    ],
  ])("%s", (_, said, config) => {
    expect(expectation(said)).toEqual({ ...base, ...config });
  });
});

test("a positive of one skill that is a negative of another is one ask", async () => {
  const root = folderOf({
    "evals/order-status/triggers.json": '{ "triggers": [{ "query": "Where?", "should_trigger": true }] }',
    "evals/gift-wrap/triggers.json": '{ "triggers": [{ "query": "Where?", "should_trigger": false }] }',
  });
  const { library, suites } = await readFolder(root);
  const [a, b] = suites.flatMap((suite) => suite.triggers);
  expect([isPositive(a!), isPositive(b!)]).toEqual([false, true]);
  expect(makeAsk(a!, library)).toEqual(makeAsk(b!, library));
  expect(makeAsk.about(makeAsk(a!, library), "gift-wrap").key).not.toBe(makeAsk(a!, library).key);
});

test("an ask is its prompt, files, conversation and limits, and not the library", async () => {
  const root = folderOf({
    "evals/order-status/triggers.json":
      '{ "triggers": [{ "query": "Where?", "should_trigger": true, "files": ["files/a.txt"] }] }',
    "evals/order-status/files/a.txt": "one",
  });
  const { library, suites } = await readFolder(root);
  const [question] = suites[0]!.triggers;
  const key = () => makeAsk(question!, library).key;
  const before = key();
  expect(makeAsk(question!, { ...library, fingerprint: "other" }).key).toBe(before);
  expect(makeAsk({ ...question!, messages: [{ role: "user", content: "Hi" }] }, library).key).not.toBe(before);
  expect(makeAsk({ ...question!, limits: { maxTurns: 1 } }, library).key).not.toBe(before);
  expect(makeAsk({ ...question!, tags: ["t"], id: "other" }, library).key).toBe(before);
  writeFileSync(join(root, "evals/order-status/files/a.txt"), "two");
  expect(key()).not.toBe(before);
});
