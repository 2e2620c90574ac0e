import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSuites } from "../../src/check/index.ts";
import { makeAsk } from "../../src/formats/index.ts";
import { folderOf, onlySuite, readFolder, sentence } from "./library.ts";

const prompt = {
  "prompts/refactor/meta.yml": "id: refactor\ndescription: Refactors one file.\n",
  "prompts/refactor/prompt.xml": "<task>Refactor {{file}} under {{constraints}}.</task>\n",
};

test("eva: queries belong to the prompt of the folder, and cases fill its template", async () => {
  const root = folderOf(
    {
      ...prompt,
      "prompts/refactor/eval.yml": `defaults: { model: big, timeout_s: 60 }
triggering:
  judge: { model: small }
  should_match:
    - "tidy up this module"
  should_not_match:
    - "explain this module"
cases:
  - name: happy
    inputs_from: examples/happy
    inputs: { constraints: none }
    assert:
      - contains: "<diff>"
      - max_tokens: 2000
    rubric: "Score it, 1-5."
    judge: { model: tiny, pass_threshold: 3 }
`,
      "prompts/refactor/examples/happy/inputs.yml": "file: a.py\nconstraints: speed\n",
    },
    [],
  );
  const { suites, library } = await readFolder(root);
  expect(suites).toHaveLength(1);
  const suite = suites[0]!;
  expect(suite).toMatchObject({
    format: "eva",
    skill: "refactor",
    defaults: { model: "big", judgeModel: "small", timeoutSeconds: 60 },
    problems: [],
  });
  expect(suite.triggers.map(sentence)).toEqual(["tidy up this module: +refactor", "explain this module: -refactor"]);
  expect(suite.triggers[0]!.source).toMatchObject({ line: 5, column: 7 });
  expect(suite.cases).toMatchObject([
    {
      id: "happy",
      graders: [
        { type: "contains", config: { value: "<diff>" } },
        { type: "max_tokens", config: { value: 2000 } },
        { type: "rubric", config: { rubric: "Score it, 1-5.", pass_threshold: 3, model: "tiny" } },
      ],
      judge: { model: "tiny", passThreshold: 3 },
      template: {
        inputs: { file: "a.py", constraints: "none" },
        inputsFile: join(root, "prompts/refactor/examples/happy/inputs.yml"),
      },
    },
  ]);
  expect(makeAsk(suite.cases[0]!, library).prompt).toBe("<task>Refactor a.py under none.</task>\n");
});

test.each<[string, string, string]>([
  [
    "a triggering block that is a list",
    "triggering: [a]\n",
    "triggering must be a mapping with should_match, should_not_match or both.",
  ],
  [
    "a triggering block without a list",
    "triggering: { judge: { model: x } }\n",
    "triggering has no query under should_match or should_not_match, so it tests nothing and is skipped.",
  ],
  [
    "a triggering block with two empty lists",
    "triggering: { should_match: [], should_not_match: [] }\n",
    "triggering has no query under should_match or should_not_match, so it tests nothing and is skipped.",
  ],
  [
    "a query that is empty",
    'triggering: { should_match: [""] }\n',
    "Every entry of should_match must be a query: text that is not empty.",
  ],
  [
    "a query that is a number",
    "triggering: { should_not_match: [7] }\n",
    "Every entry of should_not_match must be a query: text that is not empty.",
  ],
  ["a case without a name", "cases: [{ inputs: {}, rubric: r }]\n", "This case has no name."],
  ["a case without inputs", "cases: [{ name: n, rubric: r }]\n", "n has neither inputs nor inputs_from."],
  [
    "a case that checks nothing",
    "cases: [{ name: n, inputs: {} }]\n",
    "n has neither assert nor rubric, so nothing would be checked.",
  ],
  [
    "an assertion nobody knows",
    "cases: [{ name: n, inputs: {}, assert: [{ has: x }] }]\n",
    'There is no assertion "has".',
  ],
  [
    "inputs that are not there",
    "cases: [{ name: n, inputs_from: nowhere, rubric: r }]\n",
    'There is no inputs.yml in "nowhere", relative to the root or to this folder.',
  ],
  [
    "inputs from outside",
    "cases: [{ name: n, inputs_from: ../../.., rubric: r }]\n",
    'inputs_from "../../.." points outside the library\'s folder and is not read.',
  ],
])("eva's doctor rules: %s", async (_, text, message) => {
  const { suites } = await readFolder(folderOf({ ...prompt, "prompts/refactor/eval.yml": text }, []));
  expect(suites[0]!.problems.map((problem) => problem.message)).toEqual([message]);
});

