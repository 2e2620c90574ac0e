import { describe, expect, test } from "vitest";
import { meaning } from "./library.ts";

/** Every shape in which people publish labelled prompts, in words of our own. */
const where = "Where is my parcel?";
const back = "Can I send it back?";
const wrap = "Wrap it as a present";
const fit = "Does a 42 run small?";

describe("labels that are yes or no, of the skill whose file it is", () => {
  const yesNo = [`${where}: +order-status`, `${back}: -order-status`];
  const flat = [
    { query: where, should_trigger: true, note: "direct" },
    { query: back, should_trigger: false },
  ];
  test.each<[string, string | object]>([
    ["skills/order-status/evals/trigger-evals.json", flat],
    ["skills/order-status/evals/trigger-queries.json", flat.map(({ query, ...rest }) => ({ prompt: query, ...rest }))],
    ["evals/order-status/trigger-eval.json", flat],
    ["evals/order-status/trigger_eval.json", flat],
    ["evals/triggers/order-status.json", flat],
    ["tests/order-status.triggers.json", flat],
    [
      "evals/order-status/triggers.json",
      {
        $schema: "https://example.org/s.json",
        skill_name: "order-status",
        triggers: flat.map(({ query, should_trigger }) => ({ query, should_trigger })),
      },
    ],
    ["evals/order-status/prompts.csv", `id,should_trigger,prompt\n1,true,${where}\n2,false,"${back}"\n`],
    ["evals/order-status/prompts.tsv", `id\tshould_trigger\tprompt\n1\tyes\t${where}\n2\tno\t${back}\n`],
    [
      "evals/code/trigger_tests.yaml",
      `skill: order-status\nshould_trigger_prompts:\n  - prompt: "${where}"\n    reason: direct\n    confidence: high\nshould_not_trigger_prompts:\n  - prompt: "${back}"\n`,
    ],
    [
      "skills/order-status/evals/trigger-cases.json",
      { skill_name: "order-status", version: 1, should_trigger: [where], should_not_trigger: [back] },
    ],
    [
      "skills/order-status/evals/trigger-evals.json",
      { should_trigger: { train: [where], val: [] }, should_not_trigger: { train: [], val: [back] } },
    ],
    [
      "skills/order-status/evals/triggers.json",
      {
        schema_version: 2,
        items: [
          { id: "a", query: where, expected: "fire", split: "train", notes: "n" },
          { id: "b", query: back, expected: "no_fire", split: "val" },
        ],
      },
    ],
    [
      "evals/all.yaml",
      `skills:\n  order-status:\n    should_trigger:\n      - ${where}\n    should_not_trigger:\n      - ${back}\n`,
    ],
    [
      "tests/evals/skills/order-status.eval.yaml",
      `id: order-status\nskill_path: src/skills/order-status\ntrigger_evals:\n  - prompt: "${where}"\n    should_trigger: true\n  - prompt: "${back}"\n    should_trigger: false\nquality_evals:\n  - prompt: x\n    must: y\n`,
    ],
    [
      "evals/fixtures.jsonl",
      `{"skill":"order-status","phrase":"${where}","expected":"trigger","tags":["direct"]}\n{"skill":"order-status","phrase":"${back}","expected":"no-trigger","tags":[]}\n`,
    ],
    [
      "skills/order-status/tests/trigger-cases.md",
      `# Trigger cases\n\nSome prose.\n\n## Should trigger\n\n1. “${where}” – the plain case\n\n## Should not trigger\n\n1. “${back}” – goes to refunds\n`,
    ],
    [
      "skills/order-status/evals/evals.json",
      {
        comment: ["functional too"],
        evaluations: [
          { id: 1, skill_should_trigger: true, prompt: where },
          { id: 2, skill_should_trigger: false, prompt: back },
        ],
      },
    ],
    [
      "skills/order-status/evals/evals.json",
      [
        { id: "a", question: where, expected_skill: "order-status", ground_truth: "g" },
        { id: "b", question: back, expected_skill: null, ground_truth: "g" },
      ],
    ],
    [
      "skills/order-status/evals/evals.json",
      {
        skill: "order-status",
        cases: [
          { prompt: where, expected_skill: "order-status", should_trigger: true },
          { prompt: back, expected_skill: "order-status", should_trigger: false },
        ],
      },
    ],
    [
      "tests/shop/order-status/eval.yaml",
      `scenarios:\n  - name: a\n    prompt: "${where}"\n    rubric: ["It answers"]\n  - name: b\n    prompt: "${back}"\n    expect_activation: false\n`,
    ],
    [
      "activation/order-status.jsonl",
      `{"id":"1","prompt":"${where}","expected_skill":"order-status"}\n{"id":"2","input":"${back}","expected_skill":""}\n`,
    ],
    [
      "evals/order-status/evals.json",
      {
        evals: [
          { prompt: where, should_trigger: true },
          { prompt: back, should_trigger: false },
        ],
      },
    ],
    ["evals/order-status/eval_set.json", { trigger_tests: { should_trigger: [where], should_not_trigger: [back] } }],
    [
      "evals/order-status/cases.yaml",
      `test_cases:\n  - { id: a, prompt: "${where}", expected: trigger }\n  - { id: b, prompt: "${back}", expected: no_trigger }\n`,
    ],
    ["evals/order-status/cases.json", { positive: [{ prompt: where }], negative: [{ prompt: back }] }],
    [
      "evals/order-status/cases.json",
      [
        { utterance: where, expectedTrigger: true },
        { utterance: back, expectedTrigger: false },
      ],
    ],
    [
      "evals/order-status/cases.json",
      [
        { text: where, label: 1 },
        { text: back, label: 0 },
      ],
    ],
    [
      "evals/order-status/cases.json",
      [
        { user: where, activates: true },
        { user: back, activates: false },
      ],
    ],
    [
      "evals/order-status/cases.yml",
      `cases:\n  - input: { prompt: "${where}" }\n    expected: { should_trigger: true }\n  - input: { prompt: "${back}" }\n    expected: { should_trigger: false }\n`,
    ],
    [
      "evals/order-status/cases.json",
      [
        { prompt: where, type: "positive" },
        { prompt: back, type: "negative" },
      ],
    ],
    [
      "evals/order-status/triggers.md",
      `## Prompts\n\n| Prompt | Should trigger? | Why |\n|---|---|---|\n| ${where} | Yes | direct |\n| "${back}" | No | other |\n`,
    ],
    [
      "evals/order-status/triggers.json",
      [
        [where, true],
        [back, false],
      ],
    ],
    ["evals/order-status/triggers.yaml", `"${where}": true\n"${back}": false\n`],
    ["evals/triggers.json", { "order-status": { positive: [where], negative: [back] } }],
    [
      "evals/triggers.json",
      {
        cases: [
          { skill: "/order-status", prompt: where, should_trigger: "yes" },
          { skill: "$order-status", prompt: back, should_trigger: "no" },
        ],
      },
    ],
  ])("%s", async (path, text) => {
    expect(await meaning(path, text)).toEqual(yesNo);
  });
});

