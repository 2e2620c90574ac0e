import { chmodSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createColors } from "picocolors";
import { expect, test, vi } from "vitest";
import { type RenderOptions, routeText } from "../../src/reporters/index.ts";
import { route } from "../../src/verbs/index.ts";
import { library, skill, useWorld } from "./route-world.ts";

const world = useWorld();

test("says who gets a query, by how much, in which words and why, and that it is a prediction", async () => {
  await world.files(library);
  const { code, out } = await world.proctor("route", "Check the balance that is left on my gift card");
  expect(code).toBe(0);
  expect(out).toContain("predicted from the cards, no agent ran");
  expect(out).toMatch(/gift-cards fires \(0\.\d\d\)/);
  expect(out).toMatch(/✓ gift-cards +█+│█*░* +0\.\d\d +fires +words: .*gift/);
  expect(out).toMatch(/\n {4}(?:clause|name) +\S/);
  expect(out).toMatch(/│ marks the score needed to fire: 0\.\d\d/);
});

test("two that fire are named together, with the margin and where to look", async () => {
  await world.files(library);
  const { out } = await world.proctor("route", "The order or parcel should be delivered to another address");
  expect(out).toMatch(/(?:both fire|fires \(0\.\d\d\), 0\.\d\d ahead of)/);
  expect(out).toMatch(/next: (?:proctor collisions --skill|a real agent)/);
});

test("where no skill fires it says what is missing and which words are on no card", async () => {
  await world.files(library);
  const { code, out } = await world.proctor("route", "Is the rain jacket waterproof?");
  expect(code).toBe(0);
  expect(out).toContain("Cannot tell");
  expect(out).toContain("words on no card: rain, jacket, waterproof");
});

test("a score that would be enough, but rests on one word, is told as that and not as a negative shortfall", async () => {
  const shop = join(import.meta.dirname, "../../examples/shop");
  const { out } = await world.proctor("route", "where is my parcel", shop);
  expect(out.replace(/\s+/g, " ")).toMatch(
    /The best match, order-status, has 0\.\d\d, but rests on one word of the query\./,
  );
  expect(out).toContain("(one is too few)");
  expect(out).not.toMatch(/-0\.\d\d/);
});

test("what a card excludes is quoted, also where the skill is silent and not the best match", async () => {
  await world.files(library);
  const { out } = await world.proctor("route", "I moved house, change the delivery address of my order");
  expect(out).toMatch(/✓ shipping-address/);
  expect(out).toMatch(/· order-status .*\n +not for +"Not for changing the delivery address of an order\."/);
});

test("where a skill fires, json does not say that nobody can be told, however narrow its win", async () => {
  await world.files(library);
  const [found] = JSON.parse((await world.proctor("route", "moved to a new street last week", "--json")).out).libraries;
  expect(found.fires).toEqual(["shipping-address"]);
  expect(found.cannot_tell).toBeNull();
});

test("json is versioned, labelled as predicted and has the whole explanation", async () => {
  await world.files(library);
  const query = "Where is my order, and why is the delivery late?";
  const json = JSON.parse((await world.proctor("route", query, "--json", "--top", "2")).out);
  expect(json).toMatchObject({
    version: 1,
    query,
    target: "embedded",
    predicted: true,
    note: expect.stringContaining("no agent ran"),
  });
  const [found] = json.libraries;
  expect(found.library).toMatchObject({ skills: 4, fingerprint: expect.any(String) });
  expect(found.needs).toBeGreaterThan(found.silent_below);
  expect(found.cannot_tell).toBeNull();
  expect(found.fires).toContain("order-status");
  expect(found.ranking.length).toBeLessThanOrEqual(2);
  expect(found.ranking[0]).toMatchObject({
    skill: "order-status",
    verdict: "fires",
    words: expect.any(Array),
    margin: expect.any(Number),
  });
});

test("embedded:keywords answers too", async () => {
  await world.files(library);
  const { out } = await world.proctor("route", "check my gift card balance", "-t", "embedded:keywords");
  expect(out).toContain("waza's keyword overlap");
  expect(out).toMatch(/gift-cards/);
});

