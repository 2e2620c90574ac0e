import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { draftSuite, type SuiteDraft } from "../../../src/cards/index.ts";
import { checkSuites } from "../../../src/check/index.ts";
import { discover } from "../../../src/exam/find/index.ts";
import { readSuiteFile } from "../../../src/exam/read/index.ts";
import type { Skill } from "../../../src/model/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "proctor-draft-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A draft for the first of these skills, whose clauses are given as a router would cut them. */
async function draft(skills: { name: string; clauses: string[] }[]): Promise<SuiteDraft & { skills: Skill[] }> {
  for (const { name, clauses } of skills) {
    await mkdir(join(folder, "skills", name), { recursive: true });
    await writeFile(
      join(folder, "skills", name, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${JSON.stringify(clauses.join(" "))}\n---\nBody\n`,
    );
  }
  const { libraries } = await discover({ cwd: folder, root: folder });
  const library = libraries[0]!;
  const skill = library.skills.find(({ name }) => name === skills[0]!.name)!;
  const purposes = ({ name }: Skill) => skills.find((one) => one.name === name)!.clauses;
  const siblings = library.skills.filter((one) => one !== skill);
  return {
    ...draftSuite({ library, skill, suites: [], siblings, purposes, closeness: () => 0 }),
    skills: library.skills,
  };
}

test.each([
  ["Creates charts from a spreadsheet.", "Please make charts from a spreadsheet"],
  ["Use when a customer asks where their order is.", "Tell me where my order is"],
  ["Use when the user wants to merge two PDF files.", "Please put together two PDF files"],
  ["Use when a customer moved house.", "I moved house. What now?"],
  ["Use when reviewing pull requests.", "Help me with reviewing pull requests"],
  ['Use when the user says "make me a sandwich".', "Please make me a sandwich"],
  ['Use when the user asks "why is my build red?"', "Quick question: why is my build red?"],
  ["Applies brand colours.", "Please apply brand colours"],
  ["Diagnoses sick houseplants and gives watering advice.", "Please find out what is wrong with sick houseplants"],
  ["Scales recipes up or down and converts units between cups and grams.", "Please scale recipes up or down"],
  [
    "Sorts receipts into an expense report and flags what policy does not cover.",
    "Please sort receipts into an expense report",
  ],
  ["Compares prices and terms of suppliers.", "Please compare prices and terms of suppliers"],
  ["Use when a customer asks where their cake, loaf or pie is.", "Tell me where my cake is"],
  ["Use when the user asks whether they should knead twice.", "Tell me whether I should knead twice"],
  ["Use when the user asks what are our options.", "Quick question: what are our options?"],
  ['Use when the user says "did the dough rise"', "Quick question: did the dough rise?"],
  ["Use when the user wants to understand this recipe.", "I need to understand this recipe"],
  ["Use when the user wants to debug oven failures.", "Please sort out oven failures"],
  ["Use when the user wants to generate ideas for a menu.", "Please come up with ideas for a menu"],
])("%s becomes: %s", async (clause, query) => {
  const { positives } = await draft([{ name: "thing", clauses: [clause] }]);
  expect(positives[0]!.query).toBe(query);
});

test.each([
  ["Use when the user wants to test web apps.", "Please test web apps"],
  ["Tests web apps in a browser.", "Please test web apps in a browser"],
])("a word that is a noun, too, is a verb where the card has it as one: %s", async (clause, query) => {
  const { positives } = await draft([{ name: "thing", clauses: [clause] }]);
  expect(positives[0]!.query).toBe(query);
});

test.each([
  "Covers call monitoring.",
  "Covers pull request etiquette.",
  "Use when a developer distributed systems.",
  "Use when developers undefined behavior, data races.",
  "Runs a safe, fast migration.",
  "Create and manages annotation queues.",
  "Produces turns settled thinking into a draft.",
  "Use for kitchen waste, such as lemon peel.",
  "Use when builds are slower than they should be.",
  "Use for marketing email copy.",
  "Use for facing independent tasks that can be worked on at once.",
  "Helps customers with questions.",
  'Use when the user says "bake cake" or "order oven".',
  'Use when the user says "which flour", "bread vs cake" or "fix up".',
  'Use when the user says "is X better than Y?" or "bake X".',
  "Use when a baker reserved ovens, or staged delivery.",
  "Use for push notifications, alert fatigue, build errors or go conventions.",
  "Use for breaking changes, landing pages or loading state.",
  "Use when proofing takes hours.",
  "Use for: connect timer never rings, find oven fails at night.",
  "Use when a baker matched A/B loaves.",
  "Writes a warm, personal letter.",
  "Prepares menus for Easter, Christmas and New Year.",
  "Transforms leftovers, scraps and peel into stock.",
  "Bring your own oven to the fair.",
  "Use when the user asks how should I knead.",
  'Use when the user wants to bake a "sourdough loaf, or rolls.',
  "Use when the user wants to send the bill to oven.",
  "Run a unified two-stage baking workflow.",
  "Runs a measured proofing loop for sourdough and rye.",
  "Writes bakery-grade recipes for rye bread.",
  "Use when starting any dough.",
  'Use when the user asks to "add a Knead/Proof/Bake timer".',
  "Use when the user wants to override a same-oven setting.",
])("what would be no sentence, or nobody's, is left out: %s", async (clause) => {
  const { positives, text } = await draft([{ name: "thing", clauses: [clause] }]);
  expect(positives).toEqual([]);
  expect(text.match(/To be written/g)).toHaveLength(2);
});

test("what somebody has to know is not an order", async () => {
  const { positives } = await draft([{ name: "thing", clauses: ["Use when the user wants to what gear I need."] }]);
  expect(positives.map(({ query }) => query).join()).not.toMatch(/(?:Please|Can you|to) what/);
});

test("what the skill does on the way is no prompt: only its first sentence, and what it is used for", async () => {
  const clauses = [
    "Plans menus for a week.",
    "Keeps a log of every meal.",
    "Use when the user wants to cook for guests.",
  ];
  const { positives } = await draft([{ name: "thing", clauses }]);
  expect(positives.map(({ query }) => query)).not.toContainEqual(expect.stringContaining("log"));
  expect(positives[0]!.query).toBe("Please plan menus for a week");
});

test("three at most, each for another task and in another form, and what is left is named in the slots", async () => {
  const { positives, text } = await draft([
    {
      name: "labels",
      clauses: [
        "Use when a customer wants to return something, asks for a return label, lost the old one, or has to send back a lamp.",
        "Draws a map.",
      ],
    },
  ]);
  expect(positives.map(({ query }) => query)).toEqual([
    "Please return something",
    "What do I do now that I lost the old one?",
    "I need to send back a lamp",
  ]);
  expect(text).toMatch(/# about: a return label\n {2}- query: "?To be written: .*without the words/);
});

test("what stands in the description, or names the skill, is never a prompt", async () => {
  const { positives } = await draft([
    {
      name: "pdf-merge",
      clauses: ["Use when the user wants to run pdf-merge on files.", "Please create one file from many."],
    },
  ]);
  expect(positives.map(({ query }) => query).join("\n")).not.toContain("pdf-merge");
  expect(positives.map(({ query }) => query)).not.toContain("Please create one file from many");
});

test("negatives come from the siblings' cards where they have no suite", async () => {
  const { negatives } = await draft([
    { name: "charts", clauses: ["Creates charts from a spreadsheet."] },
    { name: "maps", clauses: ["Creates maps of a city."] },
  ]);
  expect(negatives[0]).toEqual({ query: "Please make maps of a city", expect: "maps", source: "card" });
});

test("whatever a card says, the draft is a suite that is read back whole, all of it drafts", async () => {
  const clause = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.lorem({ maxCount: 12 }).map((text) => `Use when a user wants to ${text}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(clause, { maxLength: 5 }), async (clauses) => {
      const { text, file, positives, negatives, slots, skills } = await draft([
        { name: "charts", clauses },
        { name: "maps", clauses: [...clauses, "Creates maps of a city."] },
      ]);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const library = (await discover({ cwd: folder, root: folder })).libraries[0]!;
      const suite = await readSuiteFile(file, library);
      await rm(dirname(file), { recursive: true });
      expect(skills).toHaveLength(2);
      expect(suite!.triggers).toHaveLength(positives.length + negatives.length);
      expect(parse(text).triggers).toHaveLength(suite!.triggers.length + slots.length + 2);
      expect(suite!.triggers.every((trigger) => trigger.draft)).toBe(true);
      const problems = checkSuites({ suites: [suite!], library }).filter(({ severity }) => severity === "error");
      expect(problems).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
