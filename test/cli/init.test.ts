import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { library, skill, useWorld } from "./route-world.ts";

const world = useWorld();

interface Row {
  query: string;
  should_trigger: boolean;
  expect?: string;
  draft: boolean;
}

async function rowsOf(file: string): Promise<Row[]> {
  return parse(await readFile(join(world.folder, file), "utf8")).triggers;
}

test("writes a suite into the skill's folder and says where, what, and what to do", async () => {
  await world.files(library);
  const { code, out } = await world.proctor("init", "order-status");
  expect(code).toBe(0);
  expect(out).toContain("wrote skills/order-status/evals/triggers.yaml");
  expect(out).toMatch(/\d positives?: from the card of order-status/);
  expect(out).toMatch(/2 slots: what people say in words other than the card's/);
  expect(out).toMatch(/slots?: the same task, wrong domain/);
  const text = await readFile(join(world.folder, "skills/order-status/evals/triggers.yaml"), "utf8");
  expect(text).toMatch(/^# Drafted by `proctor init order-status`/);
});

test("the schema is named where it is there, for editors", async () => {
  await world.files({ ...library, "node_modules/proctor/schemas/triggers.schema.json": "{}" });
  const { out } = await world.proctor("init", "order-status", "--dry-run");
  expect(out).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/node_modules\/proctor\/schemas\/triggers\.schema\.json\n/,
  );
});

test.each(["order-status/", "skills/order-status/"])(
  "a folder as shells complete it is its skill: %s",
  async (name) => {
    await world.files(library);
    expect((await world.proctor("init", name, "--dry-run")).out).toContain("skill_name: order-status");
  },
);

test("every question is a draft; negatives name the sibling that should win; slots are not asked", async () => {
  await world.files(library);
  await world.proctor("init", "order-status");
  const rows = await rowsOf("skills/order-status/evals/triggers.yaml");
  expect(rows.every((row) => row.draft)).toBe(true);
  const negatives = rows.filter((row) => !row.should_trigger && !row.query.startsWith("To be written"));
  expect(negatives[0]!.expect).toBe("shipping-address");
  expect(negatives.every((row) => row.expect !== undefined && row.expect !== "order-status")).toBe(true);
  const slots = rows.filter((row) => row.query.startsWith("To be written"));
  const wrong = slots.filter((row) => row.expect === "none");
  expect(wrong.length).toBeGreaterThan(0);
  expect(slots.filter((row) => row.should_trigger)).toHaveLength(2);
  expect(slots).toHaveLength(wrong.length + 2);
});

test("check reports the drafts and finds nothing else to say about them", async () => {
  await world.files(library);
  await world.proctor("init", "order-status");
  const json = JSON.parse((await world.proctor("check", "skills/order-status/evals", "--format", "json")).out);
  const codes = json.problems.map((problem: { code: string }) => problem.code);
  expect(codes).toEqual(expect.arrayContaining(["suite/draft", "suite/placeholder"]));
  for (const code of [
    "suite/quotes-description",
    "suite/names-skill",
    "suite/invalid",
    "suite/unbalanced",
    "suite/contradiction",
    "suite/unknown-field",
  ])
    expect(codes).not.toContain(code);
});

test("siblings' own positives become the negatives, and lie where the library keeps its suites", async () => {
  await world.files({
    ...library,
    "evals/shipping-address/triggers.yaml":
      "triggers:\n  - { query: My parcel has to go to the neighbour, should_trigger: true }\n  - { query: Hello, should_trigger: false }\n",
  });
  const { out } = await world.proctor("init", "order-status");
  expect(out).toContain("wrote evals/order-status/triggers.yaml");
  const rows = await rowsOf("evals/order-status/triggers.yaml");
  expect(rows).toContainEqual(
    expect.objectContaining({
      query: "My parcel has to go to the neighbour",
      should_trigger: false,
      expect: "shipping-address",
    }),
  );
});

test("a file that is there is never replaced", async () => {
  await world.files({
    ...library,
    "skills/order-status/evals/triggers.json": '{"triggers":[{"query":"Where is it?","should_trigger":true}]}',
  });
  const { code, err } = await world.proctor("init", "order-status");
  expect(code).toBe(2);
  expect(err).toContain("skills/order-status/evals/triggers.json already exists; nothing was written");
  expect(existsSync(join(world.folder, "skills/order-status/evals/triggers.yaml"))).toBe(false);
});

test("--dry-run prints the suite and writes nothing", async () => {
  await world.files(library);
  const { out } = await world.proctor("init", "skills/order-status", "--dry-run");
  expect(parse(out).skill_name).toBe("order-status");
  expect(existsSync(join(world.folder, "skills/order-status/evals"))).toBe(false);
});

test("what a suite asks already is not asked again", async () => {
  await world.files(library);
  const first: Row[] = parse((await world.proctor("init", "order-status", "--dry-run")).out).triggers;
  const asked = first[0]!.query;
  await world.files({ "evals/order-status/more.json": JSON.stringify([{ query: asked, should_trigger: true }]) });
  const second: Row[] = parse((await world.proctor("init", "order-status", "--dry-run")).out).triggers;
  expect(second.map(({ query }) => query)).not.toContain(asked);
});

test("a skill that no model may activate, and one that does not exist, are refused with a reason", async () => {
  await world.files({
    ...library,
    "skills/hidden/SKILL.md": skill("hidden", "Cleans up.", "disable-model-invocation: true\n"),
  });
  const hidden = await world.proctor("init", "hidden");
  expect(hidden.code).toBe(2);
  expect(hidden.err).toContain("No model may activate hidden");
  const missing = await world.proctor("init", "gift-card");
  expect(missing.code).toBe(2);
  expect(missing.err).toContain("Did you mean gift-cards?");
});

test("a card with no phrase that makes a sentence gets slots instead of invented prompts, and they are no questions yet", async () => {
  await world.files({ "skills/thing/SKILL.md": skill("thing", "Thing.") });
  const { code, out } = await world.proctor("init", "thing");
  expect(code).toBe(0);
  expect(out).toContain(
    "0 positives: no phrase on the card makes a sentence that users would type; write two or three",
  );
  expect(out).toContain("2 slots: for them, in words other than the card's; not asked until you fill them in");
  expect(await rowsOf("skills/thing/evals/triggers.yaml")).toMatchObject(
    [1, 2].map(() => ({ query: expect.stringMatching(/^To be written/), should_trigger: true })),
  );
  expect((await world.proctor("init", "--all")).out).toContain("Every skill has a suite");
  expect((await world.proctor("run")).err).toContain(
    "1 skill, but no question. skills/thing/evals/triggers.yaml: 2 prompts of 2 are still placeholders",
  );
});

test("--all writes nothing where one of the files is there already", async () => {
  await world.files({
    ...library,
    "proctor.config.yaml": "{}\n",
    "skills/shipping-address/evals/triggers.yaml": "triggers: []\n",
  });
  const { code, err } = await world.proctor("init", "--all");
  expect(code).toBe(2);
  expect(err).toContain("skills/shipping-address/evals/triggers.yaml already exists; nothing was written");
  expect(existsSync(join(world.folder, "skills/order-status/evals/triggers.yaml"))).toBe(false);
});

test("--all drafts for every skill that has no suite, and a run of drafts alone is not green", async () => {
  await world.files({ ...library, "proctor.config.yaml": "{}\n" });
  const { code, out } = await world.proctor("init", "--all");
  expect(code).toBe(0);
  expect(out.match(/^wrote /gm)!.length).toBeGreaterThan(1);
  expect((await world.proctor("init", "--all")).out).toContain("Every skill has a suite");
  const run = await world.proctor("run");
  expect(run.code).toBe(3);
  expect(run.out.split("\n")[0]).toContain(": drafts, which prove nothing yet");
  expect(run.out).toMatch(/drafts? that nobody has edited/);
  expect((await world.proctor("init")).code).toBe(2);
});