test("eva: every key that nobody reads is named, with the one that was meant; inputs_from may lead to a sibling's folder", async () => {
  const { suites } = await readFolder(
    folderOf(
      {
        ...prompt,
        "prompts/other/inputs.yml": "file: a\nconstraints: b\n",
        "prompts/refactor/eval.yml": `defaults: { modle: m, temperature: 1 }
triggering: { should_match: [a], should_not_macth: [b], judge: { votes: 3 } }
cases:
  - { name: n, inputs_from: ../other, assert: [{ contains: x }], rubrik: r, model: m, tags: [t], judge: { votes: 3, seed: 1 } }
`,
      },
      [],
    ),
  );
  const [suite] = suites;
  expect(suite?.problems.map(({ code, message, fix }) => [code, message.split(" is not")[0], fix])).toEqual([
    ["suite/unknown-field", '"modle"', "Did you mean `model`?"],
    ["suite/unknown-field", '"temperature"', expect.any(String)],
    ["suite/unknown-field", '"should_not_macth"', "Did you mean `should_not_match`?"],
    ["suite/unknown-field", '"votes"', expect.any(String)],
    ["suite/unknown-field", '"rubrik"', "Did you mean `rubric`?"],
    ["suite/unknown-field", '"model"', expect.any(String)],
    ["suite/unknown-field", '"seed"', expect.any(String)],
  ]);
  expect(suite?.cases[0]).toMatchObject({ tags: ["t"], template: { inputs: { file: "a", constraints: "b" } } });
});

test("evolve: keys of an eval that nobody reads are told, those that are nearly one are warned of, and a label is none of them", async () => {
  const text = {
    evals: [
      {
        id: 1,
        prompt: "Go",
        allowed_tools: "Read",
        asertions: [],
        should_trigger: true,
        expectations: ["It is done"],
        follow_upss: [],
      },
    ],
  };
  const suite = await onlySuite("skills/order-status/evals/evals.json", text);
  expect(suite.problems.map(({ message, severity }) => [message.split(" ")[0], severity])).toEqual([
    ['"allowed_tools"', "info"],
    ['"asertions"', "warning"],
    ['"follow_upss"', "warning"],
  ]);
});

test("eva: a variable without a value and a value without a place are problems, and a value is never a variable", async () => {
  const cases = "cases: [{ name: n, inputs: { file: 'x {{constraints}}', extra: 1 }, rubric: r }]\n";
  const { suites, library } = await readFolder(folderOf({ ...prompt, "prompts/refactor/eval.yml": cases }, []));
  expect(checkSuites({ suites, library }).map(({ code, message }) => [code, message])).toEqual(
    expect.arrayContaining([
      ["suite/template-missing", "n gives no value for {{constraints}}, so it is not asked."],
      ["suite/template-unused", "n gives a value for extra, but the template has no {{extra}}."],
    ]),
  );
  expect(makeAsk(suites[0]!.cases[0]!, library).prompt).toBe(
    "<task>Refactor x {{constraints}} under {{constraints}}.</task>\n",
  );
});

test("waza: an eval reads its tasks; those that only look at skills are triggers", async () => {
  const root = folderOf({
    "evals/order/eval.yaml": `name: order
skill: order-status
config: { trials_per_task: 4, timeout_seconds: 120, skill_directories: [../more], inject_skill_body: true, model: m }
tasks: ["tasks/*.yaml"]
tasks_from: more.csv
graders: []
`,
    "evals/order/tasks/a.yaml":
      'id: pos\ninputs: { prompt: "Where is it?" }\ngraders:\n  - { type: skill_invocation, name: fires, config: { required_skills: [order-status], mode: any_order } }\n',
    "evals/order/tasks/b.yaml":
      'id: neg\ninputs: { prompt: "Send it back" }\ngraders:\n  - { type: skill_invocation, config: { forbidden_skills: [order-status] } }\n',
    "evals/order/tasks/c.yaml":
      'id: job\nname: Job\ntags: [t]\nenabled: false\ninputs:\n  prompt: "Do it"\n  files: [{ path: a/b.txt, content: hi }]\ngraders:\n  - { type: text, name: t, weight: 2, config: { contains: [x] } }\n  - { type: skill_invocation, config: { required_skills: [order-status], mode: any_order } }\n',
    "evals/order/more.csv": 'id,prompt\nrow,"Say, please"\n',
  });
  const { suites } = await readFolder(root);
  expect(suites).toHaveLength(1);
  const suite = suites[0]!;
  expect(suite).toMatchObject({
    format: "waza",
    skill: "order-status",
    defaults: { runs: 4, timeoutSeconds: 120, model: "m" },
  });
  expect(suite.problems).toMatchObject([
    { code: "suite/ignored-setting", severity: "warning" },
    { code: "suite/ignored-setting", severity: "info" },
  ]);
  expect(suite.triggers.map((trigger) => `${trigger.id} ${sentence(trigger)}`)).toEqual([
    "pos Where is it?: +order-status",
    "neg Send it back: -order-status",
  ]);
  expect(suite.cases).toMatchObject([
    { id: "row", prompt: "Say, please", graders: [] },
    {
      id: "job",
      name: "Job",
      tags: ["t"],
      skip: "enabled: false in its task file",
      files: [{ path: "a/b.txt", content: "hi" }],
      graders: [{ type: "text", name: "t", weight: 2 }, { type: "skill_invocation" }],
    },
  ]);
  expect(suite.triggers[0]!.source.file).toBe(join(root, "evals/order/tasks/a.yaml"));
});

