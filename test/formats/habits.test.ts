import { describe, expect, test } from "vitest";
import { folderOf, meaning, onlySuite, readFolder, sentence } from "./library.ts";

/** How authors really lay out and write their suites, where it is easy to read them wrong. */
const where = "Where is my parcel?";
const back = "Can I send it back?";
const wrap = "Wrap it as a present";
const fit = "Does a 42 run small?";
const flat = [
  { query: where, should_trigger: true },
  { query: back, should_trigger: false },
];
const yesNo = [`${where}: +order-status`, `${back}: -order-status`];

describe("whose file it is", () => {
  const plugin = {
    "plugins/shop/.claude-plugin/plugin.json": '{ "name": "shop" }',
  };
  const skills = ["plugins/shop/skills/shop", "plugins/shop/skills/order-status", "plugins/shop/skills/gift-wrap"];
  const read = async (path: string, data: object) => {
    const { suites } = await readFolder(folderOf({ ...plugin, [path]: JSON.stringify(data) }, skills));
    return suites.flatMap((suite) => suite.triggers).map((trigger) => sentence(trigger).replaceAll("shop:", ""));
  };

  test.each([
    ["plugins/shop/evals/order-status.json", flat],
    ["plugins/shop/evals/triggers.json", { skill_name: "order-status", triggers: flat }],
    ["evals/shop/order-status.json", flat],
    ["tests/shop/order-status/triggers.json", flat],
  ])("a plugin called like one of its skills: %s", async (path, data) => {
    expect(await read(path, data)).toEqual(yesNo);
  });

  test("a skill at the root does not own the suites of the skills below it", async () => {
    const files = {
      "SKILL.md": "---\nname: shop\ndescription: Everything about our shop.\n---\n",
      "evals/order-status/trigger-evals.json": JSON.stringify(flat),
      "evals/routing.json": JSON.stringify([
        { prompt: wrap, expected: "gift-wrap" },
        { prompt: fit, expected: "shop" },
      ]),
      "evals/trigger-evals.json": JSON.stringify([{ query: "Open the shop", should_trigger: true }]),
    };
    const { suites } = await readFolder(folderOf(files));
    expect(suites.flatMap((suite) => suite.triggers).map(sentence)).toEqual([
      ...yesNo,
      `${wrap}: +gift-wrap`,
      `${fit}: +shop`,
      "Open the shop: +shop",
    ]);
  });

  test.each(["order-status-workspace/trigger_eval.json", "evals/order-status-evals/t.json"])("%s", async (path) => {
    expect(await meaning(path, flat)).toEqual(yesNo);
  });

  test.each<[string, object]>([
    ["in its metadata", { metadata: { skill: "order-status" }, cases: flat }],
    ["as a map", { skill: { name: "order-status", path: "skills/order-status" }, cases: flat }],
  ])("a file says it %s", async (_, data) => {
    expect(await meaning("tests/t.json", data)).toEqual(yesNo);
  });

  test("a negative among positives of nobody knows whom is not a negative of everybody", async () => {
    expect(await meaning("tests/cases.json", { about: "parcels", cases: flat })).toEqual([]);
    expect(await meaning("tests/cases.json", { cases: [flat[1]!] })).toEqual([`${back}: nobody`]);
  });

  test("routes in a library of one skill are about the library", async () => {
    const cases = [
      { prompt: where, expected: "order-status" },
      { prompt: back, expected: null },
    ];
    expect(await meaning("evals/routing.json", { cases }, ["order-status"])).toEqual([
      `${where}: +order-status`,
      `${back}: nobody`,
    ]);
  });

  test("in a suite of one skill, a row that another should win is its negative", async () => {
    const rows = [
      { query: where, expected: "trigger" },
      { query: wrap, expected: "gift-wrap" },
    ];
    expect(await meaning("evals/order-status/t.json", rows)).toEqual([
      `${where}: +order-status`,
      `${wrap}: +gift-wrap -order-status`,
    ]);
  });

  test("tests in hidden folders are tests", async () => {
    expect(await meaning("skills/order-status/.tests/triggers.json", flat)).toEqual(yesNo);
    expect(await meaning(".evals/order-status/triggers.json", flat)).toEqual(yesNo);
  });
});

