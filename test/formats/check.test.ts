import { describe, expect, test } from "vitest";
import type { Problem } from "../../src/base/index.ts";
import { checkSuites } from "../../src/check/index.ts";
import { expectation, resolveExpect } from "../../src/formats/index.ts";
import { folderOf, readFolder } from "./library.ts";

async function problemsOf(files: Record<string, string | object>, skills?: string[]): Promise<Problem[]> {
  const texts = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, typeof text === "string" ? text : JSON.stringify(text)]),
  );
  const { library, suites, problems } = await readFolder(folderOf(texts, skills));
  return [...problems, ...checkSuites({ library, suites })];
}

async function codes(files: Record<string, string | object>, skills?: string[]): Promise<string[]> {
  const problems = await problemsOf(files, skills);
  return problems.map(({ code, severity, message }) => `${severity} ${code}: ${message}`);
}

const skill = (name: string, description: string, more = "") =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nBody.\n`;
const yes = (query: string) => ({ query, should_trigger: true });
const no = (query: string) => ({ query, should_trigger: false });
const triggers = (...list: object[]) => ({ "evals/order-status/triggers.json": { triggers: list } });

const good = [
  yes("Where is my parcel?"),
  yes("Track order 17 for me"),
  yes("Review this tracking page, is it right?"),
  yes("My package has not come"),
  no("Can I return these shoes under the refund policy?"),
  no("Where is my parcel of land on the map?"),
  no("Track the sun for me"),
  no("Write a poem"),
];

test("a good suite has no problem", async () => {
  expect(await codes(triggers(...good))).toEqual([]);
});

describe("names", () => {
  test("a name that is nearly right is an error with the right one", async () => {
    const rows = [
      { query: "a b c", expect: "refund-polcy" },
      { query: "d e f", expect: "refund-polcy" },
    ];
    expect(await codes({ "evals/triggers.json": { triggers: rows } })).toEqual([
      'error suite/unknown-skill: There is no skill "refund-polcy" in the library. 2 questions are not asked.',
    ]);
  });
  test("a name like no other is stale", async () => {
    expect(await codes({ "evals/triggers.json": { triggers: [{ query: "a b c", expect: "translation" }] } })).toEqual([
      'warning suite/unknown-skill: There is no skill "translation" in the library. This question is not asked.',
    ]);
  });
  test("a name of two skills needs its plugin", async () => {
    const skills = ["plugins/mail/skills/access", "plugins/chat/skills/access"];
    expect(
      await codes({ "evals/triggers.json": { triggers: [{ query: "a b c", expect: "access" }] } }, skills),
    ).toEqual(['error suite/ambiguous-skill: "access" can be chat:access or mail:access. This question is not asked.']);
  });
  test("an expectation with such names cannot be resolved", async () => {
    const { library } = await readFolder(folderOf({}));
    expect(resolveExpect(expectation({ expect: ["order-status"], forbidden: ["/gift-wrap"] }), library)).toMatchObject({
      required_skills: ["order-status"],
      forbidden_skills: ["gift-wrap"],
    });
    expect(resolveExpect(expectation({ expect: ["order-stats"] }), library)).toEqual({
      invalid: 'no skill "order-stats" in the library; did you mean order-status?',
    });
  });
});

describe("repeats", () => {
  test("the same question twice", async () => {
    expect(await codes(triggers(...good, yes("where is my PARCEL")))).toEqual([
      "warning suite/duplicate: evals/order-status/triggers.json:1 asks the same question and expects the same.",
    ]);
  });
  test("the opposite in another file", async () => {
    const files = {
      ...triggers(...good),
      "evals/z.json": [{ prompt: "Where is my parcel?", skill: "order-status", should_trigger: false }],
    };
    expect(await codes(files)).toEqual([
      expect.stringMatching(
        /^error suite\/contradiction: evals\/order-status\/triggers.json:1 asks the same question and expects the opposite of order-status/,
      ),
    ]);
  });
  test("a positive of one skill may be a negative of another", async () => {
    const files = {
      ...triggers(...good),
      "evals/z.json": [{ prompt: "Where is my parcel?", skill: "gift-wrap", should_trigger: false }],
    };
    expect(await codes(files)).toEqual([]);
  });
  test("other files make another question", async () => {
    const list = [...good, { ...no("Where is my parcel?"), files: [{ path: "a.txt", content: "x" }] }];
    expect(await codes(triggers(...list))).toEqual([]);
  });
});

describe("balance", () => {
  test("positives alone", async () => {
    expect(await codes(triggers(...good.slice(0, 4)))).toEqual([
      "warning suite/unbalanced: 4 positives and no negative: a skill that fires on everything would score 100 %.",
    ]);
  });
  test("hardly a positive", async () => {
    expect((await codes(triggers(good[0]!, ...good.slice(4), no("Track a wolf"), no("Where is Rome?"))))[0]).toBe(
      "warning suite/unbalanced: 1 positive and 6 negatives: a skill that never fires would score 86 %.",
    );
  });
  test("a suite of the whole library without a negative", async () => {
    const rows = ["a b", "c d", "e f", "g h", "i j", "k l"].map((query, index) => ({
      query,
      expected_skill: index % 2 === 0 ? "order-status" : "gift-wrap",
    }));
    expect(await codes({ "evals/routing.json": rows })).toEqual([
      "info suite/unbalanced: 6 positives and no negative: a library that loads everything would score 100 %.",
    ]);
  });
  test("no negative belongs to a sibling", async () => {
    const list = [...good.slice(0, 4), no("Write a poem for me"), no("Track the sun for me"), no("Where is Rome?")];
    expect(await codes(triggers(...list))).toEqual([
      "warning suite/no-sibling-negatives: None of the 3 negatives is labelled as a sibling's or sounds like one. Mistakes happen between neighbours.",
    ]);
  });
  test("which is asked of no library with a single skill", async () => {
    const list = [...good.slice(0, 4), no("Write a poem for me"), no("Track the sun for me"), no("Where is Rome?")];
    const found = await codes(
      {
        "skills/order-status/SKILL.md": skill("order-status", "Finds parcels and says where they are."),
        ...triggers(...list),
      },
      [],
    );
    expect(found.filter((one) => one.includes("sibling"))).toEqual([]);
  });
  test("no negative is a positive in another domain", async () => {
    const list = [...good.slice(0, 5), no("Write a poem"), no("Cook rice"), no("Sing")];
    expect(await codes(triggers(...list))).toEqual([expect.stringMatching(/^info suite\/no-wrong-domain/)]);
  });
  test("positives of one form", async () => {
    const orders = [
      "Track order 17",
      "Find my parcel",
      "Locate the box",
      "Trace shipment 9",
      "Show my orders",
      "Get the latest status",
    ].map(yes);
    expect(await codes(triggers(...orders, ...good.slice(4)))).toEqual([
      "info suite/one-form: All 6 positives are instructions.",
    ]);
  });
});

describe("queries", () => {
  test("that repeat the description, name the skill or are commands", async () => {
    const files = {
      "skills/order-status/SKILL.md": skill(
        "order-status",
        "Says where a parcel is right now and when it will arrive.",
      ),
      ...triggers(
        ...good,
        yes("says where a parcel is"),
        yes("Use order-status on 17"),
        yes("/order-status 17"),
        yes("$order-status 18"),
      ),
    };
    expect((await codes(files)).sort()).toEqual([
      "info suite/command: 2 of 8 positives are commands that start with / or $: the host runs them no matter what the description says.",
      "warning suite/names-skill: This positive names the skill, so it does not test whether the model finds the description.",
      "warning suite/quotes-description: This positive repeats the description word for word: a match proves nothing.",
    ]);
  });
  test("for a skill that no model may activate", async () => {
    const files = {
      "skills/order-status/SKILL.md": skill("order-status", "Where parcels are.", "disable-model-invocation: true\n"),
      ...triggers(...good),
    };
    expect(await codes(files)).toEqual([
      "warning suite/not-triggerable: 4 of 4 positives can never pass: order-status may not be activated by the model (disable-model-invocation or similar).",
    ]);
  });
  test("that are drafts", async () => {
    expect(await codes(triggers(...good, { ...no("Where is my cat?"), draft: true }))).toEqual([
      "warning suite/draft: This question is a draft that nobody has reviewed.",
    ]);
  });
});

describe("graders", () => {
  const task = (...graders: object[]) => ({
    "evals/order/eval.yaml": "name: n\nskill: order-status\nconfig: {}\ntasks: [tasks/*.yaml]\n",
    "evals/order/tasks/a.yaml": JSON.stringify({ id: "a", inputs: { prompt: "Do it" }, graders }),
  });
  const invocation = (config: object) => ({ type: "skill_invocation", config });
  test.each<[string, object, RegExp]>([
    ["nothing to check", {}, /^error suite\/grader/],
    ["a mode is missing", { required_skills: ["order-status"] }, /^error suite\/grader: mode/],
    [
      "a skill in both lists",
      { required_skills: ["order-status"], forbidden_skills: ["order-status"], mode: "any_order" },
      /^error suite\/grader/,
    ],
    [
      "a typo in forbidden_skills",
      { forbidden_skills: ["order-statu"] },
      /^error suite\/unknown-skill: There is no skill "order-statu"/,
    ],
  ])("of a trigger: %s", async (_, config, message) => {
    expect((await codes(task(invocation(config))))[0]).toMatch(message);
  });
  test("of a case", async () => {
    const found = await codes(
      task(
        invocation({ required_skills: ["order-status"] }),
        { type: "behavior", config: { forbidden_tools: ["skill"] } },
        { type: "oracle", config: {} },
      ),
    );
    expect(found.map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining(["error suite/grader", "warning suite/forbidden-tools-skill", "warning suite/grader"]),
    );
  });
  test("in a native suite, an older spelling is told once a file, with the native one; evolve's and waza's own are not", async () => {
    const assertion = { type: "contains", value: "17" };
    const evals = [
      {
        prompt: "Do it",
        assertions: [assertion, { type: "file_exists", path: "a" }, { type: "min_tokens", value: 3 }],
      },
      {
        prompt: "Do that",
        assertions: [assertion],
        graders: [{ type: "tool_constraint", config: { allow_only: [] } }],
      },
    ];
    const problems = await problemsOf({ "evals/order-status/evals.json": JSON.stringify({ evals }) });
    const told = problems.filter(({ code }) => code === "suite/grader-spelling");
    expect(told.map(({ severity, message, fix }) => `${severity} ${message} ${fix}`)).toEqual([
      'info `contains` is an older spelling of the grader `text`, and means the same. Write {"type":"text","config":{"contains_cs":["17"]}}.',
      'info `min_tokens` is an older spelling of the grader `tokens`, and means the same. Write {"type":"tokens","config":{"min":3,"tokenizer":"words"}}.',
      'info `tool_constraint` is an older spelling of the grader `tools`, and means the same. Write {"type":"tools","config":{"allow_only":[]}}.',
    ]);
    expect(await codes(task({ type: "program", config: { command: "x" } }))).toEqual([]);
  });
  test("of another tool is a warning, one that is misspelt an error", async () => {
    const found = await codes(task({ type: "oracle", config: {} }, { type: "not_contain", config: { value: "x" } }));
    expect(found).toEqual([
      expect.stringMatching(
        /^warning suite\/grader: There is no grader "oracle", .*: the other graders decide, and a case that has no other is not asked\.$/,
      ),
      expect.stringMatching(/^error suite\/grader: There is no grader "not_contain"/),
    ]);
  });
  test("none at all", async () => {
    const { "evals/order/tasks/a.yaml": _, ...rest } = task();
    expect(
      await codes({ ...rest, "evals/order/tasks/a.yaml": { id: "a", name: "A", inputs: { prompt: "Do it" } } }),
    ).toEqual([
      'warning suite/nothing-to-check: "A" has nothing to check: it has no expectations, assertions, graders or expected output.',
    ]);
  });
});

test.each([
  ["evals/order-status/triggers.yaml", ""],
  ["evals/order-status/triggers.yaml", "# to be written\n"],
  ["evals/order-status/triggers.yaml", "triggers:\n"],
  ["evals/order-status/triggers.yaml", "skill_name: order-status\ntriggers: []\n"],
  ["evals/order-status/triggers.json", "{}"],
  ["evals/order-status/triggers.json", "[]"],
  ["skills/order-status/evals/evals.json", '{ "skill_name": "order-status", "evals": [] }'],
])("a suite without a question is not passed over in silence: %s %j", async (path, text) => {
  expect(await codes({ [path]: text })).toEqual([
    "warning suite/empty: This suite has no questions, so nothing is asked.",
  ]);
});

test.each([
  [
    'triggers:\n  - query: "Where is\n    should_trigger: true\n',
    "2:12",
    'A quote (") is opened here and never closed.',
  ],
  [
    'triggers:\n  - query: "Where is\n    tags: x\n  - query: "Which?"\n',
    "2:12",
    'A quote (") is opened here and never closed.',
  ],
  ["triggers:\n  - query: 'Where is\n", "2:12", "A quote (') is opened here and never closed."],
  ["triggers:\n\t- query: a\n", "2:1", "This line is indented with a tab, and YAML allows only spaces."],
  ["triggers:\n  - query: this: that\n", "2:12", 'This value has a ": " and no quotes.'],
  ["triggers:\n  - query: @here\n", "2:12", "A value that begins with @ needs quotes."],
])("YAML that cannot be read is reported where a person has to look: %j", async (text, place, message) => {
  const { problems } = await readFolder(folderOf({ "evals/order-status/triggers.yaml": text }));
  expect(problems.map(({ location, message: said }) => [`${location.line}:${location.column}`, said])).toEqual([
    [place, message],
  ]);
});