test("any other target is asked once, and what it did is told in the same shape", async () => {
  const answers = {
    "answers.yaml": [
      "cost_per_trial: 0.02",
      "answers:",
      "  - query: Where is my parcel?",
      "    skills: [{ skill: order-status, evidence: loaded, turn: 2 }]",
      "  - query: Break down",
      "    error: { reason: rate_limit }",
      "default: { skills: [] }",
    ].join("\n"),
  };
  await world.files({ ...library, ...answers });
  const { code, out, err } = await world.proctor("route", "Where is my parcel?", "-t", "script:answers.yaml");
  expect([code, err]).toEqual([0, "Asking script:answers.yaml …\n"]);
  expect(out).toContain("order-status fires.\n✓ order-status  loaded, turn 2\n");
  expect(out).toMatch(/1 trial, \d+\.\d s, \$0\.02\. One answer is not a rate/);
  expect(out).toContain("proctor run -t script:answers.yaml");
  const json = JSON.parse(
    (await world.proctor("route", "Where is my parcel?", "-t", "script:answers.yaml", "--json")).out,
  );
  expect(json).toMatchObject({ version: 1, target: "script:answers.yaml", predicted: false });
  expect(json.libraries).toMatchObject([
    {
      library: { skills: 4 },
      fires: ["order-status"],
      activations: [{ skill: "order-status", turn: 2, evidence: "loaded" }],
      error: null,
      cost_usd: 0.02,
    },
  ]);
  expect((await world.proctor("route", "Tell me a joke", "-t", "script:answers.yaml")).out).toContain(
    "No skill fires.",
  );

  const broken = await world.proctor("route", "Break down", "-t", "script:answers.yaml");
  expect(broken.code).toBe(3);
  expect(broken.out).toContain("No answer: ");
  const document = JSON.parse((await world.proctor("route", "Break down", "-t", "script:answers.yaml", "--json")).out);
  expect(document.libraries[0]).toMatchObject({ fires: null, error: { reason: "rate_limit" } });
});

test("a target that lacks its key says so before anything is asked, and an unknown one is named", async () => {
  await world.files(library);
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  const keyless = await world.proctor("route", "anything", "-t", "router:anthropic/claude-haiku-4-5");
  vi.unstubAllEnvs();
  expect([keyless.code, keyless.err]).toEqual([2, expect.stringContaining("ANTHROPIC_API_KEY")]);
  const unknown = await world.proctor("route", "anything", "-t", "nobody");
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("There is no target `nobody`")]);
});

