import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Suite } from "../../src/model/index.ts";
import { folderOf, readFolder, sentence } from "./library.ts";

/** Suites of tools that keep their questions in shapes of their own. */
const skills = ["order-status", "order-status-history", "refund-policy"];

async function read(files: Record<string, string>, format: string): Promise<Suite[]> {
  const { suites, problems } = await readFolder(folderOf(files, skills));
  expect(problems).toEqual([]);
  expect([...new Set(suites.map((suite) => suite.format))]).toEqual([format]);
  return suites;
}

const triggersOf = (suites: Suite[]) => suites.flatMap(({ triggers }) => triggers.map(sentence));
const casesOf = (suites: Suite[]) => suites.flatMap(({ cases }) => cases);

describe("claude plugin eval", () => {
  const prompt =
    "---\nmax_turns: 6\ntimeout_seconds: 20\nruns: 4\ntags: [smoke]\nallowed_tools: [Read, Skill]\n---\n\nWhere is my parcel?\nIt is late.\n";
  const fires = (more = "") => `---\ntype: tool_used\ntool: Skill\n${more}---\n`;

  test("a folder a case: the prompt's file, and a file a grader", async () => {
    const suites = await read(
      {
        "evals/late/prompt.md": prompt,
        "evals/late/graders/fires.md": fires(`input_match: '"skill"\\s*:\\s*"([^"]*:)?order-status"'\nmin: 1\n`),
        "evals/late/graders/names-the-date.md": "---\ntype: llm\nweight: 2\n---\n\nThe reply names the new date.\n",
        "evals/late/graders/polite.md": "---\ntype: regex\nflags: i\n---\nsorry|apolog\n",
        "evals/late/graders/README.md": "Notes without a header are notes.\n",
      },
      "plugin-eval",
    );
    expect(suites).toHaveLength(1);
    expect(triggersOf(suites)).toEqual(["Where is my parcel?\nIt is late.: +order-status"]);
    expect(casesOf(suites)).toMatchObject([
      {
        id: "late",
        skill: "order-status",
        prompt: "Where is my parcel?\nIt is late.",
        tags: ["smoke"],
        runs: 4,
        limits: { maxTurns: 6, timeoutSeconds: 20 },
        graders: [
          { type: "llm", name: "names-the-date", weight: 2, config: { text: "The reply names the new date." } },
          { type: "matches", name: "polite", config: { value: "(?i)sorry|apolog" } },
        ],
      },
    ]);
    expect(suites[0]!.triggers[0]).toMatchObject({ runs: 4, source: { line: 9 } });
  });

  test("a case that only says which skill fires is a trigger, and at most 0 times is never", async () => {
    const suites = await read(
      {
        "evals/a/prompt.md": "Where is my parcel?\n",
        "evals/a/graders/fires.md": fires("input_match: order-status\n"),
        "evals/b/prompt.md": "Can I send it back?\n",
        "evals/b/graders/silent.md": fires("input_match: '\"order-status\"'\nmax: 0\n"),
        "evals/c/prompt.md": "What is the capital of Peru?\n",
        "evals/c/graders/silent.md": fires("max: 0\n"),
      },
      "plugin-eval",
    );
    expect(triggersOf(suites)).toEqual([
      // The tool's pattern also takes a skill whose name has this one in it.
      "Where is my parcel?: +order-status ~order-status-history",
      "Can I send it back?: -order-status",
      "What is the capital of Peru?: nobody",
    ]);
    expect(casesOf(suites)).toEqual([]);
  });

  test("case.yaml, with or without files beside it", async () => {
    const yaml = `schema_version: "1.0"
name: late-parcel
tags: [smoke]
execution: { prompt: Where is my parcel?, max_turns: 6 }
graders:
  - { type: tool_used, name: fires, tool: Skill, input_match: refund-policy, min: 1 }
  - { type: regex, name: no-promise, pattern: tomorrow, match: not_contains }
  - { type: file_exists, name: letter, path: letter.txt }
`;
    const suites = await read(
      { "evals/one/case.yaml": yaml, "evals/one/graders/more.md": "---\ntype: llm\n---\nIt is short.\n" },
      "plugin-eval",
    );
    expect(triggersOf(suites)).toEqual(["Where is my parcel?: +refund-policy"]);
    expect(casesOf(suites)).toMatchObject([
      {
        id: "late-parcel",
        graders: [
          { type: "not_matches", config: { value: "tomorrow" } },
          { type: "file_exists", config: { path: "letter.txt" } },
          { type: "llm", config: { text: "It is short." } },
        ],
      },
    ]);
  });

  test("what is wrong with a case is told, and what has no meaning here, too", async () => {
    const { suites } = await readFolder(
      folderOf(
        {
          "evals/a/case.yaml":
            'schema_version: "1.0"\nname: a\nexecution: { promt: Where? }\ngraders: [{ type: llm, name: x, criteria: y }]\n',
          "evals/b/prompt.md": "---\nmodle: haiku\n---\nWhere is my parcel?\n",
          "evals/b/graders/x.md": "---\ntype: lm\n---\nIt is short.\n",
          "evals/c/case.yaml":
            'schema_version: "1.0"\nname: c\ncontext: { scaffold_script: setup.sh }\nexecution: { prompt: Where? }\ngraders: [{ type: llm, name: x, criteria: y }]\n',
        },
        skills,
      ),
    );
    const told = suites
      .flatMap(({ problems }) => problems)
      .map(({ code, severity, message, fix }) => `${severity} ${code}: ${message} ${fix ?? ""}`);
    expect(told).toEqual([
      expect.stringMatching(/^error suite\/invalid: .*no prompt/),
      expect.stringMatching(/^warning suite\/unknown-field: "promt".*Did you mean `prompt`/i),
      expect.stringMatching(/^warning suite\/unknown-field: "modle".*Did you mean `model`/i),
      expect.stringMatching(/^warning suite\/ignored-setting: .*scaffold_script/),
    ]);
  });
});

