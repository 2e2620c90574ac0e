import { describe, expect, test } from "vitest";
import { discover } from "../../src/exam/find/index.ts";
import { check, plan } from "../../src/verbs/index.ts";
import { folderOf, readFolder, sentence } from "./library.ts";

/** Files that hold prompts and labels without being anybody's questions. */
const rows = JSON.stringify([
  { query: "Where is my parcel?", should_trigger: true },
  { query: "Can I send it back?", should_trigger: false },
]);
const evals = JSON.stringify({
  skill_name: "<skill>",
  evals: [{ id: 1, prompt: "<what a user types>", files: ["files/x"], expectations: ["<a sentence>"] }],
});
const card = (name: string) => `---\nname: ${name}\ndescription: All about ${name}.\n---\nBody.\n`;

describe("skills that an exam works on are not part of the library:", () => {
  test.each([
    "evals/order-status/files/sample/SKILL.md",
    "plugins/shop/evals/order-status/files/deep/down/skills/sample/SKILL.md",
    "internal/testdata/repo/skills/sample/SKILL.md",
    "test/fixtures/sample/SKILL.md",
    "src/__fixtures__/sample/SKILL.md",
    "src/__tests__/sample/SKILL.md",
    "tests/data/sample/SKILL.md",
    "tests/skills/sample/SKILL.md",
    "eval-fixtures/sample/SKILL.md",
  ])("%s", async (path) => {
    const root = folderOf({ [path]: card("sample") });
    const names = async (paths?: string[]) => {
      const { libraries } = await discover({ cwd: root, ...(paths === undefined ? { root } : { paths }) });
      return libraries.flatMap(({ skills }) => skills.map(({ name }) => name)).sort();
    };
    expect(await names()).toEqual(["gift-wrap", "order-status", "refund-policy", "size-guide"]);
    // Whoever points there means it.
    expect(await names([path])).toEqual(["sample"]);
  });

  test("a skill may be called fixtures, and where nothing else is, test data is what is meant", async () => {
    const found = async (path: string) => {
      const root = folderOf({ [path]: card("fixtures") }, []);
      return (await discover({ cwd: root, root })).libraries.flatMap(({ skills }) => skills).length;
    };
    expect(await found("skills/fixtures/SKILL.md")).toBe(1);
    expect(await found("skills/test/SKILL.md")).toBe(1);
    expect(await found("fixtures/one/SKILL.md")).toBe(1);
  });
});

test("below skills/, test may be a kind of skill; and suites in tests/ are read", async () => {
  const root = folderOf({
    "skills/test/sample/SKILL.md": card("sample"),
    "tests/order-status/triggers.json": rows,
    "tests/order-status/data/ghost/SKILL.md": card("ghost"),
  });
  const { libraries } = await discover({ cwd: root, root });
  expect(libraries.flatMap(({ skills }) => skills.map(({ name }) => name))).toEqual(
    expect.arrayContaining(["order-status", "sample"]),
  );
  expect((await check({ cwd: root, env: {} })).suites).toBe(1);
});

