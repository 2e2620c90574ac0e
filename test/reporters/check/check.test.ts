import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Problem } from "../../../src/base/index.ts";
import {
  type Checked,
  checkGithub,
  checkJson,
  checkSarif,
  checkText,
  orderedProblems,
} from "../../../src/reporters/index.ts";

const cwd = resolve("/work tree");
const skillFile = join(cwd, "skills", "refund-policy", "SKILL.md");
const suiteFile = join(cwd, "evals", "order-status", "triggers.yaml");
const skillText = "---\nname: refund-policy\ndescription: Handles refunds: when, how, for whom\n---\n";

const colon: Problem = {
  code: "skill/unquoted-colon",
  severity: "error",
  message: 'Copilot CLI drops this skill silently: its description has an unquoted ": ".',
  fix: "put the description in quotes",
  location: { file: skillFile, line: 3, column: 28 },
  edits: [{ start: 1, end: 1, text: '"' }],
};
const siblings: Problem = {
  code: "suite/no-sibling-negatives",
  severity: "warning",
  message: "None of the 6 negatives belongs to a sibling.",
  location: { file: suiteFile },
};
const note: Problem = {
  code: "skill/long-body",
  severity: "info",
  message: "Long.",
  location: { file: skillFile, line: 1 },
};

function checked(problems: Problem[], fixed: Problem[] = []): Checked {
  return { cwd, problems, fixed, rules: [], skills: 6, copies: 0, suites: 6, questions: 48, seconds: 0.0871 };
}

function screen(found: Checked, options: { quiet?: boolean; verbose?: boolean; width?: number } = {}) {
  const read = (file: string) => (file === skillFile ? skillText : undefined);
  return checkText(found, { color: false, width: 100, quiet: false, verbose: false, read, ...options });
}

test("the screen says what is wrong, where, why and what to do, and sums it up", () => {
  expect(screen(checked([siblings, colon]))).toBe(`evals/order-status/triggers.yaml  warning  suite/no-sibling-negatives
  None of the 6 negatives belongs to a sibling.
  proctor explain no-sibling-negatives

skills/refund-policy/SKILL.md:3:28  error  skill/unquoted-colon
  Copilot CLI drops this skill silently: its description has an unquoted ": ".

  2 │ name: refund-policy
▸ 3 │ description: Handles refunds: when, how, for whom
    │                            ^

  fix: put the description in quotes (proctor check --fix does it)    proctor explain unquoted-colon

1 error, 1 warning in 6 skills, 6 suites (0.09 s)
1 can be fixed: proctor check --fix
`);
});

test("nothing wrong is one line", () => {
  expect(screen(checked([]))).toBe("No problems in 6 skills, 6 suites (0.09 s)\n");
});

test("of many alike one is told whole and the others by their places: five warnings more, and every error", () => {
  const many = (problem: Problem) =>
    Array.from({ length: 9 }, (_, at) => ({ ...problem, location: { file: suiteFile, line: at + 1 } }));
  const text = screen(checked([...many(siblings), ...many(colon)]));
  expect(text.match(/warning {2}suite/g)).toHaveLength(1);
  expect(text.match(/error {2}skill/g)).toHaveLength(1);
  expect(text).toMatch(
    /the same warning in 8 more places:\n(?: {4}\S+:[2-6]\n){5} {4}… and 3 more: --verbose shows all\n/,
  );
  expect(text).toMatch(/the same error in 8 more places:\n(?: {4}\S+:[2-9]\n){8}/);
  expect(text).toContain("9 errors, 9 warnings in");
  expect(screen(checked(many(siblings)), { verbose: true }).match(/warning {2}suite/g)).toHaveLength(9);
});

