import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check } from "../../src/verbs/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha");
});
afterEach(() => world.remove());

async function passes(suite: string, content: string, reply: string): Promise<boolean | null | undefined> {
  world.write(suite, content);
  world.script({ default: { text: reply } });
  const { trials } = await world.sit({ cache: false });
  return trials[0]?.checks[0]?.passed;
}

describe.each([
  [
    "graders in YAML",
    "skills/alpha/evals/evals.yaml",
    (value: string) => `evals:\n  - prompt: p\n    graders: [{ type: contains, config: { value: ${value} } }]\n`,
  ],
  [
    "a list in YAML",
    "skills/alpha/evals/evals.yaml",
    (value: string) => `evals:\n  - prompt: p\n    graders: [{ type: contains_any, config: { value: [${value}] } }]\n`,
  ],
  [
    "assertions in YAML",
    "skills/alpha/evals/evals.yaml",
    (value: string) => `evals:\n  - prompt: p\n    assertions: [{ type: contains, value: ${value} }]\n`,
  ],
  [
    "an alias in YAML",
    "skills/alpha/evals/evals.yaml",
    (value: string) =>
      `version: &v ${value}\nevals:\n  - prompt: p\n    graders: [{ type: contains, config: { value: *v } }]\n`,
  ],
])("%s", (_what, file, suite) => {
  test.each([
    ["1.10", "1.1"],
    ["1.0", "1"],
    ["007", "7"],
    ["0x1F", "31"],
    ["1e3", "1000"],
    ["True", "true"],
  ])("a text that is written %s is looked for as it is written, not as %s", async (written, read) => {
    expect(await passes(file, suite(written), `It is ${written}.`)).toBe(true);
    expect(await passes(file, suite(written), `It is ${read}`)).toBe(false);
  });
});

test("so it is in JSON", async () => {
  const suite = '{"evals":[{"prompt":"p","graders":[{"type":"contains","config":{"value":1.10}}]}]}';
  expect(await passes("skills/alpha/evals/evals.json", suite, "1.10")).toBe(true);
  expect(await passes("skills/alpha/evals/evals.json", suite, "1.1 it is")).toBe(false);
});

describe("a json_schema that cannot be graded by", () => {
  test.each<[string, string, RegExp]>([
    ["is no schema", "{ type: strin }", /not a JSON Schema: .*type/],
    ["refers to nothing", '{ $ref: "#/$defs/missing" }', /not a JSON Schema: .*missing/],
    ["has a broken pattern", '{ type: string, pattern: "(" }', /not a JSON Schema: /],
    ["is in a file that is not there", "missing.json", /not a JSON Schema: .*missing\.json/],
    ["is in a file that is no JSON", "broken.json", /not a JSON Schema: /],
  ])("(%s) is found by check, and is not asked", async (_what, value, message) => {
    world.write("skills/alpha/evals/broken.json", "{ not json");
    world.write(
      "skills/alpha/evals/evals.yaml",
      `evals:\n  - prompt: p\n    graders: [{ type: json_schema, config: { value: ${value} } }]\n`,
    );
    const { problems } = await check({ cwd: world.dir, env: {} });
    expect(
      problems
        .filter(({ code, severity }) => code === "suite/grader" && severity === "error")
        .map((one) => one.message),
    ).toEqual([expect.stringMatching(message)]);
    world.script({ default: { text: "{}" } });
    const { trials, questions } = await world.sit({ keepGoing: true });
    expect(trials).toEqual([]);
    expect(questions[0]?.invalid).toMatch(message);
  });

  test("a good one, inline or in a file, is no problem", async () => {
    world.write("skills/alpha/evals/schema.json", {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
    });
    const graders =
      "[{ type: json_schema, config: { value: schema.json } }, { type: json_schema, config: { value: { type: object } } }]";
    world.write("skills/alpha/evals/evals.yaml", `evals:\n  - prompt: p\n    graders: ${graders}\n`);
    expect((await check({ cwd: world.dir, env: {} })).problems.filter(({ code }) => code === "suite/grader")).toEqual(
      [],
    );
  });
});