describe("not a suite:", () => {
  test.each([
    ["what a case is staged with", "evals/order-status/files/triggers.json", rows],
    ["test data of a tool", "internal/testdata/evals/order-status/triggers.json", rows],
    ["a template", "templates/evals/evals.json", evals],
    ["a template beside suites", "evals/_template/triggers.json", rows],
    ["a template by its name", "evals/evals.template.json", evals],
    ["what a skill ships", "skills/order-status/assets/evals.json", evals],
    ["what a skill refers to", "skills/order-status/references/triggers.json", rows],
    ["broken test data", "test/fixtures/evals.json", '{"evals": [{'],
    [
      "test data that is no suite of ours",
      "test/fixtures/triggers.json",
      JSON.stringify([{ query: "Where is my parcel?", expect: "nobody-we-know" }]),
    ],
    ["what is left of a run", "reports/full.json", rows],
    ["what a run said", "evals/logs/triggers-1.json", rows],
  ])("%s (%s)", async (_what, path, text) => {
    const { suites, problems } = await readFolder(folderOf({ [path]: text }));
    expect(suites.map(({ file, triggers }) => [file, triggers.length])).toEqual([]);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("but test data that is understood to the last row is one, and a skill may be called like a template", async () => {
    const routes = JSON.stringify([{ prompt: "Where is my parcel?", expected_skill: "order-status" }]);
    const { suites } = await readFolder(
      folderOf({ "tests/fixtures/routing.json": routes, "skills/email-templates/evals/triggers.json": rows }, [
        "order-status",
        "email-templates",
      ]),
    );
    expect(suites.flatMap(({ triggers }) => triggers.map(sentence))).toEqual([
      "Where is my parcel?: +email-templates",
      "Can I send it back?: -email-templates",
      "Where is my parcel?: +order-status",
    ]);
  });
});

describe("a placeholder is not a question:", () => {
  test.each([
    "<a real phrasing a user types>",
    "{{prompt}}",
    "[Your prompt here]",
    "TODO: write a prompt",
    "TODO",
    "...",
    "…",
    "Your query goes here",
    "TODO: describe what the agent should do",
    "User's task prompt",
    "Example prompt 2",
  ])("%s", async (query) => {
    const { suites } = await readFolder(
      folderOf({
        "skills/order-status/evals/triggers.json": JSON.stringify([
          { query: "Where is my parcel?", should_trigger: true },
          { query, should_trigger: false },
        ]),
        "skills/order-status/evals/evals.json": JSON.stringify({
          evals: [{ id: 1, prompt: query, expectations: ["It is done"] }],
        }),
      }),
    );
    expect(
      suites.flatMap(({ triggers, cases }) => [...triggers.map((one) => one.query), ...cases.map((one) => one.prompt)]),
    ).toEqual(["Where is my parcel?"]);
    const told = suites.flatMap(({ problems }) => problems).filter(({ code }) => code === "suite/placeholder");
    expect(told.map(({ severity, location }) => [severity, location.line])).toEqual([
      ["warning", 1],
      ["warning", 1],
    ]);
  });

  test.each([
    "What does <div> do?",
    "Fix [this link](x)",
    "Explain {{name}} in a template",
    "TODO comments: list them all",
    "...and now in blue",
  ])("but this is one: %s", async (query) => {
    const { suites } = await readFolder(
      folderOf({ "skills/order-status/evals/triggers.json": JSON.stringify([{ query, should_trigger: true }]) }),
    );
    expect(suites[0]?.triggers.map((trigger) => trigger.query)).toEqual([query]);
  });
});

describe("prose in Markdown is not a prompt:", () => {
  const read = async (page: string, path = "skills/order-status/evals/trigger-cases.md") => {
    const { suites } = await readFolder(folderOf({ [path]: page }));
    return suites.flatMap(({ triggers }) => triggers.map(sentence));
  };

  test.each([
    [
      "terms and their explanation",
      "## Should trigger\n\n- **Packing barriers:** keep the parcels apart\n- **Priority:** P0\n- **Pass:** the skill is loaded\n",
    ],
    [
      "rules for people",
      "# Evaluation\n\n## What you must not do\n\n- Never grade your own work\n- Do not skip the hard ones\n",
    ],
    [
      "what must match, in a page about something else",
      "# How prompts are scored\n\n## Fields that should match\n\n- The name of the parcel\n- The date\n",
    ],
    [
      "what is out of scope of a plan",
      "# Evaluation plan\n\n## Out of scope\n\n- Performance of the warehouse\n- The old shop\n",
    ],
    ["links", "## Should trigger\n\n- [The list of prompts](prompts.md)\n- [The rules](rules.md)\n"],
    ["tasks to do", "## Should trigger\n\n- [ ] All parcels are found\n- [x] TBD\n"],
    [
      "what kinds of prompts there are",
      "## Should trigger\n\n- The user asks for a parcel\n- When the user is late\n- Requests about parcels\n\n## Should not trigger\n\n- Users who want a refund\n- Any question about gifts\n",
    ],
  ])("%s", async (_what, page) => {
    expect(await read(page)).toEqual([]);
  });

  test.each([
    "docs/testing/order-status/triggers.md",
    "evals/order-status/trigger-guide.md",
    "evals/order-status/eval-criteria.md",
    "evals/order-status/test-plan.md",
    "evals/order-status/grader-prompt.md",
    "evals/order-status/checklist.md",
  ])("a page about prompts, %s, has only those in quotation marks", async (path) => {
    const page = "# Triggers\n\n## Should trigger\n\n- Different phrasings of one wish\n- Keep them short\n";
    expect(await read(page, path)).toEqual([]);
    expect(await read(`${page}\n## Should not trigger\n\n- "Can I send it back?"\n`, path)).toEqual([
      "Can I send it back?: -order-status",
    ]);
  });

  test("documentation shows examples", async () => {
    const page =
      '# Triggers\n\n## Should trigger\n\n- "Where is my parcel?"\n\n| prompt | skill |\n|---|---|\n| Has it left? | order-status |\n';
    expect(await read(page, "docs/order-status/evals.md")).toEqual([]);
    expect(await read(page, "docs/order-status/trigger-tests.md")).not.toEqual([]);
  });

  test("what users report is a prompt", async () => {
    const prompts = [
      "Users cannot see their parcel, why?",
      "The user page of the shop crashes",
      "Query with parcels is slow",
    ];
    expect(await read(`## Should trigger\n\n${prompts.map((one) => `- ${one}`).join("\n")}\n`)).toEqual(
      prompts.map((one) => `${one}: +order-status`),
    );
  });

  test("a skill may be called plan", async () => {
    const root = folderOf({ "evals/triggers/plan.md": "## Should trigger\n\n- Plan my week\n" }, ["plan", "gift-wrap"]);
    expect((await readFolder(root)).suites.flatMap(({ triggers }) => triggers.map(sentence))).toEqual([
      "Plan my week: +plan",
    ]);
  });

  test("a quotation of several lines is one prompt", async () => {
    expect(await read("## Should trigger\n\n> Where is\n> my parcel?\n\n> Has it left?\n")).toEqual([
      "Where is my parcel?: +order-status",
      "Has it left?: +order-status",
    ]);
  });

  test("a prompt that says it is one may stand alone, under a heading of its own", async () => {
    const page =
      "# Plan\n\n## Positive cases\n\n### P1: plain\n**Prompt:** Where is my parcel?\n**Pass:** it is found\n**Priority:** P0\n\n## Negative cases\n\n### N1\n\n**Prompt:**\n\n> Can I send it back?\n\n**Why:** another skill\n";
    expect(await read(page, "evals/order-status/plan.md")).toEqual([
      "Where is my parcel?: +order-status",
      "Can I send it back?: -order-status",
    ]);
  });

  test("what GitHub runs is not a suite", async () => {
    const flow = "jobs:\n  ask:\n    with:\n      prompt: Where is my parcel?\n      expected: order-status\n";
    expect(await read(flow, ".github/workflows/eval.yml")).toEqual([]);
  });

  test("but a prompt that says it is one is", async () => {
    expect(
      await read(
        "## Should trigger\n\n- **Prompt:** Where is my parcel?\n- **Priority:** P0\n- **Implicit:** “Has it left?”\n\n## Out of scope\n\n- Can I send it back?\n",
      ),
    ).toEqual([
      "Where is my parcel?: +order-status",
      "Has it left?: +order-status",
      "Can I send it back?: -order-status",
    ]);
  });
});

describe("what looks like a suite and is not understood is named:", () => {
  const told = async (files: Record<string, string>) => {
    const { problems } = await check({ cwd: folderOf(files), env: {} });
    return problems
      .filter(({ code }) => code === "suite/not-read")
      .map(({ location, severity }) => `${severity} ${location.file.split("/").slice(-2).join("/")}`);
  };

  test.each([
    [
      "the name of a suite",
      { "skills/order-status/evals/triggers.yaml": "questions_to_ask:\n  first: Where is my parcel?\n" },
    ],
    [
      "prompts in a folder of evals",
      { "evals/order-status.yaml": "prompts:\n  - text: Where is my parcel?\n    verdict: maybe\n" },
    ],
    ["a format that is not read", { "evals/order-status/triggers.xlsx": "PK" }],
    ["another one, anywhere", { "tests/order-status/triggers.toml": "[[triggers]]\n" }],
    ["a folder of programs", { "evals/check.py": 'PROMPTS = ["Where is my parcel?"]\n' }],
    ["a skill's folder of programs beside one that is read", { "evals/order-status/run.sh": "claude -p hi\n" }],
    ["a prompt and its answer in files", { "evals/late/expected.txt": "Tomorrow\n" }],
    ["a prompt and its answer in pages", { "evals/order-status/001/input.md": "Where is my parcel?\n" }],
    ["a prompt in a text that is called after no skill", { "tests/prompts/late-parcel.txt": "Where is my parcel?\n" }],
    ["a case without graders", { "evals/late/prompt.md": "Where is my parcel?\n" }],
    ["graders without a prompt", { "evals/late/graders/polite.md": "---\ntype: llm\n---\nIt is polite.\n" }],
    [
      "a page whose prompts are in a code block",
      { "evals/triggers.md": "## Should trigger\n\n```\nWhere is my parcel?\n```\n" },
    ],
    ["another tool's suite", { "evals/parcel.eval.yaml": "unknown_tool: 3\nprompt: Where is my parcel?\n" }],
  ])("%s", async (_what, files) => {
    const [path] = Object.keys(files);
    expect(await told(files)).toEqual([`warning ${path!.split("/").slice(-2).join("/")}`]);
  });

  test("promptfoo's tests in another file", async () => {
    const files = { "promptfooconfig.yaml": 'prompts: ["{{query}}"]\ntests: file://tests.csv\n' };
    expect(await told(files)).toEqual([expect.stringMatching(/^warning .*promptfooconfig\.yaml$/)]);
  });

  test("several in one folder are told once", async () => {
    const one = "prompts:\n  - text: Where is my parcel?\n    verdict: maybe\n";
    expect(await told({ "evals/a.yaml": one, "evals/b.yaml": one, "evals/c.yaml": one })).toEqual([
      "warning evals/a.yaml",
    ]);
  });

  test.each([
    [
      "results",
      { "evals/order-status/results.json": JSON.stringify({ results: [{ query: "Where is my parcel?", hits: 1 }] }) },
    ],
    ["a configuration", { "evals/config.yaml": "model: x\njobs: 3\n" }],
    ["the evals of a program", { "src/evals/run.ts": "run();\n" }],
    ["a folder that is only described", { "evals/README.md": "To be written.\n", "evals/.gitkeep": "" }],
    ["what a skill ships", { "skills/order-status/scripts/evals/run.py": "print(1)\n" }],
    ["a schema", { "evals/trigger.schema.json": "{}" }],
    ["the material of a case", { "evals/order-status/files/prompts.json": '{"prompt": 1}' }],
    [
      "graders beside their prompt",
      { "quality/a/prompt.md": "Where is it?\n", "quality/a/graders/x.md": "---\ntype: llm\n---\nGood.\n" },
    ],
    ["notes on graders", { "quality/graders/notes.md": "To be written.\n" }],
    ["a suite that is read", { "evals/order-status/triggers.json": rows }],
    [
      "task files that a suite names",
      {
        "evals/order-status/eval.yaml": "name: x\nskill: order-status\ntasks: ['tasks/*.yaml']\n",
        "evals/order-status/tasks/a.yaml": "id: a\ninputs: { prompt: Where? }\nexpected: { should_trigger: true }\n",
      },
    ],
  ])("not %s", async (_what, files) => {
    expect(await told(files as Record<string, string>)).toEqual([]);
  });
});

describe("check and run count the same", () => {
  const files = {
    "proctor.config.yaml": "{}",
    "evals/order-status/triggers.json": rows,
    "skills/gift-wrap/evals/triggers.json": rows,
    "evals/size-guide/triggers.json": "[]",
    "evals/routing.json": JSON.stringify([{ prompt: "Wrap it", expected_skill: "gift-wrap" }]),
  };
  test.each<[string[], number, number]>([
    [[], 3, 5],
    [["skills/order-status"], 1, 2],
    [["skills/order-status/SKILL.md"], 1, 2],
    [["evals"], 2, 3],
    [["skills/gift-wrap", "skills/order-status"], 2, 4],
  ])("suites and questions of %j", async (paths, suites, questions) => {
    const root = folderOf(files);
    expect(await check({ cwd: root, paths, env: {} })).toMatchObject({ suites, questions });
    const plans = await plan({ cwd: root, paths, env: {} });
    const counted = plans.flatMap((one) => one.questions);
    expect([new Set(counted.map(({ source }) => source.file)).size, counted.length]).toEqual([suites, questions]);
  });
});

describe("a file that cannot be read says so in plain words:", () => {
  test.each([
    ['{"triggers": [{"query": "Where', "a text has no closing quotation mark"],
    ['[{query: "Where is my parcel?"}]', "a word has no quotation marks"],
    ['[{"query": "Where is my parcel?" "should_trigger": true}]', "a comma is missing"],
    ['[{"query": }]', "a value is missing"],
  ])("%s", async (text, words) => {
    const { problems } = await readFolder(folderOf({ "evals/order-status/triggers.json": text }));
    expect(problems.map(({ message }) => message)).toEqual([`This is not valid JSON: ${words}.`]);
  });
});

test("a run without a question says what was found instead", async () => {
  const why = async (files: Record<string, string>) => {
    const asked = plan({ cwd: folderOf(files), env: {} });
    return asked.then(
      () => "",
      (error: Error) => error.message,
    );
  };
  expect(
    await why({
      "evals/a/prompt.md": "TODO: describe what the agent should do\n",
      "evals/a/graders/x.md": "---\ntype: llm\n---\nGood\n",
    }),
  ).toMatch(/no question\. evals\/a\/prompt\.md: This prompt is still a placeholder/);
  expect(await why({ "evals/run.py": "print(1)\n" })).toMatch(
    /no question\. evals\/run\.py: The folder evals looks like evals/,
  );
});