test("many errors of one code are told file by file", () => {
  const other = { ...colon, location: { file: suiteFile, line: 3 } };
  const many = Array.from({ length: 20 }, (_, at) => ({ ...colon, location: { ...colon.location, line: at + 1 } }));
  const text = screen(checked([...many, other]));
  expect(text).toMatch(
    /the same error in 20 more places \(--verbose shows all\):\n {4}\S+:2\S* and 18 more: lines 3, 4, 5, 6, 7, 8 …\n {4}\S+:3\n/,
  );
  expect(screen(checked(many), { verbose: true }).match(/error {2}skill/g)).toHaveLength(20);
});

test("what is different about the others of a kind stands beside their places", () => {
  const other = {
    ...siblings,
    message: "None of the 8 negatives belongs to a sibling.",
    location: { file: suiteFile, line: 20 },
  };
  const text = screen(checked([siblings, other]));
  expect(text).toMatch(
    /\n {2}1 more of suite\/no-sibling-negatives:\n {4}\S+:20 {2}None of the 8 negatives belongs to a sibling\.\n/,
  );
  expect(text).not.toContain("the same");
});

test("a name that was meant stands after the message, and is not cut with it", () => {
  const slip = (line: number, message: string, fix: string): Problem => ({
    ...colon,
    message,
    fix,
    location: { file: suiteFile, line },
  });
  const first = slip(1, '"querry" is no field.', "Did you mean query?");
  const short = slip(2, '"runz" is no field.', "Did you mean runs?");
  const long = slip(3, `"tgas" is no field${" at all".repeat(30)}.`, "Did you mean tags?");
  const text = screen(checked([first, short, long]));
  expect(text).toMatch(/\S+:2 {2}"runz" is no field\. Did you mean runs\?\n/);
  expect(text).toMatch(/\S+:3 {2}"tgas" is no field at all.*… Did you mean tags\?\n/);
});

test("messages and what to do are wrapped to the width", () => {
  const text = screen(checked([{ ...colon, message: "many words ".repeat(40), fix: "more words ".repeat(20) }]), {
    width: 60,
  });
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(63);
  expect(text).toContain("proctor explain unquoted-colon");
});

test("notes are counted and not shown until --verbose", () => {
  expect(screen(checked([note]))).toBe(
    "No problems in 6 skills, 6 suites (0.09 s)\n1 note not shown: --verbose shows it\n",
  );
  expect(screen(checked([note]), { verbose: true })).toContain("SKILL.md:1  info  skill/long-body");
});

test("--quiet shows errors and counts the rest", () => {
  const text = screen(checked([siblings, colon]), { quiet: true });
  expect(text).not.toContain("no-sibling-negatives");
  expect(text).toContain("1 warning not shown (--quiet)");
});

test("what --fix mended is listed first", () => {
  expect(screen(checked([], [colon]))).toMatch(
    /^fixed {2}skills\/refund-policy\/SKILL.md:3:28 {2}skill\/unquoted-colon\n\n/,
  );
});

