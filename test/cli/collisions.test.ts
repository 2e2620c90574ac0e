import { expect, test } from "vitest";
import { library, skill, useWorld } from "./route-world.ts";

const world = useWorld();

const suites = {
  "evals/order-status/triggers.yaml":
    "triggers:\n  - { query: Where is my order?, should_trigger: true }\n  - { query: I moved house so the delivery of my order has to go to another address, should_trigger: true }\n",
};

test("neighbours are a pair with a risk, what both say, and what to do", async () => {
  await world.files(library);
  const { code, out } = await world.proctor("collisions");
  expect(code).toBe(0);
  expect(out).toContain("predicted from the cards, no agent ran");
  expect(out).toMatch(/0\.\d\d {2}order-status × shipping-address {2}.*(?:order|parcel|delivery)/);
  expect(out).toMatch(/(?:Both mention|takes from|nearly the same)/);
  expect(out).not.toContain("gift-cards × ");
});

test("a skill that says nothing is hard to find", async () => {
  await world.files(library);
  expect((await world.proctor("collisions")).out).toMatch(/hard to find +faq: /);
});

test("prompts of the suites that go to a sibling come first, with their place", async () => {
  await world.files({ ...library, ...suites });
  const { out } = await world.proctor("collisions");
  expect(out).toMatch(/✗ order-status → shipping-address {2}takes 1.*\n +0\.\d\d → 0\.\d\d {2}"I moved house/);
  expect(out).toContain("order-status/triggers.yaml:3");
  expect(out.indexOf("From the suites")).toBeLessThan(out.indexOf("From the cards"));
});

test("what a sibling takes is what proctor run fails; where the right skill cannot be told, it only fires as well", async () => {
  const queries = [
    "Where is my order?",
    "I moved house so the delivery of my order has to go to another address",
    "Check the balance that is left on my gift card",
    "Change the address of my parcel, and when will it arrive?",
    "Change the address of my parcel, and when will it come?",
    "Change the address of my parcel, and why is it so slow?",
    "The order or parcel should be delivered to another address, or is it late?",
    "Redeem a voucher for the delivery of an order to a new street address",
    "Deliver my parcel to another address, and where is the order?",
  ];
  const rows = queries.map((query) => ({ query, should_trigger: true }));
  await world.files({
    ...library,
    "evals/order-status/triggers.json": JSON.stringify({ skill_name: "order-status", triggers: rows }),
  });
  const [found] = JSON.parse((await world.proctor("collisions", "--json")).out).libraries;
  const report = JSON.parse((await world.proctor("run", "--reporter", "json=-")).out);
  type Question = { prompt: string; verdict: string; fired: { skill: string }[] };
  const failed = report.targets[0].questions
    .filter(({ verdict }: Question) => verdict === "fail")
    .map(({ prompt }: Question) => prompt);
  const taken: { query: string; wins: boolean }[] = found.suites.taken;
  expect(failed.length).toBeGreaterThan(0);
  expect([...new Set(taken.filter(({ wins }) => wins).map(({ query }) => query))].sort()).toEqual([...failed].sort());
  const unsure = report.targets[0].questions.filter(({ verdict }: Question) => verdict === "unsure");
  expect(unsure.some(({ prompt }: Question) => taken.some(({ query, wins }) => query === prompt && !wins))).toBe(true);
});

test("json holds everything, versioned", async () => {
  await world.files({ ...library, ...suites });
  const json = JSON.parse((await world.proctor("collisions", "--json")).out);
  expect(json).toMatchObject({ version: 1, predicted: true });
  const [found] = json.libraries;
  expect(found.pairs[0]).toMatchObject({
    skills: ["order-status", "shipping-address"],
    risk: expect.any(Number),
    taken: [expect.any(Number), expect.any(Number)],
    phrases: expect.any(Array),
    advice: expect.any(String),
  });
  expect(found.vague.map((one: { skill: string }) => one.skill)).toContain("faq");
  expect(found.suites.positives).toBe(2);
  expect(found.suites.taken).toContainEqual(
    expect.objectContaining({
      expected: ["order-status"],
      by: "shipping-address",
      wins: true,
      file: "evals/order-status/triggers.yaml",
      line: 3,
    }),
  );
});

test("--skill shows what concerns one skill, and a wrong name the nearest right one", async () => {
  await world.files(library);
  const { out } = await world.proctor("collisions", "--skill", "order-status");
  expect(out).toContain("order-status × shipping-address");
  expect(out).not.toContain("hard to find");
  const { code, err } = await world.proctor("collisions", "--skill", "order-statu");
  expect(code).toBe(2);
  expect(err).toContain("Did you mean order-status?");
});

test("a skill that claims everything is too broad", async () => {
  const topics = [
    "invoices and payment terms",
    "warehouse pallets and forklifts",
    "salary slips and overtime",
    "office plants and watering",
  ];
  const own = topics.map((topic, at) => [
    `skills/s${at}/SKILL.md`,
    skill(`s${at}`, `Handles ${topic}. Use when somebody asks about ${topic}.`),
  ]);
  const all = skill(
    "everything",
    `Handles ${topics.join(", ")}. ${topics.map((topic) => `Use when somebody asks about ${topic}.`).join(" ")}`,
  );
  await world.files({ ...Object.fromEntries(own), "skills/everything/SKILL.md": all });
  const json = JSON.parse((await world.proctor("collisions", "--json")).out);
  expect(json.libraries[0].broad.map((one: { skill: string }) => one.skill)).toEqual(["everything"]);
});

test("of a large library the heat map shows the skills that collide most, and every line fits", async () => {
  const colours = ["red", "green", "blue", "black", "white", "brown", "amber", "ivory"];
  const things = ["chairs", "tables", "lamps", "shelves", "curtains"];
  const many = colours.flatMap((colour) =>
    things.map((thing) => [
      `skills/${colour}-${thing}/SKILL.md`,
      skill(`${colour}-${thing}`, `Restores ${colour} ${thing}. Use for ${colour} ${thing} and their parts.`),
    ]),
  );
  await world.files(Object.fromEntries(many));
  const { out } = await world.proctor("collisions");
  expect(out).toMatch(/the \d+ of 40 skills that collide most/);
  for (const line of out.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
});

test("skills that have nothing in common do not collide", async () => {
  await world.files({ "skills/gift-cards/SKILL.md": library["skills/gift-cards/SKILL.md"] });
  const { code, out } = await world.proctor("collisions");
  expect(code).toBe(0);
  expect(out).toContain("no collision found");
});

test("nothing to look at is a usage error", async () => {
  await world.files({ "notes.txt": "hello" });
  const { code, err } = await world.proctor("collisions");
  expect(code).toBe(2);
  expect(err).toContain("There is no skill");
});

test("what no model may activate loses no prompt to a sibling", async () => {
  const closed = "disable-model-invocation: true\n";
  const card = "Finds where an order or parcel is. Use when a customer asks where their order is.";
  await world.files({ ...library, ...suites, "skills/order-status/SKILL.md": skill("order-status", card, closed) });
  const json = JSON.parse((await world.proctor("collisions", "--json")).out);
  expect(json.libraries[0].suites).toEqual({ positives: 0, taken: [] });
});

test("what both cards are said to say stands on both, word for word", async () => {
  await world.files({
    "skills/store/SKILL.md": skill(
      "store",
      "Deploys a MongoDB server with backups and replicas. Use for deploying servers of MongoDB.",
    ),
    "skills/query/SKILL.md": skill(
      "query",
      "Writes MongoDB queries for a deployed server or its backup. Use for a slow MongoDB query.",
    ),
  });
  const json = JSON.parse((await world.proctor("collisions", "--json")).out);
  const [pair] = json.libraries[0].pairs;
  const cards = [
    "a mongodb server with backups and replicas. use for deploying servers of mongodb",
    "mongodb queries for a deployed server or its backup. use for a slow mongodb query",
  ];
  expect(pair.phrases.length).toBeGreaterThan(0);
  for (const phrase of pair.phrases) for (const card of cards) expect(card).toContain(phrase.toLowerCase());
  expect(pair.advice).not.toMatch(/keep it in one/i);
});

test("a prompt goes to a sibling where proctor run says that it is taken, and is counted once", async () => {
  const twice =
    "triggers:\n  - { query: I moved house so the delivery of my order has to go to another address, should_trigger: false, expect: order-status }\n";
  await world.files({ ...library, ...suites, "evals/shipping-address/triggers.yaml": twice });
  const { suites: found } = JSON.parse((await world.proctor("collisions", "--json")).out).libraries[0];
  const run = JSON.parse((await world.proctor("run", "--json")).out);
  const taken = run.targets[0].steals.reduce((sum: number, one: { prompts: number }) => sum + one.prompts, 0);
  expect([found.positives, found.taken.filter((one: { wins: boolean }) => one.wins).length]).toEqual([2, taken]);
});

test("what most cards say is advice about no two of them, and a word in common is no claim", async () => {
  const card = (name: string, text: string) => ({
    [`skills/${name}/SKILL.md`]: skill(name, `${text} Powered by the Hearth kitchen system, e.g. at home.`),
  });
  await world.files({
    "proctor.config.yaml": "{}\n",
    ...card("bread", "Bakes sourdough bread in a cast iron pot. Use when somebody wants to bake a loaf."),
    ...card("pizza", "Bakes pizza in a cast iron pan. Use when somebody wants to bake a pizza."),
    ...card("jam", "Cooks jam from berries. Use when somebody wants to keep fruit."),
    ...card("soup", "Cooks soup from leftovers. Use when somebody wants to keep vegetables."),
    ...card("salad", "Mixes salad dressings. Use when somebody asks for a vinaigrette."),
  });
  const [found] = JSON.parse((await world.proctor("collisions", "--json")).out).libraries;
  type Pair = { skills: string[]; phrases: string[]; advice: string };
  expect(found.common.map(({ phrase }: { phrase: string }) => phrase).join()).toContain("Hearth");
  for (const { phrases, advice } of found.pairs as Pair[]) {
    expect([...phrases, advice].join("\n")).not.toMatch(/hearth|e\.g/i);
    expect(advice).not.toMatch(/Both mention "\S+"/);
  }
  const breads = (found.pairs as Pair[]).find(({ skills }) => skills.includes("bread") && skills.includes("pizza"));
  expect(breads?.phrases).toContain("cast iron");
});
