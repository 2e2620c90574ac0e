import { expect, test } from "vitest";
import { readSuiteFile } from "../../src/exam/read/index.ts";
import { folderOf, onlySuite, readFolder, sentence } from "./library.ts";

test("a native trigger may carry everything a question has", async () => {
  const root = folderOf({
    "evals/order-status/triggers.yaml": `skill_name: order-status
runs: 5
triggers:
  - query: Where is my parcel?
    should_trigger: true
    id: plain
    tags: [direct]
    runs: 7
    notes: The plain case
    split: train
    skip_providers: [google]
    files: [files/src/order.txt, { path: notes.md, content: "# hi" }]
    messages:
      - { role: user, content: Hello }
      - { role: assistant, content: Hi! }
    max_turns: 3
    timeout_seconds: 20
  - query: Can I send it back?
    expect: refund-policy
  - query: Is the shop open?
    expect: none
    skip: not yet decided
  - query: Wrap it and tell me when it comes
    expect: [order-status, gift-wrap]
    exclusive: true
  - query: Track it
    should_trigger: true
    also_fine: [gift-wrap]
    draft: true
`,
    "evals/order-status/files/src/order.txt": "17",
  });
  const { suites } = await readFolder(root);
  const suite = suites[0]!;
  expect(suite).toMatchObject({ format: "triggers", skill: "order-status", defaults: { runs: 5 }, problems: [] });
  expect(suite.triggers.map(sentence)).toEqual([
    "Where is my parcel?: +order-status",
    "Can I send it back?: +refund-policy -order-status",
    "Is the shop open?: nobody",
    "Wrap it and tell me when it comes: +order-status +gift-wrap only",
    "Track it: +order-status ~gift-wrap",
  ]);
  expect(suite.triggers[0]).toMatchObject({
    id: "plain",
    tags: ["direct"],
    runs: 7,
    notes: "The plain case",
    split: "train",
    skipProviders: ["google"],
    files: [
      { path: "src/order.txt", from: `${root}/evals/order-status/files/src/order.txt` },
      { path: "notes.md", content: "# hi" },
    ],
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi!" },
    ],
    limits: { maxTurns: 3, timeoutSeconds: 20 },
    source: { line: 4, column: 5 },
  });
  expect(suite.triggers[2]!.skip).toBe("not yet decided");
  expect(suite.triggers[4]!.draft).toBe(true);
});

test("the folder decides whose questions they are, and a wrong echo is mended", async () => {
  const text = '{ "skill_name": "order-stat", "triggers": [{ "query": "Where?", "should_trigger": true }] }';
  const suite = await onlySuite("evals/order-status/triggers.json", text);
  expect(suite.skill).toBe("order-status");
  expect(suite.problems).toMatchObject([{ code: "suite/skill-name", severity: "warning" }]);
  const [edit] = suite.problems[0]!.edits!;
  expect(text.slice(0, edit!.start) + edit!.text + text.slice(edit!.end)).toBe(
    text.replace('order-stat"', 'order-status"'),
  );
});

test("what is wrong in a native file is said at its place, and the rest is read", async () => {
  const suite = await onlySuite("evals/order-status/triggers.json", {
    triggers: [
      { query: "", should_trigger: true },
      { query: "Neither" },
      { query: "Typo", should_trigger: true, tag: ["x"] },
      "text",
      { query: "Slip", should_triger: true },
    ],
  });
  expect(suite.triggers.map(sentence)).toEqual(["Typo: +order-status"]);
  expect(suite.problems.map(({ code, fix }) => `${code} ${fix}`)).toEqual([
    "suite/invalid Add `query` with the prompt, as a user would type it.",
    "suite/invalid Add `should_trigger: true` or `false`, or `expect` with the skill that should win.",
    "suite/unknown-field Did you mean `tags`?",
    'suite/invalid Write { "query": …, "should_trigger": true }.',
    "suite/invalid Did you mean `should_trigger`?",
  ]);
});