describe("labels that name who should win", () => {
  const routed = [`${where}: +order-status`, `${back}: +refund-policy`, `${fit}: nobody`];
  const three = (row: (query: string, skill: string | null) => object) => [
    row(where, "order-status"),
    row(back, "refund-policy"),
    row(fit, null),
  ];
  test.each<[string, string | object]>([
    [
      "tests/cases.json",
      three((prompt, skill) => ({
        case_id: prompt.length,
        prompt,
        expected_skill: skill,
        category: "c",
        required_evidence: ["x"],
      })),
    ],
    [
      "evals/routing.json",
      { cases: three((prompt, skill) => ({ id: prompt, kind: "k", prompt, expected: skill ?? "none" })) },
    ],
    ["evals/skill-routing.json", { cases: three((prompt, skill) => ({ prompt, expected: skill })) }],
    ["evals/trigger-evals.json", three((prompt, skill) => ({ prompt, expected: skill ?? "NONE" }))],
    [
      "evals/skill-routing.json",
      { cases: three((request, skill) => ({ id: 1, request, expected_skill: skill ?? "none" })) },
    ],
    [
      "examples/demo.json",
      {
        schema: "v1",
        scenarios: three((prompt, skill) => ({ id: prompt, split: "test", prompt, expected_skill: skill })),
      },
    ],
    [
      "evals/routing.jsonl",
      `# comment\n// another\n${three((prompt, skill) => ({ prompt, expect: skill ?? "none" }))
        .map((row) => JSON.stringify(row))
        .join("\n")}\n`,
    ],
    [
      "evals/cases/router.jsonl",
      three((task, skill) => ({ task, expect: skill === null ? [] : [skill] }))
        .map((row) => JSON.stringify(row))
        .join("\n"),
    ],
    [
      "datasets/a/core.jsonl",
      three((user_prompt, skill) => ({
        user_prompt,
        expected_skills: skill === null ? [] : [skill],
        should_activate: skill !== null,
        category: "x",
      }))
        .map((row) => JSON.stringify(row))
        .join("\n"),
    ],
    ["evals/trigger-eval.json", three((query, skill) => ({ query, should_trigger: skill, why: "w" }))],
    [
      "evals/routes.yaml",
      `routes:\n  - { ask: "${where}", route: order-status }\n  - { ask: "${back}", route: refund-policy }\n  - { ask: "${fit}", route: none }\n`,
    ],
    ["evals/matrix.csv", `prompt,expected_skill\n${where},order-status\n"${back}",refund-policy\n${fit},\n`],
    ["evals/routing.json", three((prompt, skill) => ({ prompt, target: skill ?? "none" }))],
    ["evals/routing.json", three((message, skill) => ({ message, skill_expected: skill }))],
    ["evals/routing.json", three((query, skill) => ({ query, want: skill }))],
    [
      "evals/routing.yaml",
      `"${where}": order-status\n"${back}": shop:refund-policy\n"${fit}": none\n`.replace("shop:", ""),
    ],
    ["evals/guides.json", three((prompt, skill) => ({ prompt, expected_guide: skill }))],
    [
      "evals/stimuli.yaml",
      `stimuli:\n  - name: a\n    prompt: "${where}"\n    graders:\n      - { type: skill-invocation, config: { required: [order-status] } }\n  - name: b\n    prompt: "${back}"\n    graders:\n      - { type: skill-invocation, config: { required: [refund-policy] } }\n  - name: c\n    prompt: "${fit}"\n    expected_skill: none\n`,
    ],
  ])("%s", async (path, text) => {
    expect(await meaning(path, text)).toEqual(routed);
  });
});