describe("words for yes and no", () => {
  test.each([
    ["should_fire", "no-fire"],
    ["FIRE", "NO FIRE"],
    ["activate", "ignore"],
    ["Should be triggered", "should not be triggered"],
    ["fire", "no"],
  ])("%s and %s", async (yes, no) => {
    const items = [
      { query: where, expected: yes },
      { query: back, expected: no },
    ];
    expect(await meaning("evals/order-status/items.json", { items })).toEqual(yesNo);
  });

  test("a plain yes is about the skill only in a file about triggers", async () => {
    const rows = [
      { query: where, expected: "yes" },
      { query: back, expected: "no" },
    ];
    expect(await meaning("evals/order-status/triggers.json", rows)).toEqual(yesNo);
    expect(await meaning("evals/order-status/quality.json", rows)).toEqual([]);
    const moods = rows.map(({ query }, index) => ({ prompt: query, expected: index === 0 ? "positive" : "negative" }));
    expect(await meaning("skills/order-status/evals/evals.json", moods)).toEqual([]);
  });

  test("one row that is undecided does not silence the others", async () => {
    const rows = [where, back, wrap, fit].map((query, index) => ({
      query,
      expected: ["fire", "no_fire", "either", "fire"][index],
    }));
    expect(await meaning("evals/order-status/items.json", rows)).toEqual([...yesNo, `${fit}: +order-status`]);
  });

  test.each<[string, object]>([
    [
      "what should happen",
      flat.map(({ query, should_trigger }) => ({ query, expected: { triggered: should_trigger } })),
    ],
    ["a yes or no in expect", flat.map(({ query, should_trigger }) => ({ query, expect: should_trigger }))],
    ["the same in words", flat.map(({ query, should_trigger }) => ({ query, expect: should_trigger ? "yes" : "no" }))],
    [
      "an expected result",
      flat.map(({ query, should_trigger }) => ({ query, expected_result: should_trigger ? "TRIGGER" : "NO_TRIGGER" })),
    ],
    ["lists of triggers", { positive_triggers: [where], negative_triggers: [back] }],
  ])("%s", async (_, data) => {
    expect(await meaning("evals/order-status/triggers.json", data)).toEqual(yesNo);
  });

  test.each<[string, object]>([
    ["a name in should_trigger", { triggers: [{ query: where, should_trigger: "order-status" }] }],
    ["a name in a map", [{ query: where, expect: { skill: "order-status" } }]],
    ["a primary skill", [{ query: where, expected: { primary: "order-status" } }]],
    ["metadata", { tests: [{ vars: { query: where }, metadata: { expected_skill: "order-status" } }] }],
  ])("who, by %s", async (_, data) => {
    expect(await meaning("evals/triggers.json", data)).toEqual([`${where}: +order-status`]);
  });

  test("a verdict for each skill", async () => {
    const rows = [{ query: where, expected: { "order-status": true, "gift-wrap": false } }];
    expect(await meaning("evals/matrix.json", rows)).toEqual([`${where}: +order-status -gift-wrap`]);
  });

  test("null and neither in a central file of triggers are nobody", async () => {
    const triggers = [
      { query: where, should_trigger: "order-status" },
      { query: back, should_trigger: null },
    ];
    expect(await meaning("evals/triggers.json", { triggers })).toEqual([`${where}: +order-status`, `${back}: nobody`]);
    expect(await meaning("evals/triggers.json", [{ query: back, expect: "neither" }])).toEqual([`${back}: nobody`]);
  });
});

