import { describe, expect, test } from "vitest";
import { meaning } from "./library.ts";

const where = "Where is my parcel?";
const back = "Can I send it back?";
const fit = "Does a 42 run small?";

describe("the words of a label do not matter", () => {
  const yesNo = [`${where}: +order-status`, `${back}: -order-status`];
  test.each<[string, string | object]>([
    [
      "groups with a label of their own",
      [
        { category: "positive", prompts: [where] },
        { category: "negative", prompts: [back] },
      ],
    ],
    [
      "groups that are labelled as a whole",
      [
        { should_trigger: true, queries: [where] },
        { should_trigger: false, queries: [back] },
      ],
    ],
    ["lists of triggers and non-triggers", { triggers: [where], non_triggers: [back] }],
    [
      "trigger cases and non-trigger cases",
      { trigger_cases: [{ prompt: where }], non_trigger_cases: [{ prompt: back }] },
    ],
    ["camel case", { shouldTrigger: [where], shouldNotTrigger: [back] }],
    ["positive and negative examples", { positive_examples: [where], negative_examples: [back] }],
    ["in and out of scope", { in_scope: [where], out_of_scope: [back] }],
    [
      "labels in words",
      [
        { query: where, label: "positive" },
        { query: back, label: "negative" },
      ],
    ],
    [
      "the absence of a trigger",
      [
        { query: where, should_not_trigger: false },
        { query: back, should_not_trigger: true },
      ],
    ],
    [
      "a map of ids",
      { cases: { one: { prompt: where, should_trigger: true }, two: { prompt: back, should_trigger: false } } },
    ],
    [
      "a conversation",
      [
        { messages: [{ role: "user", content: where }], should_trigger: true },
        { messages: [{ role: "user", content: back }], should_trigger: false },
      ],
    ],
    [
      "splits around rows",
      { train: [{ query: where, should_trigger: true }], validation: [{ query: back, should_trigger: false }] },
    ],
    [
      "a skill by name at the root",
      {
        name: "order-status",
        cases: [
          { q: where, fires: true },
          { q: back, fires: false },
        ],
      },
    ],
    [
      "promptfoo assertions",
      {
        tests: [
          { vars: { query: where }, assert: [{ type: "skill-used", value: "order-status" }] },
          { vars: { query: back }, assert: [{ type: "not-skill-used", value: "order-status" }] },
        ],
      },
    ],
    [
      "waza graders in rows",
      [
        { prompt: where, graders: [{ type: "skill_invocation", config: { required_skills: ["order-status"] } }] },
        { prompt: back, graders: [{ type: "skill_invocation", config: { forbidden_skills: ["order-status"] } }] },
      ],
    ],
    [
      "graders that are negated",
      [
        { prompt: where, graders: [{ type: "skill-invocation", skill: "order-status" }] },
        { prompt: back, graders: [{ type: "skill-invocation", skill: "order-status", negate: true }] },
      ],
    ],
    [
      "skills by a path",
      [
        { skill: "skills/order-status/SKILL.md", prompt: where, expected: "activate" },
        { skill: "skills/order-status/SKILL.md", prompt: back, expected: "no activation" },
      ],
    ],
  ])("%s", async (_, text) => {
    expect(await meaning("evals/order-status/questions.json", text)).toEqual(yesNo);
  });
});

describe("the place of a file says whose questions it holds", () => {
  test.each([
    "evals/trigger_eval_order-status.json",
    "evals/order-status-negatives.json",
    "tests/order-status/data/deep/t.json",
    "skills/order-status/t.json",
    "evals/order_status.json",
  ])("%s", async (path) => {
    expect(await meaning(path, [{ query: back, should_trigger: false }])).toEqual([`${back}: -order-status`]);
  });

  test("a library of one skill needs no name at all", async () => {
    expect(await meaning("tests/t.json", [{ query: where, should_trigger: true }], ["order-status"])).toEqual([
      `${where}: +order-status`,
    ]);
  });

  test("a file that says whose it is is believed", async () => {
    expect(
      await meaning("evals/gift-wrap/t.json", { skill: "order-status", cases: [{ query: where, expected: true }] }),
    ).toEqual([`${where}: +order-status`]);
  });

  test("of two skills with one name, the one of the same plugin", async () => {
    const skills = ["plugins/mail/skills/access", "plugins/chat/skills/access"];
    const read = await meaning(
      "plugins/chat/evals/access/triggers.json",
      { triggers: [{ query: where, should_trigger: true }] },
      skills,
    );
    expect(read).toEqual([`${where}: +chat:access`]);
  });
});

test("yes and no are booleans in YAML, whatever its version", async () => {
  expect(
    await meaning(
      "evals/order-status/triggers.yaml",
      `triggers:\n  - { query: "${where}", should_trigger: yes }\n  - { query: "${back}", should_trigger: no }\n`,
    ),
  ).toEqual([`${where}: +order-status`, `${back}: -order-status`]);
});

test("a file of bare prompts is labelled by its name", async () => {
  expect(await meaning("evals/negative-triggers.json", [back, fit])).toEqual([`${back}: nobody`, `${fit}: nobody`]);
  expect(await meaning("skills/order-status/evals/should-not-trigger.json", [back])).toEqual([
    `${back}: -order-status`,
  ]);
  expect(await meaning("skills/order-status/evals/negatives.json", [{ prompt: back }])).toEqual([
    `${back}: -order-status`,
  ]);
  expect(await meaning("evals/negatives.json", [{ prompt: back, expected_skill: "refund-policy" }])).toEqual([
    `${back}: +refund-policy`,
  ]);
});