test("prompts listed under their skill are positives", async () => {
  const positives = [`${where}: +order-status`, `${back}: +refund-policy`];
  expect(
    await meaning("evals/trigger_cases.json", [
      { skill: "order-status", queries: [where] },
      { skill: "refund-policy", queries: [back] },
    ]),
  ).toEqual(positives);
  expect(await meaning("evals/trigger_cases.json", { "order-status": [where], "refund-policy": [back] })).toEqual(
    positives,
  );
  expect(
    await meaning(
      "evals/trigger_cases.jsonl",
      `{"prompt":"${where}","skill":"order-status"}\n{"prompt":"${back}","skill":"refund-policy"}`,
    ),
  ).toEqual(positives);
});

test("a skill's negatives may say where they belong", async () => {
  const text = `skills:\n  - name: order-status\n    positive:\n      - ${where}\n    negative:\n      - { prompt: "${back}", route: refund-policy }\n      - { prompt: "${fit}", route: none }\n`;
  expect(await meaning("evals/all.yaml", text)).toEqual([
    `${where}: +order-status`,
    `${back}: +refund-policy -order-status`,
    `${fit}: nobody`,
  ]);
});

test.each([
  ["a skill's own suite", "evals/order-status/triggers.json"],
  ["a suite of nobody's", "evals/routing.json"],
])("in %s, a row that says none outweighs the list of positives it stands in", async (_what, path) => {
  const positives = [
    { query: where, expected: "order-status" },
    { query: fit, expected: "none" },
  ];
  expect(await meaning(path, { positives })).toEqual([`${where}: +order-status`, `${fit}: nobody`]);
});