describe("Markdown", () => {
  const path = "skills/order-status/tests/trigger-cases.md";
  test.each([
    [
      "a heading that explains itself",
      "## Should trigger (user doesn't say status)",
      "## Should definitely not trigger",
    ],
    ["a heading that says never", "## Should trigger — never names the shop", "## Won't trigger"],
    ["bold lines", "**Should trigger:**", "**Should not trigger:**"],
    ["plain lines", "Should trigger:", "Should not trigger:"],
    [
      "a title about both",
      "# Should and should not trigger\n\n- Use a new session.\n\n## Should trigger",
      "## Should not trigger",
    ],
  ])("%s", async (_, yes, no) => {
    expect(
      await meaning(path, `${yes}\n\n1. “${where}”\n\n${no}\n\n1. “${back}”\n\n**Notes**\n\n1. “Not one”\n`),
    ).toEqual(yesNo);
  });

  test.each([
    ["a word about the prompt before it", `**Implicit** — “${where}”`, `Adjacent: “${back}” → refunds`],
    ["single quotes", `‘${where}’`, `'${back}'`],
    ["notes below an item", `${where}\n  - Why: it is plain`, `${back}\n  - Why: another skill`],
  ])("%s", async (_, yes, no) => {
    expect(await meaning(path, `## Should trigger\n\n- ${yes}\n\n## Should not trigger\n\n- ${no}\n`)).toEqual(yesNo);
  });

  test("a heading without end is none", async () => {
    expect(await meaning(path, `# ${"should ".repeat(100_000)}\n\n- ${where}\n`)).toEqual([]);
  });

  test("a quotation within a prompt is part of it", async () => {
    const prompts = ['Fix this: "parcel lost"', "`track` fails: why?", where];
    expect(await meaning(path, `## Should trigger\n\n${prompts.map((prompt) => `- ${prompt}`).join("\n")}\n`)).toEqual(
      prompts.map((prompt) => `${prompt}: +order-status`),
    );
  });
});

describe("tables and lines", () => {
  test("comments above the header of a CSV, and a column called #", async () => {
    const rows = `1,true,${where}\n#2,false,${back}\n`;
    expect(await meaning("evals/order-status/prompts.csv", `# by hand\n\n#,should_trigger,prompt\n${rows}`)).toEqual(
      yesNo,
    );
  });

  test("JSON Lines in a file called .json", async () => {
    expect(await meaning("evals/order-status/t.json", flat.map((row) => JSON.stringify(row)).join("\n"))).toEqual(
      yesNo,
    );
  });

  test("a list of bare prompts outside of evals", async () => {
    expect(await meaning("skills/negatives.json", [back, fit])).toEqual([`${back}: nobody`, `${fit}: nobody`]);
    expect(await meaning("skills/negatives.json", ["awful", "bad"])).toEqual([]);
  });

  test("prompts a file, in folders that say more", async () => {
    const { suites } = await readFolder(
      folderOf({
        "tests/prompts/order-status/1.txt": where,
        "tests/prompts/order-status/should-not-trigger/1.txt": back,
        "tests/negative/prompts/order-status.txt": wrap,
        "tests/prompts/order-status-negative-2.txt": fit,
      }),
    );
    expect(suites.flatMap((suite) => suite.triggers).map(sentence)).toEqual([
      `${wrap}: -order-status`,
      `${fit}: -order-status`,
      `${where}: +order-status`,
      `${back}: -order-status`,
    ]);
  });
});