test("names and contents of files cannot speak to the terminal", () => {
  const evil = "\u001b]0;owned\u0007\u001b[2J\rok";
  const problem: Problem = {
    ...colon,
    message: `Name ${evil}`,
    fix: evil,
    location: { file: join(cwd, `a${evil}`), line: 1, column: 1 },
  };
  const text = checkText(checked([problem]), {
    width: 100,
    quiet: false,
    verbose: false,
    read: () => `${evil} text`,
  });
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("problems come by file, line and column, each once", () => {
  const at = (file: string, line?: number, column?: number): Problem => ({
    ...siblings,
    location: {
      file: join(cwd, file),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    },
  });
  const order = orderedProblems([at("b", 2, 9), at("b", 2, 1), at("a", 10), at("b"), at("a", 9), at("b", 2, 9)], cwd);
  expect(order.map(({ location }) => [location.file.slice(cwd.length + 1), location.line, location.column])).toEqual([
    ["a", 9, undefined],
    ["a", 10, undefined],
    ["b", undefined, undefined],
    ["b", 2, 1],
    ["b", 2, 9],
  ]);
});

test("json is a versioned document with relative paths", () => {
  expect(JSON.parse(checkJson(checked([siblings, colon])))).toEqual({
    version: 1,
    problems: [
      {
        code: "suite/no-sibling-negatives",
        severity: "warning",
        message: siblings.message,
        file: "evals/order-status/triggers.yaml",
        fixable: false,
        docs: "docs/rules/no-sibling-negatives.md",
      },
      {
        code: "skill/unquoted-colon",
        severity: "error",
        message: colon.message,
        fix: "put the description in quotes",
        file: "skills/refund-policy/SKILL.md",
        line: 3,
        column: 28,
        fixable: true,
        docs: "docs/rules/unquoted-colon.md",
      },
    ],
    fixed: [],
    summary: { errors: 1, warnings: 1, infos: 0, fixable: 1, fixed: 0, skills: 6, suites: 6, questions: 48 },
  });
});

test("github annotations are escaped, so that no file can write a command", () => {
  const nasty: Problem = {
    ...colon,
    message: "50% wrong\n::set-output name=x::y\r\u001b[2K",
    fix: "quote it",
    location: { file: join(cwd, "a,b:c.md"), line: 2, column: 4 },
  };
  expect(checkGithub(checked([siblings, nasty, note]))).toBe(
    [
      "::error file=a%2Cb%3Ac.md,line=2,col=4,title=skill/unquoted-colon::50%25 wrong%0A::set-output name=x::y%0D [2K%0Afix: quote it",
      "::warning file=evals/order-status/triggers.yaml,title=suite/no-sibling-negatives::None of the 6 negatives belongs to a sibling.",
      "::notice file=skills/refund-policy/SKILL.md,line=1,title=skill/long-body::Long.",
      "",
    ].join("\n"),
  );
});

test("sarif has what version 2.1.0 requires, with levels, relative URIs and regions only where known", () => {
  const spaced: Problem = { ...note, location: { file: join(cwd, "my skills", "ü.md") } };
  const found: Checked = {
    ...checked([siblings, colon, spaced]),
    rules: [
      { code: "skill/unquoted-colon", severity: "error", summary: "A description has an unquoted colon." },
      { code: "skill/never-seen", severity: "warning", summary: "Known, not found." },
    ],
  };
  const log = JSON.parse(
    checkSarif(found, { page: (page) => (page.endsWith("unquoted-colon.md") ? "# Quote it" : undefined) }),
  );
  expect(log).toMatchObject({ version: "2.1.0", $schema: expect.stringContaining("sarif-2.1.0") });
  expect(log.runs).toHaveLength(1);
  const [run] = log.runs;
  expect(run.tool.driver).toMatchObject({ name: "Proctor", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const { rules } = run.tool.driver;
  expect(rules.map((rule: { id: string }) => rule.id)).toEqual([
    "skill/long-body",
    "skill/never-seen",
    "skill/unquoted-colon",
    "suite/no-sibling-negatives",
  ]);
  expect(rules[2]).toMatchObject({
    name: "SkillUnquotedColon",
    shortDescription: { text: "A description has an unquoted colon." },
    help: { text: "# Quote it", markdown: "# Quote it" },
    defaultConfiguration: { level: "error" },
  });
  for (const result of run.results) {
    expect(rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(result.message.text.length).toBeGreaterThan(0);
    expect(["error", "warning", "note"]).toContain(result.level);
    const { uri } = result.locations[0].physicalLocation.artifactLocation;
    expect(uri).not.toMatch(/^\/|\\| /);
  }
  const places = run.results.map(
    (result: { locations: { physicalLocation: object }[] }) => result.locations[0]!.physicalLocation,
  );
  expect(places).toEqual([
    { artifactLocation: { uri: "evals/order-status/triggers.yaml" } },
    { artifactLocation: { uri: "skills/refund-policy/SKILL.md" }, region: { startLine: 3, startColumn: 28 } },
    { artifactLocation: { uri: "my%20skills/%C3%BC.md" } },
  ]);
  expect(run.results.map((result: { level: string }) => result.level)).toEqual(["warning", "error", "note"]);
});