test("a routing hint in prose forbids the skill it says not to take", async () => {
  const cases = [
    { prompt: where, expect: "order-status", route: "not refund-policy - that one is for returns" },
    { prompt: back, expect: "refund-policy" },
    { prompt: wrap, expect: "gift-wrap", route: "size-guide is for later; gift-wrap answers" },
  ];
  expect(await meaning("evals/triggers.json", { _comment: "c", cases })).toEqual([
    `${where}: +order-status -refund-policy`,
    `${back}: +refund-policy`,
    `${wrap}: +gift-wrap`,
  ]);
});

test("the skill under test loses a prompt that another one owns", async () => {
  const cases = [
    {
      id: 1,
      skill: "order-status",
      class: "owned",
      prompt: where,
      expected_owner: "order-status",
      expected_outcome: "route",
    },
    {
      id: 2,
      skill: "order-status",
      class: "near",
      prompt: back,
      expected_owner: "refund-policy",
      expected_outcome: "reroute",
    },
    { id: 3, skill: "order-status", class: "far", prompt: fit, expected_owner: "none", expected_outcome: "stop" },
  ];
  expect(await meaning("evals/skill-routing-cases.json", { cases })).toEqual([
    `${where}: +order-status`,
    `${back}: +refund-policy -order-status`,
    `${fit}: nobody`,
  ]);
});

test("a distractor and skills that are not expected are forbidden", async () => {
  expect(
    await meaning(
      "evals/cases/d.jsonl",
      JSON.stringify({ id: 1, task: where, expect: "order-status", distractor: "refund-policy" }),
    ),
  ).toEqual([`${where}: +order-status -refund-policy`]);
  const yaml = `trigger_evals:\n  - id: a\n    query: "${where}"\n    expected_skill: order-status\n    expected_not_skills: [refund-policy, gift-wrap]\n    tags: [x]\n`;
  expect(await meaning("evals/trigger_dataset.yaml", yaml)).toEqual([
    `${where}: +order-status -refund-policy -gift-wrap`,
  ]);
});

test("a pair of skills is told apart, and neither means neither of the two", async () => {
  const suite = {
    skills_tested: ["order-status", "refund-policy"],
    test_cases: [
      {
        id: 1,
        category: "c",
        prompt: where,
        expected_skill: "order-status",
        should_not_trigger: "refund-policy",
        reasoning: "r",
      },
      { id: 2, category: "c", prompt: fit, expected_skill: "neither", reasoning: "r" },
    ],
  };
  expect(await meaning("skills-boundaries/order-status-vs-refund-policy.json", suite)).toEqual([
    `${where}: +order-status -refund-policy`,
    `${fit}: -order-status -refund-policy`,
  ]);
});

test("of several candidates one is right and the others are not", async () => {
  expect(
    await meaning("evals/pick.json", [
      { id: 1, query: where, candidates: ["order-status", "gift-wrap"], correct: "order-status" },
    ]),
  ).toEqual([`${where}: +order-status -gift-wrap`]);
});

test("acceptable skills may stand in for the expected one", async () => {
  const row = { user_prompt: where, expected_skill: "order-status", acceptable_skills: ["refund-policy"], group: "g" };
  expect(await meaning("datasets/confusion.jsonl", JSON.stringify(row))).toEqual([
    `${where}: +order-status ~refund-policy`,
  ]);
});