test("assay: who was triggered, who won, who was not, and what must be there", async () => {
  const suites = await read(
    {
      "suites/parcels.suite.yaml": `version: 1
target: { skill: order-status, source: local }
environment: { host: claude-code, model: claude-haiku-4-5 }
runs: 10
cases:
  - id: trigger.positive
    prompt: Where is my parcel?
    expect: { triggered: true }
  - id: trigger.negative.near
    prompt: Can I send it back?
    expect: { triggered: false }
  - id: collide.refund
    prompt: I want my money
    expect: { winner: refund-policy, not_triggered: [order-status-history] }
  - id: contested
    prompt: What happened last year?
    expect: { winner: [order-status-history, order-status] }
  - id: nobody
    prompt: What is the capital of Peru?
    expect: { triggered: false, winner: none }
  - id: complete.letter
    prompt: Write to the customer
    setup: { fixtures: ./fixtures/letters }
    expect:
      triggered: true
      assertions:
        - { type: file_exists, path: out/letter.txt }
        - { type: trace, rule: no_swallowed_errors }
`,
      "suites/fixtures/letters/old/one.txt": "Dear customer",
      "suites/fixtures/letters/two.txt": "Dear other customer",
    },
    "assay",
  );
  expect(suites[0]).toMatchObject({ skill: "order-status", defaults: { runs: 10 } });
  expect(triggersOf(suites)).toEqual([
    "Where is my parcel?: +order-status",
    "Can I send it back?: -order-status",
    "I want my money: +refund-policy -order-status-history",
    "What happened last year?: +order-status-history ~order-status",
    "What is the capital of Peru?: nobody",
    "Write to the customer: +order-status",
  ]);
  expect(casesOf(suites)).toMatchObject([
    {
      id: "complete.letter",
      skill: "order-status",
      files: [{ path: "old/one.txt" }, { path: "two.txt" }],
      graders: [
        { type: "file_exists", config: { path: "out/letter.txt" } },
        { type: "trace", config: { rule: "no_swallowed_errors" } },
      ],
    },
  ]);
});