test("a slip in the label of a plain list is an error that names the right key, and the other rows are read", async () => {
  const suite = await onlySuite("evals/order-status/triggers.json", [
    { query: "Where is my parcel?", should_triger: true },
    { query: "When does it arrive?", shouldTrigger: true },
    { query: "No label at all", note: "later" },
  ]);
  expect(suite.triggers.map(sentence)).toEqual(["When does it arrive?: +order-status"]);
  expect(suite.problems.map(({ code, message, fix }) => `${code} ${message} ${fix}`)).toEqual([
    'suite/invalid "should_triger" is no label, so nothing would be checked of this prompt. Did you mean `should_trigger`?',
    "suite/unlabelled 1 of 2 prompts in this file have no label and are not asked; this is the first. Add `should_trigger`, or `expect` with the name of the skill that should win.",
  ]);
});

test("an id stays when a neighbour is added, and equal texts are told apart", async () => {
  const one = { query: "Where is my parcel?", should_trigger: true };
  const two = { query: "Can I send it back?", should_trigger: false };
  const [a, b] = (await onlySuite("evals/order-status/triggers.json", { triggers: [one, two] })).triggers;
  const more = (
    await onlySuite("evals/order-status/triggers.json", {
      triggers: [{ query: "New", should_trigger: true }, two, one, one],
    })
  ).triggers;
  expect(more.map(({ id }) => id)).toEqual([expect.any(String), b!.id, a!.id, `${a!.id}-2`]);
});

test("evals become cases: sentences for a judge, typed checks, written graders", async () => {
  const root = folderOf({
    "skills/order-status/evals/evals.json": JSON.stringify({
      skill_name: "order-status",
      models: ["claude-haiku"],
      evals: [
        {
          id: 1,
          prompt: "Find parcel 17",
          name: "find",
          expected_output: "At the depot",
          files: ["evals/files/list.csv"],
          expectations: ["It names the depot"],
          assertions: ["It is short", { type: "file_exists", path: "out.txt" }],
          graders: [{ type: "text", name: "t", weight: 2, config: { contains: ["depot"] } }],
          max_turns: 4,
          timeout_seconds: 60,
        },
        { id: 2, prompt: "No" },
      ],
    }),
    "skills/order-status/evals/files/list.csv": "a",
  });
  const { suites } = await readFolder(root);
  expect(suites).toMatchObject([{ format: "evals", skill: "order-status", triggers: [] }]);
  expect(suites[0]!.cases).toMatchObject([
    {
      id: "1",
      name: "find",
      prompt: "Find parcel 17",
      expectedOutput: "At the depot",
      files: [{ path: "list.csv", from: `${root}/skills/order-status/evals/files/list.csv` }],
      graders: [
        { type: "expectations", config: { statements: ["It names the depot", "It is short"] } },
        { type: "file_exists", config: { path: "out.txt" } },
        { type: "text", name: "t", weight: 2, config: { contains: ["depot"] } },
      ],
      models: ["claude-haiku"],
      limits: { maxTurns: 4, timeoutSeconds: 60 },
    },
    { id: "2", graders: [] },
  ]);
});

test("a file outside of the suite's folder is not staged", async () => {
  const files = ["../../../../etc/passwd", "/etc/passwd", "C:\\secret.txt", "~/x", "files/../../x", "missing.txt"];
  const suite = await onlySuite("evals/order-status/triggers.json", {
    triggers: [{ query: "Where?", should_trigger: true, files }],
  });
  expect(suite.triggers[0]!.files).toEqual([]);
  expect(suite.problems.map(({ code }) => code)).toEqual([
    ...Array(5).fill("suite/file-escapes"),
    "suite/missing-file",
  ]);
});