test("an agent gets the skills without their exam", async () => {
  const cli = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("1.2.3"); process.exit(0); }
const exam = fs.readdirSync(".skills", { recursive: true }).some((name) => String(name).includes("triggers"));
console.log(JSON.stringify({ skill: exam ? "faq" : "gift-cards" }));
console.log(JSON.stringify({ end: true }));
`;
  const agent = `import { defineAgent } from "proctor";
export default defineAgent({
  name: "fake", command: ${JSON.stringify(join(world.folder, "fake-agent"))}, skillsDir: ".skills", readOnly: true,
  launch: (trial) => ({ args: [], env: {}, stdin: trial.prompt }),
  events: (line) => line.end ? [{ type: "end" }] : [{ type: "call", id: "1", tool: "skill", skill: line.skill }, { type: "result", id: "1", ok: true }],
});`;
  const suite = "triggers:\n  - query: my gift card\n    should_trigger: true\n";
  const config = "targets:\n  - target: agent:fake.mjs\n    options: { canary: false }\n";
  await world.files({
    ...library,
    "proctor.config.yaml": config,
    "fake-agent": cli,
    "fake.mjs": agent,
    "skills/gift-cards/evals/triggers.yaml": suite,
  });
  chmodSync(join(world.folder, "fake-agent"), 0o755);
  const { out } = await world.proctor("route", "my gift card", "-t", "agent:fake.mjs");
  expect(out).toContain("✓ gift-cards  loaded, turn 1");
});

test("- reads the query from standard input", async () => {
  await world.files(library);
  const stdin = vi
    .spyOn(process, "stdin", "get")
    .mockReturnValue(Readable.from(["redeem my ", "gift card"]) as unknown as typeof process.stdin);
  try {
    expect(JSON.parse((await world.proctor("route", "-", "--json")).out).query).toBe("redeem my gift card");
  } finally {
    stdin.mockRestore();
  }
});

test.each([
  ["emoji only", "🎉🎉🎉", "no word of this query says what it is about"],
  ["small talk only", "can you help me please", "Cannot tell: no word of this query says what it is about"],
  ["a megabyte", `where is my parcel ${"lorem ipsum ".repeat(85_000)}`, "order-status"],
])("a query of %s gets an answer", async (_, query, answer) => {
  await world.files(library);
  const { code, out } = await world.proctor("route", query);
  expect(code).toBe(0);
  expect(out).toContain(answer);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThan(200);
});

test.each([
  [["route", "   "], "The query is empty."],
  [["route", "hello", "empty"], "There is no skill in empty."],
  [["route", "hello", "nowhere"], "nowhere"],
  [["route", "hello", "--top", "0"], "whole number"],
  [["route", "hello", "-t", "embedded:psychic"], "embedded:keywords"],
])("%j cannot be done: 2, and the way out", async (words, message) => {
  await world.files({ "empty/note.txt": "no skill", "skills/faq/SKILL.md": library["skills/faq/SKILL.md"] });
  if (words.includes("empty")) await world.files({ "empty/proctor.config.yaml": "{}" });
  const { code, err, out } = await world.proctor(...words);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(out).toBe("");
});

test("control characters of queries and cards never reach the terminal", async () => {
  await world.files({
    "skills/evil/SKILL.md": skill("evil", "Paints \u001b[31mparcels\u001b[0m red. Use when parcels are to be painted."),
  });
  const { out } = await world.proctor("route", "paint the parcels \u001b[2Jred\u202e");
  expect(out).toContain("evil");
  expect(out).not.toMatch(/[\u001b\u202e]/);
});

test("each library of the configuration answers for itself", async () => {
  await world.files({
    "proctor.config.yaml": "libraries:\n  shop: shop/**\n  bank: bank/**\n",
    "shop/gift-cards/SKILL.md": library["skills/gift-cards/SKILL.md"],
    "bank/accounts/SKILL.md": skill("accounts", "Opens bank accounts. Use when a customer wants a bank account."),
  });
  const both = JSON.parse((await world.proctor("route", "open a bank account", "--json")).out);
  expect(both.libraries.map((one: { library: { name: string } }) => one.library.name)).toEqual(["shop", "bank"]);
  const one = JSON.parse((await world.proctor("route", "open a bank account", "bank", "--json")).out);
  expect(one.libraries).toHaveLength(1);
});

test("a long prompt is read from both ends, and no word of it is cut in two", async () => {
  await world.files(library);
  const { out } = await world.proctor("route", "wheelbarrow ".repeat(2_000), "--json");
  expect(JSON.parse(out).libraries[0].unknown_words).toEqual(["wheelbarrow"]);
});

test("the commands that are offered name the same library", async () => {
  await world.files(library);
  const routed = await route({ query: "check my gift card balance", paths: ["skills"] });
  const next = (better: RenderOptions["better"]) =>
    routeText(routed, { colors: createColors(false), width: 120, better })
      .replace(/\s+/g, " ")
      .replace(/^.* next: /, "")
      .trim();
  const key = { target: "router:anthropic/claude-haiku-4-5", flags: [], what: "", costUsd: 0.01 };
  expect(next(key)).toBe('proctor route "check my gift card balance" skills -t router:anthropic/claude-haiku-4-5');
  expect(next({ ...key, target: "router:cli/claude", flags: ["--use-login"] })).toMatch(
    / skills -t router:cli\/claude --use-login$/,
  );
  expect(next("nobody")).toBe("to ask a model or an agent, install Ollama (free) or an agent CLI: see proctor doctor");
  expect((await world.proctor("route", "check my gift card balance", "skills")).out).not.toContain("claude:haiku");
  expect((await world.proctor("collisions", "skills")).out).toMatch(/^next: proctor (?:init|run|route) .*skills/m);
});

test.each([
  [
    "another language than the cards",
    "Wo ist meine Bestellung, und wann kommt das Paket bei mir an?",
    "language",
    "not in the language of the cards",
  ],
  ["words that no card has", "zebra crossing umbrella", "nobody", "this query shares no telling word with any card"],
])("it says which kind of not knowing it is: %s", async (_, query, kind, words) => {
  await world.files(library);
  expect((await world.proctor("route", query)).out.replace(/\s+/g, " ")).toContain(words);
  const [found] = JSON.parse((await world.proctor("route", query, "--json")).out).libraries;
  expect(found).toMatchObject({ cannot_tell: kind, fires: [] });
});