test("AgentV: skill-trigger assertions are triggers, the others cases", async () => {
  const suites = await read(
    {
      "evals/parcels.EVAL.yaml": `name: parcels
tests:
  - id: t1
    input: Where is my parcel?
    assertions: [{ type: skill-trigger, skill: order-status }]
  - id: t2
    input: What is the capital of Peru?
    assertions: [{ type: skill-trigger, skill: order-status, should_trigger: false }]
  - id: t3
    input: Can I send it back?
    assertions: [{ type: skill-trigger, skill_name: order-status, negate: true }, { type: skill-trigger, skill: refund-policy }]
  - id: c1
    criteria: It names the date
    expected_output: It comes on Monday.
    input:
      - { role: user, content: Hello }
      - { role: assistant, content: "Hello, how can I help?" }
      - { role: user, content: Where is my parcel? }
    assertions:
      - { type: contains, value: 1.10 }
      - { type: contains-any, value: [Mon., Tue], negate: true }
      - { type: icontains-all, value: [a, b] }
      - { type: equals, value: "42" }
      - { type: regex, value: "^It" }
      - { type: starts-with, value: It }
      - { type: is-json }
      - { type: llm-grader, prompt: It is polite. }
      - { type: llm-grader, prompt: graders/short.md, weight: 2 }
      - { type: rubrics, criteria: [{ id: x, outcome: It is short, weight: 1 }] }
      - { type: latency, threshold: 100 }
  - id: c2
    criteria: It names the date
    input: Where is it?
`,
      "evals/graders/short.md": "It is short.\n",
    },
    "agentv",
  );
  expect(triggersOf(suites)).toEqual([
    "Where is my parcel?: +order-status",
    "What is the capital of Peru?: -order-status",
    "Can I send it back?: +refund-policy -order-status",
  ]);
  expect(casesOf(suites)).toMatchObject([
    {
      id: "c1",
      prompt: "Where is my parcel?",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hello, how can I help?" },
      ],
      expectedOutput: "It comes on Monday.",
      graders: [
        { type: "matches", config: { value: "(?i)1\\.10" } },
        { type: "not_matches", config: { value: "(?i)Mon\\.|Tue" } },
        { type: "matches", config: { value: "(?i)a" } },
        { type: "matches", config: { value: "(?i)b" } },
        { type: "matches", config: { value: "^\\s*42\\s*$" } },
        { type: "matches", config: { value: "^It" } },
        { type: "matches", config: { value: "^It" } },
        { type: "json_schema", config: { value: {} } },
        { type: "llm", config: { text: "It is polite." } },
        { type: "llm", weight: 2, config: { text: "It is short." } },
        { type: "llm", config: { text: "It is short" } },
        { type: "behavior", config: { max_duration_ms: 100 } },
      ],
    },
    { id: "c2", graders: [{ type: "llm", config: { text: "It names the date" } }] },
  ]);
});

test("skillgrade: tasks are cases of the skill they lie in, with their files and texts from elsewhere", async () => {
  const root = folderOf(
    {
      "skills/order-status/eval.yaml": `version: "1"
defaults: { agent: claude, trials: 5, timeout: 300 }
tasks:
  - name: find-parcel
    instruction: texts/find.md
    workspace:
      - { src: fixtures/orders.json, dest: data/orders.json }
    expected: { date: Monday }
    metadata: { tier: easy, tags: [smoke] }
    graders:
      - { type: llm_rubric, rubric: texts/rubric.md, weight: 0.3 }
      - { type: llm_rubric, rubric: Is it polite? }
    trials: 2
    timeout: 60
  - name: checked
    instruction: Find the parcel
    graders:
      - { type: deterministic, run: bash graders/check.sh, weight: 0.7 }
`,
      "skills/order-status/texts/find.md": "Find parcel 17.\n",
      "skills/order-status/texts/rubric.md": "Does it name the date?\n",
      "skills/order-status/fixtures/orders.json": "{}",
    },
    skills,
  );
  const { suites, problems } = await readFolder(root);
  expect(problems).toEqual([]);
  expect(suites).toMatchObject([
    { format: "skillgrade", skill: "order-status", triggers: [], defaults: { runs: 5, timeoutSeconds: 300 } },
  ]);
  expect(casesOf(suites)).toMatchObject([
    {
      id: "find-parcel",
      prompt: "Find parcel 17.",
      runs: 2,
      limits: { timeoutSeconds: 60 },
      tags: ["smoke", "easy"],
      expectedOutput: '{"date":"Monday"}',
      files: [{ path: "data/orders.json", from: join(root, "skills/order-status/fixtures/orders.json") }],
      graders: [
        { type: "llm", weight: 0.3, config: { text: "Does it name the date?" } },
        { type: "llm", config: { text: "Is it polite?" } },
      ],
    },
    { id: "checked", graders: [{ type: "deterministic", config: { run: "bash graders/check.sh" } }] },
  ]);
});