test("a skill that is compared and is not in the library is left out", async () => {
  const row = { query: where, candidates: ["order-status", "some-agent", "gift-wrap"], correct: "order-status" };
  expect(await meaning("evals/pick.json", [row])).toEqual([`${where}: +order-status -gift-wrap`]);
});

test("whose negative it is depends on the other rows where nothing else says it", async () => {
  const negative = { prompt: back, should_trigger: false, expected_skill: "order-status" };
  expect(
    await meaning("evals/all.json", [
      negative,
      { prompt: where, should_trigger: true, expected_skill: "order-status" },
    ]),
  ).toEqual([`${back}: -order-status`, `${where}: +order-status`]);
  expect(
    await meaning("evals/all.json", [negative, { prompt: where, should_trigger: true, expected_skill: "gift-wrap" }]),
  ).toEqual([`${where}: +gift-wrap`]);
});

test("a form is not a suite, even where a skill is called like one of its fields", async () => {
  const form = [
    { text: "Where is it now?", label: "Status" },
    { text: "All of them", label: "List" },
  ];
  expect(await meaning("src/ui/form.json", form, ["status", "list"])).toEqual([]);
});

describe("a skill, and beside it those that should stay silent", () => {
  const rows = [
    { prompt: where, skill: "order-status", not: ["refund-policy", "gift-wrap"] },
    { prompt: back, skill: "refund-policy", not: "order-status" },
    { prompt: "Sing me a song", skill: null, not: ["order-status", "gift-wrap"] },
  ];
  const lines = (all: object[]) => all.map((row) => JSON.stringify(row)).join("\n");

  test.each(["shop.jsonl", "evals/shop.jsonl", "examples/everyday/shop.jsonl"])("%s", async (path) => {
    expect(await meaning(path, lines(rows))).toEqual([
      `${where}: +order-status -refund-policy -gift-wrap`,
      `${back}: +refund-policy -order-status`,
      "Sing me a song: -order-status -gift-wrap",
    ]);
    expect(await meaning(path, lines(rows.slice(0, 1)))).toEqual([`${where}: +order-status -refund-policy -gift-wrap`]);
  });

  test("in a table", async () => {
    expect(
      await meaning("shop.csv", `prompt,skill,not\n${where},order-status,refund-policy\n${back},,order-status\n`),
    ).toEqual([`${where}: +order-status -refund-policy`, `${back}: -order-status`]);
  });

  test.each<[string, object, string]>([
    ["the skill itself should be silent", { skill: "order-status", not: ["order-status"] }, "-order-status"],
    [
      "the row says that it should not",
      { skill: "order-status", should_trigger: false, not: "gift-wrap" },
      "-gift-wrap -order-status",
    ],
    [
      "the row says who should",
      { skill: "order-status", expected_skill: "size-guide", not: "gift-wrap" },
      "+size-guide -gift-wrap -order-status",
    ],
  ])("unless %s", async (_, row, means) => {
    expect(await meaning("shop.jsonl", lines([{ prompt: where, ...row }]))).toEqual([`${where}: ${means}`]);
  });
});

describe("what is not clear is not guessed", () => {
  test.each<[string, string | object]>([
    ["a label that means maybe", [{ query: where, should_trigger: "maybe" }]],
    ["a positive of no skill", [{ query: where, should_trigger: true }]],
    ["an expectation that is any skill", [{ query: where, expected_skill: "any" }]],
  ])("%s", async (_, text) => {
    expect(await meaning("evals/questions.json", text)).toEqual([]);
  });

  test("an expectation of several alternatives takes any of them", async () => {
    expect(await meaning("evals/q.json", [{ query: where, expected_skill: "order-status or refund-policy" }])).toEqual([
      `${where}: +order-status ~refund-policy`,
    ]);
    expect(
      await meaning("evals/q.json", [{ query: where, expected_skill: "order-status (not refund-policy)" }]),
    ).toEqual([`${where}: +order-status -refund-policy`]);
    expect(await meaning("evals/q.json", [{ query: where, expected_skill: "acme:order-status" }])).toEqual([
      `${where}: +order-status`,
    ]);
  });

  test("names of skills that are gone are kept, to be reported", async () => {
    expect(
      await meaning("evals/routing.json", [
        { query: where, expected: "order-status" },
        { query: fit, expected: "sizes" },
      ]),
    ).toEqual([`${where}: +order-status`, `${fit}: +sizes`]);
  });
});

test("Markdown items may run over lines, be quoted in any way, and be divided by sub-headings", async () => {
  const page = `# Order status

**Should trigger** is tested by hand.

### ✅ Should trigger (positive)

- "Where is
  my parcel?" → yes
- 「荷物はどこですか」

### ❌ Should NOT trigger

#### Unrelated topics

1. "Can I send it back?" → use refund-policy
2. This is prose.

#### Other shops
* «Wo ist mein Hut?»

## Notes

- "Not a prompt"
`;
  expect(await meaning("skills/order-status/tests/trigger-prompts.md", page)).toEqual([
    `${where}: +order-status`,
    "荷物はどこですか: +order-status",
    `${back}: -order-status`,
    "Wo ist mein Hut?: -order-status",
  ]);
});