describe("what is no suite", () => {
  test("but a skill may be filed under a word for results", async () => {
    expect(
      await meaning("skills/runs/order-status/evals/trigger-evals.json", flat, ["skills/runs/order-status"]),
    ).toEqual(yesNo);
    expect(await meaning("evals/report-writer/t.json", [flat[0]!], ["report-writer"])).toEqual([
      `${where}: +report-writer`,
    ]);
  });

  test.each<[string, string, string | object]>([
    ["what was seen in a run", "evals/results/latest.json", [{ prompt: where, expected: "gift-wrap" }]],
    [
      "predictions",
      "evals/predictions.jsonl",
      `{"prompt":"${where}","skill":"gift-wrap"}\n{"prompt":"${back}","skill":"gift-wrap"}\n`,
    ],
    ["rows with what was got", "evals/confusion.json", [{ query: where, expected: "gift-wrap", got: "order-status" }]],
    [
      "what was seen, beside its label",
      "evals/order-status/last.json",
      [{ query: where, should_trigger: true, triggered: false }],
    ],
    ["a result", "evals/all.json", [{ query: where, result: "gift-wrap" }]],
    [
      "a transcript",
      "evals/chat.jsonl",
      `{"type":"user","text":"${where}","skill":null}\n{"type":"assistant","text":"Just a moment","skill":"gift-wrap"}\n`,
    ],
    ["an agent", "examples/agent.yaml", `task: ${where}\nskills: [gift-wrap]\n`],
    ["what a skill ships", "skills/gift-wrap/assets/prompts.json", { positive: [where], negative: [back] }],
    ["a page a skill ships", "skills/gift-wrap/references/evals.md", `## Positive examples\n\n- ${where}\n`],
    [
      "a script of answers",
      "evals/answers.yaml",
      `model: scripted-1\nanswers:\n  - { query: ${where}, skills: [gift-wrap] }\n  - { query: [${back}, ${fit}], skills: [] }\n  - { pattern: wrap, skills: [gift-wrap], hit_rate: 0.5, otherwise: { skills: [] } }\ndefault: { skills: [] }\n`,
    ],
    [
      "a script of answers in JSON",
      "script.json",
      { answers: [{ query: where, skills: ["gift-wrap"] }], default: { skills: ["order-status"] } },
    ],
  ])("%s", async (_, path, text) => {
    const content = typeof text === "string" ? text : JSON.stringify(text);
    const { suites, problems } = await readFolder(folderOf({ [path]: content }));
    expect({ suites, problems }).toEqual({ suites: [], problems: [] });
  });

  test("a form in a skill that is called like a suite", async () => {
    const form = [
      { text: where, label: "positive" },
      { text: back, label: "negative" },
    ];
    expect(await meaning("skills/prompt-eval/form/fields.json", form, ["prompt-eval", "gift-wrap"])).toEqual([]);
  });
});

test("models in evals govern the triggers beside them, as evolve has it", async () => {
  const evals = { models: ["haiku"], evals: [{ id: 1, prompt: "Track it", expectations: ["It is tracked"] }] };
  const files = {
    "evals/order-status/evals.json": JSON.stringify(evals),
    "evals/order-status/triggers.json": JSON.stringify({ triggers: flat }),
    "evals/gift-wrap/triggers.json": JSON.stringify({ triggers: [{ query: wrap, should_trigger: true }] }),
  };
  const { suites } = await readFolder(folderOf(files));
  expect(suites.flatMap((suite) => suite.triggers).map(({ query, models }) => [query, models])).toEqual([
    [wrap, undefined],
    [where, ["haiku"]],
    [back, ["haiku"]],
  ]);
  expect((await onlySuite("evals/order-status/triggers.json", { triggers: flat })).triggers[0]).not.toHaveProperty(
    "models",
  );
});

describe("a label in words of the author's own", () => {
  const rows = (yes: string, no: string) => ({
    cases: [
      { skill: "order-status", expect: yes, prompt: where },
      { skill: "order-status", expect: no, prompt: back },
      { skill: "gift-wrap", expect: yes, prompt: wrap },
      { skill: "gift-wrap", expect: no, prompt: fit },
    ],
  });

  test.each([
    ["route", "do-not-route"],
    ["routed", "not routed"],
    ["select", "do not select"],
  ])("%s and %s are yes and no", async (yes, no) => {
    expect(await meaning("tests/routing.json", rows(yes, no))).toEqual([
      `${where}: +order-status`,
      `${back}: -order-status`,
      `${wrap}: +gift-wrap`,
      `${fit}: -gift-wrap`,
    ]);
  });

  test("words that nobody knows are no label, and never make every row a positive of the skill it is filed under", async () => {
    expect(await meaning("tests/routing.json", rows("keep", "pass-on"))).toEqual([]);
  });
});