describe("what these tools' own examples have:", () => {
  const told = (suites: Suite[]) =>
    suites.flatMap(({ problems }) => problems.map(({ code, message }) => `${code}: ${message}`));
  const graders = (suites: Suite[]) =>
    casesOf(suites).map((one) => one.graders.map(({ type, config }) => ({ type, config })));

  test("claude plugin eval: graders of tools, files and counts; its own blank template", async () => {
    const { suites } = await readFolder(
      folderOf(
        {
          "quality/all/prompt.md": "Where is my parcel?\n",
          "quality/all/graders/a-reads.md": "---\ntype: tool_used\ntool: Read\ninput_match: parcel\n---\n",
          "quality/all/graders/b-never.md": "---\ntype: tool_used\ntool: WebFetch\nmin: 0\nmax: 0\n---\n",
          "quality/all/graders/c-order.md": "---\ntype: tool_order\nbefore: Read\nafter: { tool: Write }\n---\n",
          "quality/all/graders/d-file.md":
            "---\ntype: regex\ntarget: { source: file, path: a.csv }\nflags: i\n---\n^a,b\n",
          "quality/all/graders/e-trace.md": "---\ntype: regex\ntarget: trace\npattern: x\n---\n",
          "quality/all/graders/f-count.md": "---\ntype: regex\npattern: x\nmatch: count:3\n---\n",
          "quality/all/graders/g-blank.md":
            "---\ntype: llm\n---\n\nTODO: describe what a successful response looks like\n",
          "quality/all/graders/h-none.md": "---\nweight: 1\n---\nIt is short.\n",
          "quality/one/case.yaml":
            'schema_version: "1.1"\nname: one\nexecution: { prompt: Say hello }\ngraders: [{ type: regex, name: a, pattern: hello }]\n',
        },
        skills,
      ),
    );
    expect(graders(suites)).toEqual([
      [
        { type: "tool_call", config: { tool: "^Read$", pattern: "parcel" } },
        { type: "behavior", config: { forbidden_tools: ["WebFetch"] } },
        { type: "action_sequence", config: { matching_mode: "in_order_match", expected_actions: ["Read", "Write"] } },
        { type: "regex", config: { path: "a.csv", pattern: "(?i-m)^a,b" } },
      ],
      [{ type: "matches", config: { value: "hello" } }],
    ]);
    expect(told(suites).map((one) => /The grader (\S+) is not used/.exec(one)?.[1])).toEqual([
      "e-trace",
      "f-count",
      "g-blank",
      "h-none",
    ]);
  });

  test("claude plugin eval: a skill fires at least once unless `min` says otherwise", async () => {
    const at = (more: string) => ({
      "evals/a/prompt.md": "Where is my parcel?\n",
      "evals/a/graders/x.md": `---\ntype: tool_used\ntool: Skill\ninput_match: refund-policy\n${more}---\n`,
    });
    expect(triggersOf(await read(at("max: 2\n"), "plugin-eval"))).toEqual(["Where is my parcel?: +refund-policy"]);
    const { suites } = await readFolder(folderOf(at("min: 0\n"), skills));
    expect([triggersOf(suites), told(suites)]).toEqual([
      [],
      [expect.stringMatching(/says nothing about its activation/)],
    ]);
  });

  test("AgentV: tests in another file, and what holds for all of them", async () => {
    const { suites, problems } = await readFolder(
      folderOf(
        {
          "evals/suite.yaml":
            "name: all\nworkspace: { template: ws }\ninput: Be brief.\nassertions: [{ type: contains, value: parcel }]\ntests: ./cases.jsonl\n",
          "evals/cases.jsonl": `${JSON.stringify({ id: "a", input: "Where is my parcel?", assertions: [{ type: "skill-trigger", skill: "order-status" }] })}\n${JSON.stringify({ id: "b", input: "Wrap it", criteria: "It is wrapped", assertions: [{ type: "llm-grader" }] })}\n`,
        },
        skills,
      ),
    );
    expect(triggersOf(suites)).toEqual(["Where is my parcel?: +order-status"]);
    expect(suites[0]!.triggers[0]!.messages).toEqual([{ role: "user", content: "Be brief." }]);
    expect(graders(suites)).toEqual([
      [{ type: "matches", config: { value: "(?i)parcel" } }],
      [
        { type: "llm", config: { text: "It is wrapped" } },
        { type: "matches", config: { value: "(?i)parcel" } },
      ],
    ]);
    expect([told(suites), problems]).toEqual([[expect.stringMatching(/workspace has no effect/)], []]);
  });

  test("AgentV: files in a message are staged, not said; rubrics may be one text; limits and tools", async () => {
    const yaml = `tests:
  - id: months
    input:
      - { role: system, content: You are kind }
      - role: user
        content:
          - { type: file, value: evals/files/sales.csv }
          - { type: text, value: Where is my parcel? }
    assertions:
      - { type: skill-trigger, skill: order-status }
      - { type: rubrics, criteria: It names the day }
      - { type: execution-metrics, max_tool_calls: 4 }
      - { type: latency, max_ms: 5000 }
      - { type: tool-trajectory, mode: in_order, expected: [{ tool: Read }, { tool: Write, args: any }] }
      - { type: not-contains, value: sorry }
`;
    const { suites } = await readFolder(
      folderOf({ "evals/a.EVAL.yaml": yaml, "evals/files/sales.csv": "a,b\n" }, skills),
    );
    expect(triggersOf(suites)).toEqual(["Where is my parcel?: +order-status"]);
    expect(suites[0]!.triggers[0]!.files.map(({ path }) => path)).toEqual(["evals/files/sales.csv"]);
    expect(graders(suites)).toEqual([
      [
        { type: "llm", config: { text: "It names the day" } },
        { type: "behavior", config: { max_tool_calls: 4 } },
        { type: "behavior", config: { max_duration_ms: 5000 } },
        { type: "action_sequence", config: { matching_mode: "in_order_match", expected_actions: ["Read", "Write"] } },
        { type: "not_matches", config: { value: "(?i)sorry" } },
      ],
    ]);
    expect(told(suites)).toEqual([expect.stringMatching(/system message has no effect/)]);
  });

  test("AgentV's later form: what is asked is in vars", async () => {
    const yaml =
      'prompts: ["{{ input }}"]\ntests:\n  - id: a\n    vars: { input: Where is my parcel? }\n    assert: [{ type: skill-used, value: order-status }]\n  - id: b\n    vars: { input: Wrap it, expected_output: Wrapped }\n    assert: [It is wrapped]\n';
    const suites = await read({ "evals/a.eval.yaml": yaml }, "agentv");
    expect(triggersOf(suites)).toEqual(["Where is my parcel?: +order-status"]);
    expect(casesOf(suites)).toMatchObject([
      { prompt: "Wrap it", expectedOutput: "Wrapped", graders: [{ type: "llm", config: { text: "It is wrapped" } }] },
    ]);
  });

  test("skillgrade: tasks in other files, a time of its own, and a program outside the workspace", async () => {
    const yaml = `version: "1"
tasks:
  - name: lint
    instruction: Fix app.js
    timeout: 600
    workspace: [{ src: bin/lint, dest: /usr/local/bin/lint, chmod: "+x" }]
    graders: [{ type: llm_rubric, rubric: Is it right? }]
  - $import: tasks/*.yaml
    trials: 7
  - $import: gone.yaml
`;
    const { suites, problems } = await readFolder(
      folderOf(
        {
          "skills/order-status/eval.yaml": yaml,
          "skills/order-status/bin/lint": "x",
          "skills/order-status/tasks/one.yaml":
            "name: one\ninstruction: texts/one.md\ngraders: [{ type: llm_rubric, rubric: rubric.md }]\n",
          "skills/order-status/tasks/rubric.md": "Is it short?\n",
          "skills/order-status/texts/one.md": "Find parcel 17.\n",
        },
        skills,
      ),
    );
    expect(casesOf(suites)).toMatchObject([
      { id: "lint", limits: { timeoutSeconds: 600 }, faults: expect.anything() },
      { id: "one", prompt: "Find parcel 17.", runs: 7, graders: [{ type: "llm", config: { text: "Is it short?" } }] },
    ]);
    expect([...told(suites), ...problems]).toEqual([
      expect.stringMatching(/\$import names no file that is there: gone\.yaml/),
      expect.stringMatching(/"\/usr\/local\/bin\/lint" lies outside the workspace/),
    ]);
  });

  test("assay: one file as a fixture, contents of files, tools; instructions are named", async () => {
    const yaml = `target: { skill: order-status }
context: { instructions: CLAUDE.md }
cases:
  - id: complete.x
    prompt: Where is my parcel?
    setup: { fixtures: ./fixtures/draft.md }
    expect:
      triggered: true
      assertions:
        - { type: file_content_matches, path: out/a.csv, matches: x, flags: i }
        - { type: trace, rule: tool_called, tool: Read }
        - { type: trace, rule: tool_sequence, tools: [Read, Write] }
`;
    const { suites } = await readFolder(
      folderOf({ "suites/o.suite.yaml": yaml, "suites/fixtures/draft.md": "x" }, skills),
    );
    expect(casesOf(suites)[0]!.files.map(({ path }) => path)).toEqual(["draft.md"]);
    expect(graders(suites)).toEqual([
      [
        { type: "regex", config: { path: "out/a.csv", pattern: "(?i-m)x" } },
        { type: "behavior", config: { required_tools: ["Read"] } },
        { type: "action_sequence", config: { matching_mode: "in_order_match", expected_actions: ["Read", "Write"] } },
      ],
    ]);
    expect(told(suites)).toEqual([expect.stringMatching(/context\.instructions has no effect/)]);
  });
});