test("paths choose questions, also those that lie beside the skill", async () => {
  const root = folderOf({
    "evals/order-status/triggers.json": '{ "triggers": [{ "query": "a", "should_trigger": true }] }',
    "evals/gift-wrap/triggers.json": '{ "triggers": [{ "query": "b", "should_trigger": true }] }',
    "evals/all.json":
      '[{ "skill": "order-status", "query": "c", "should_trigger": true }, { "skill": "gift-wrap", "query": "d", "should_trigger": true }]',
  });
  const chosen = async (path: string) =>
    (await readFolder(root, [`${root}/${path}`])).suites
      .flatMap((suite) => suite.triggers.map(({ query }) => query))
      .sort();
  expect(await chosen("skills/order-status")).toEqual(["a", "c"]);
  expect(await chosen("evals/gift-wrap")).toEqual(["b"]);
  expect(await chosen("evals")).toEqual(["a", "b", "c", "d"]);
});

test("a suite that is copied along with its skill is one suite", async () => {
  const skill = "---\nname: order-status\ndescription: Where parcels are.\n---\nBody.\n";
  const triggers = '{ "triggers": [{ "query": "a", "should_trigger": true }] }';
  const root = folderOf(
    {
      ".claude/skills/order-status/SKILL.md": skill,
      ".claude/skills/order-status/evals/triggers.json": triggers,
      ".agents/skills/order-status/SKILL.md": skill,
      ".agents/skills/order-status/evals/triggers.json": triggers,
    },
    [],
  );
  const { suites } = await readFolder(root);
  expect(suites.map((suite) => suite.triggers.length)).toEqual([1]);
});

test("one file can be read alone; what is no suite is null", async () => {
  const root = folderOf({
    "evals/order-status/triggers.json": '[{ "query": "a", "should_trigger": true }]',
    "x.json": '{ "a": 1 }',
  });
  const { library } = await readFolder(root);
  expect((await readSuiteFile(`${root}/evals/order-status/triggers.json`, library))?.triggers).toHaveLength(1);
  expect(await readSuiteFile(`${root}/x.json`, library)).toBeNull();
});

test("limits and settings that a suite does not give are absent, so that those of the run can fill them in", async () => {
  const { suites } = await readFolder(
    folderOf({
      "evals/order-status/triggers.json": JSON.stringify({
        triggers: [
          { query: "Where is it?", should_trigger: true },
          { query: "And now?", should_trigger: true, max_turns: 2, timeout_seconds: 0 },
        ],
      }),
      "prompts/tidy/meta.yml": "id: tidy\ndescription: Tidies code up. Use when somebody asks for tidier code.\n",
      "prompts/tidy/prompt.xml": "<prompt>Tidy it</prompt>",
      "prompts/tidy/eval.yml": "cases:\n  - { name: c, inputs: {}, rubric: Is it tidy? }\n",
    }),
  );
  const questions = suites.flatMap(({ triggers, cases }) => [...triggers, ...cases]);
  expect(questions.map(({ limits }) => limits)).toStrictEqual([{}, { maxTurns: 2 }, {}]);
  expect(
    suites.flatMap(({ cases }) => cases.flatMap(({ graders }) => graders.map(({ config }) => config))),
  ).toStrictEqual([{ rubric: "Is it tidy?" }]);
});

test("an expected output is what a judge compares with; where nothing else is checked, it is the check", async () => {
  const row = { prompt: "Find parcel 17", expected_output: "At the depot" };
  const evals = [
    { id: 1, ...row },
    { id: 2, ...row, expectations: ["It names the depot"] },
    { id: 3, ...row, expected_output: " " },
  ];
  const suite = await onlySuite("skills/order-status/evals/evals.json", { skill_name: "order-status", evals });
  expect(suite.cases.map(({ graders }) => graders.map(({ config }) => config))).toEqual([
    [{ statements: ["The result is as its author describes it: At the depot"] }],
    [{ statements: ["It names the depot"] }],
    [],
  ]);
});