test("a list of expected skills requires them all", async () => {
  expect(
    await meaning("evals/cases/r.jsonl", JSON.stringify({ prompt: where, expect: ["order-status", "gift-wrap"] })),
  ).toEqual([`${where}: +order-status +gift-wrap`]);
});

test("expected_skill on a negative of the skill itself says which skill is under test", async () => {
  const rows = [
    { prompt: where, expected_skill: "order-status", should_trigger: true },
    { prompt: back, expected_skill: "order-status", should_trigger: false },
    { prompt: wrap, expected_skill: "gift-wrap", should_trigger: false },
  ];
  expect(await meaning("skills/order-status/evals/evals.json", rows)).toEqual([
    `${where}: +order-status`,
    `${back}: -order-status`,
    `${wrap}: +gift-wrap -order-status`,
  ]);
});

test("negatives in a file of their own, beside no skill, are nobody's", async () => {
  expect(await meaning("activation/negative.jsonl", `{"id":1,"prompt":"${fit}","expected_skill":""}`)).toEqual([
    `${fit}: nobody`,
  ]);
  expect(
    await meaning("evals/shared/negatives.json", {
      evaluations: [{ id: 1, skill_should_trigger: false, prompt: fit }],
    }),
  ).toEqual([`${fit}: nobody`]);
  expect(await meaning("evals/negative-triggers.json", { should_not_trigger: [fit] })).toEqual([`${fit}: nobody`]);
});

test("a folder of prompts, one a file, each named after its skill", async () => {
  expect(await meaning("tests/skill-triggering/prompts/order-status.txt", `${where}\n\nThe number is 17.\n`)).toEqual([
    `${where}\n\nThe number is 17.: +order-status`,
  ]);
});

test("a router's own suite does not make every prompt a negative of the router", async () => {
  const rows = [where, back, wrap].map((prompt, index) => ({
    prompt,
    expected_skill: ["order-status", "refund-policy", "gift-wrap"][index],
  }));
  expect(
    await meaning("skills/shop-guide/evals/routing.json", rows, [
      "shop-guide",
      "order-status",
      "refund-policy",
      "gift-wrap",
    ]),
  ).toEqual([`${where}: +order-status`, `${back}: +refund-policy`, `${wrap}: +gift-wrap`]);
});

test("results, functional evals and other data are not taken for suites", async () => {
  expect(
    await meaning("evals/order-status/answers.json", [
      { question: where, answer: "yes" },
      { question: back, answer: "no" },
    ]),
  ).toEqual([]);
  expect(
    await meaning("evals/order-status/spam.json", [
      { input: where, expected: "yes" },
      { input: back, expected: "no" },
    ]),
  ).toEqual([]);
  expect(
    await meaning("evals/order-status/results.json", {
      results: [{ query: where, should_trigger: true, hits: 2, runs: 3, passed: true }],
    }),
  ).toEqual([]);
  expect(
    await meaning("skills/order-status/evals/evals.json", {
      evals: [{ id: 1, prompt: where, expected_output: "o", expectations: ["e"] }],
    }),
  ).toEqual([]);
  expect(
    await meaning("data/qa.json", [
      { question: where, answer: "At the depot" },
      { question: back, answer: "Yes" },
      { question: fit, answer: "No, it is true to size" },
    ]),
  ).toEqual([]);
  expect(
    await meaning("i18n/en.json", {
      title: "Shop",
      "a long sentence of text": "true story",
      "another sentence right here": "no",
    }),
  ).toEqual([]);
  expect(
    await meaning("config/form.json", {
      fields: [
        { text: "Subscribe to news?", label: "yes please" },
        { text: "Send me mail", label: "no thanks" },
      ],
    }),
  ).toEqual([]);
});