test("scenarios are cases, and positives of their skill unless they say otherwise", async () => {
  const text = `scenarios:
  - name: plain
    prompt: Where is it?
    assertions: [{ type: output_contains, value: depot }]
    rubric: ["It is polite"]
    timeout: 60
  - name: other
    prompt: Send it back
    expect_activation: false
`;
  const { suites } = await readFolder(folderOf({ "tests/shop/order-status/eval.yaml": text }));
  expect(suites[0]!.triggers.map(sentence)).toEqual(["Where is it?: +order-status", "Send it back: -order-status"]);
  expect(suites[0]!.cases).toMatchObject([
    {
      name: "plain",
      limits: { timeoutSeconds: 60 },
      graders: [
        { type: "expectations", config: { statements: ["It is polite"] } },
        { type: "text", config: { contains: ["depot"] } },
      ],
    },
  ]);
});

test("a scenario's assertions, constraints and set-up mean what they mean to the validator", async () => {
  const text = `scenarios:
  - name: works
    prompt: Build it
    setup:
      copy_test_files: true
      files:
        - { path: src/a.cs, source: "../../tests/order-status/fixtures/a.cs" }
        - { path: b.txt, content: hi }
      commands: [make ready]
    assertions:
      - { type: exit_success }
      - { type: output_matches, pattern: "(?m)^done$" }
      - { type: output_not_matches, pattern: "dotnet new" }
      - { type: output_not_contains, value: Sorry }
      - { type: file_exists, path: "**/*.csproj" }
      - { type: file_not_exists, path: "*.tmp" }
      - { type: file_contains, path: "**/*.csproj", value: "Net (8.0)" }
      - { type: file_not_contains, path: a.txt, value: x }
    expect_tools: [bash]
    reject_tools: [web]
    max_tokens: 500
`;
  const { suites, problems } = await readFolder(
    folderOf({
      "tests/order-status/eval.yaml": text,
      "tests/order-status/fixtures/a.cs": "class A;",
      "tests/order-status/notes.md": "x",
    }),
  );
  expect([...problems, ...suites.flatMap((suite) => suite.problems)]).toEqual([]);
  const [works] = suites[0]!.cases;
  expect(works!.setup).toEqual(["make ready"]);
  expect(works!.files.map(({ path }) => path)).toEqual(["notes.md", "fixtures/a.cs", "src/a.cs", "b.txt"]);
  expect(works!.graders).toEqual([
    { type: "min_tokens", config: { value: 1 } },
    { type: "matches", config: { value: "(?im)^done$", syntax: "python" } },
    { type: "not_matches", config: { value: "(?i)dotnet new", syntax: "python" } },
    { type: "text", config: { not_contains: ["Sorry"] } },
    { type: "file_exists", config: { path: "**/*.csproj" } },
    { type: "file_absent", config: { path: "*.tmp" } },
    { type: "regex", config: { path: "**/*.csproj", pattern: "Net \\(8\\.0\\)" } },
    { type: "not_regex", config: { path: "a.txt", pattern: "x" } },
    { type: "tool_constraint", name: "expect_tools", config: { expect_tools: [{ tool: "bash" }] } },
    { type: "tool_constraint", name: "reject_tools", config: { reject_tools: [{ tool: "web" }] } },
    { type: "behavior", name: "max_tokens", config: { max_tokens: 500 } },
  ]);
});

test("what a scenario needs and does not find, or says and nobody knows, is named with its place", async () => {
  const text = `scenarios:
  - name: works
    prompt: Build it
    setup:
      copy_test_files: true
      files: [{ path: a.cs, source: "../../tests/order-status/fixtures/a.cs" }, { path: .claude/settings.json, content: "{}" }]
      additional_required_agents: [helper]
      comands: [make]
    rubrik: [It works]
    assertions: [{ type: exit_success }]
`;
  const { suites } = await readFolder(folderOf({ "tests/order-status/eval.yaml": text }));
  expect(suites[0]!.problems.map(({ location, message, fix }) => `${location.line}: ${message} ${fix}`)).toEqual([
    expect.stringMatching(/^9: "rubrik" is not a field .* `rubric`/),
    expect.stringMatching(
      /^5: copy_test_files means the files beside this suite, and there is no other file in its folder/,
    ),
    expect.stringMatching(/^6: The file "fixtures\/a.cs" does not exist/),
    expect.stringMatching(/^6: "\.claude\/settings\.json" would be a file of Claude Code's own/),
    expect.stringMatching(/^8: "comands" is not a field .* `commands`/),
    expect.stringMatching(/^7: additional_required_agents has no effect here/),
  ]);
  expect(suites[0]!.cases[0]!.faults).toHaveLength(3);
});
