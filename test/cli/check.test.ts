import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { proctor } from "./run-main.ts";

let folder: string;
const start = process.cwd();
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "proctor-check-")));
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(start);
  process.exitCode = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nDo the thing, step by step, and say what was done.\n`;
}

const good = skill("refund-policy", "Explains refunds and their periods. Use when a customer asks about a refund.");
const colon = skill("refund-policy", "Explains refunds: who, when, how. Use when a customer asks about a refund.");

test("a clean library ends with 0 and one line", async () => {
  await files({ "skills/refund-policy/SKILL.md": good });
  const { code, out } = await proctor("check");
  expect(out).toMatch(/^No problems in 1 skill, 0 suites \(\d+\.\d\d s\)\n/);
  expect(code).toBe(0);
});

test("a problem is shown with its place, code frame, fix and page, and ends with 1", async () => {
  await files({ "skills/refund-policy/SKILL.md": colon });
  const { code, out } = await proctor("check");
  expect(out).toContain("skills/refund-policy/SKILL.md:3:30  error  skill/unquoted-colon\n");
  expect(out).toContain("▸ 3 │ description: Explains refunds: who, when, how.");
  expect(out).toContain("proctor explain unquoted-colon");
  expect(out).toMatch(/1 error in 1 skill, 0 suites/);
  expect(code).toBe(1);
});

test("--fix mends only what it must, checks again and says what it did", async () => {
  const windows = `\ufeff${colon.replaceAll("\n", "\r\n")}`;
  await files({ "skills/refund-policy/SKILL.md": windows });
  const { code, out } = await proctor("check", "--fix");
  const text = await readFile(join(folder, "skills/refund-policy/SKILL.md"), "utf8");
  expect(text).toContain(
    'description: "Explains refunds: who, when, how. Use when a customer asks about a refund."\r\n',
  );
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  expect(out).toMatch(/^fixed {2}skills\/refund-policy\/SKILL\.md:1/);
  expect(out).toContain("2 fixed");
  expect(code).toBe(0);
  expect((await proctor("check", "--fix")).out).not.toContain("fixed");
});

test("json, github and sarif tell the same", async () => {
  await files({ "skills/refund-policy/SKILL.md": colon });
  vi.stubEnv("GITHUB_WORKSPACE", join(folder, "skills"));
  const json = JSON.parse((await proctor("check", "--format", "json")).out);
  expect(json).toMatchObject({ version: 1, summary: { errors: 1, skills: 1 } });
  expect(json.problems[0]).toMatchObject({
    code: "skill/unquoted-colon",
    file: "skills/refund-policy/SKILL.md",
    line: 3,
    column: 30,
  });
  const github = (await proctor("check", "--format", "github")).out;
  expect(github).toMatch(/^::error file=refund-policy\/SKILL\.md,line=3,col=30,title=skill\/unquoted-colon::/);
  const sarif = JSON.parse((await proctor("check", "--format", "sarif")).out);
  const [run] = sarif.runs;
  expect(run.results[0]).toMatchObject({ ruleId: "skill/unquoted-colon", level: "error" });
  expect(run.tool.driver.rules[run.results[0].ruleIndex]).toMatchObject({
    id: "skill/unquoted-colon",
    help: { markdown: expect.any(String) },
  });
  vi.unstubAllEnvs();
});

test("the configuration sets levels, and a rule that does not exist is an error in it", async () => {
  await files({
    "skills/refund-policy/SKILL.md": colon,
    "proctor.config.yaml": "rules:\n  skill/unquoted-colon: warning\n",
  });
  expect((await proctor("check")).code).toBe(0);
  await files({ "proctor.config.yaml": "rules:\n  skill/unquoted-colon: off\n" });
  expect((await proctor("check")).out).toMatch(/^No problems/);
  await files({ "other.yaml": "rules:\n  skill/unquoted-colons: off\n" });
  const { code, err } = await proctor("check", "--config", "other.yaml");
  expect(code).toBe(2);
  expect(err).toContain("Did you mean skill/unquoted-colon");
});

test("more warnings than allowed end with 1", async () => {
  await files({
    "skills/refund-policy/SKILL.md": colon,
    "proctor.config.yaml": "rules:\n  skill/unquoted-colon: warning\n",
  });
  expect((await proctor("check", "--max-warnings", "1")).code).toBe(0);
  const { code, err } = await proctor("check", "--max-warnings", "0");
  expect(code).toBe(1);
  expect(err).toContain("1 warning, and at most 0 are allowed");
  await files({ "proctor.config.yaml": "rules:\n  skill/unquoted-colon: warning\nmax_warnings: 0\n" });
  expect((await proctor("check")).code).toBe(1);
});

test("paths choose what is reported, and the library stays whole", async () => {
  await files({
    "proctor.config.yaml": "{}",
    "skills/refund-policy/SKILL.md": colon,
    "skills/gift-cards/SKILL.md": skill("gift-cards", "Handles gift cards. Use when a customer mentions a gift card."),
    "evals/gift-cards/triggers.yaml":
      "triggers:\n  - { query: How much is left on my card?, should_trigger: true }\n  - { query: I want my money back, should_trigger: false, expect: refund-policy }\n",
  });
  const { code, out } = await proctor("check", "evals", "skills/gift-cards");
  expect(out).not.toContain("unknown-skill");
  expect(out).toContain("in 1 skill, 1 suite");
  expect(code).toBe(0);
});

test("each library of the configuration is checked with its own suites", async () => {
  await files({
    "proctor.config.yaml": "libraries:\n  shop: shop/**\n  bank: bank/**\n",
    "shop/skills/refund-policy/SKILL.md": good,
    "shop/evals/refund-policy/triggers.yaml":
      "triggers:\n  - { query: Where is my money?, should_trigger: true }\n  - { query: Open an account, should_trigger: false, expect: accounts }\n",
    "bank/skills/accounts/SKILL.md": skill("accounts", "Opens bank accounts. Use when a customer wants an account."),
  });
  const { out } = await proctor("check");
  expect(out).toContain("suite/unknown-skill");
  expect(out).toContain("in 2 skills, 1 suite");
});

test("nothing to check says what was looked for and where, and ends with 2", async () => {
  await files({ "notes/readme.txt": "hello" });
  const { code, out, err } = await proctor("check", "notes");
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toContain("There is no skill and no suite in notes");
  expect(err).toContain("SKILL.md");
});

test.each([
  [["check", "nowhere"], "nowhere"],
  [["check", "--host", "netscape"], "claude-code"],
  [["check", "--max-warnings", "few"], "few"],
  [["check", "--format", "xml"], "sarif"],
])("%j cannot be done: 2, and the way out", async (words, hint) => {
  await files({ "skills/refund-policy/SKILL.md": good });
  const { code, err } = await proctor(...words);
  expect(code).toBe(2);
  expect(err).toContain(hint);
});

test("--host speaks of that host alone", async () => {
  await files({ "skills/refund-policy/SKILL.md": colon });
  expect((await proctor("check", "--host", "copilot")).code).toBe(1);
  const { out, code } = await proctor("check", "--host", "codex,gemini");
  expect(out).not.toContain("Copilot");
  expect(code).toBe(0);
});

test.each(["skills/refund-policy/SKILL.md", "skills/refund-policy/references/periods.md", "README.md"])(
  "a clean file alone, as a commit hook names it, is no error: %s",
  async (file) => {
    await files({
      "skills/refund-policy/SKILL.md": good,
      "skills/refund-policy/references/periods.md": "30 days.\n",
      "README.md": "# Shop\n",
    });
    const { code, out } = await proctor("check", file);
    expect(out).toMatch(file === "README.md" ? /^No problems in 0 skills/ : /^No problems in 1 skill,/);
    expect(code).toBe(0);
  },
);

describe("a file that somebody names, with prompts that are not understood,", () => {
  const rows =
    '{"prompt": "Where is my parcel?", "verdict": "maybe"}\n{"prompt": "Can I have my money back?", "verdict": "no idea"}\n';

  test.each([
    ["rows without a label", "a.jsonl", rows, "nothing in it was understood as a question"],
    ["a table", "a.csv", "prompt,mood\nWhere is my parcel?,sad\n", "nothing in it was understood as a question"],
    ["rows without a comma", "a.jsonl", '{"prompt": "Where is my parcel?" "should_trigger": true}\n', "not valid JSON"],
  ])("is told: %s", async (_, file, text, words) => {
    await files({ [file]: text });
    expect((await proctor("check", file)).out).toContain(words);
    await files({ "skills/refund-policy/SKILL.md": good });
    expect((await proctor("check", file)).out).toContain(words);
  });

  test("is told even where another one in its folder comes first", async () => {
    await files({ "skills/refund-policy/SKILL.md": good, "evals/a.jsonl": rows, "evals/b.jsonl": rows });
    expect((await proctor("check", "evals/b.jsonl")).out).toMatch(/^evals\/b\.jsonl {2}warning {2}suite\/not-read/);
  });

  test.each([
    ["package.json", '{ "name": "shop", "scripts": { "test": "vitest" } }'],
    ["words.json", '{ "hello": { "message": "Good morning to you" }, "bye": { "text": "See you soon" } }'],
    ["board.json", '{ "panels": [{ "query": "SELECT name FROM orders WHERE id = 1", "target": "x" }] }'],
    ["answers.jsonl", '{"prompt": "Where is my parcel?", "response": "On its way"}\n'],
    ["broken.json", '{ "name": "shop", '],
    ["app.py", 'prompt = "Where is my parcel?"\n'],
    ["chart.yaml", "{{ if x }}\nprompt: Where is my parcel?\n{{ end }}\n"],
  ])("and anything else is not: %s", async (file, text) => {
    await files({ "skills/refund-policy/SKILL.md": good, [file]: text });
    const { code, out } = await proctor("check", file);
    expect(out).toMatch(/^No problems in 0 skills/);
    expect(code).toBe(0);
  });
});

test("files of two libraries and of none, as a commit hook names them, are checked each where it belongs", async () => {
  await files({
    "shop/proctor.config.yaml": "{}",
    "shop/skills/refund-policy/SKILL.md": good,
    "bank/proctor.config.yaml": "{}",
    "bank/skills/refund-policy/SKILL.md": colon,
    "notes/README.md": "# Notes\n",
  });
  const { code, out } = await proctor(
    "check",
    "shop/skills/refund-policy/SKILL.md",
    join(folder, "bank/skills/refund-policy/SKILL.md"),
    "notes/README.md",
  );
  expect(out).toContain("bank/skills/refund-policy/SKILL.md:3");
  expect(out).toContain("1 error in 2 skills");
  expect(code).toBe(1);
  expect((await proctor("check", "shop/skills/refund-policy/SKILL.md", "gone.md")).code).toBe(2);
});

test("--fix on one file fixes it and is content", async () => {
  await files({ "skills/refund-policy/SKILL.md": colon });
  expect((await proctor("check", "skills/refund-policy/SKILL.md", "--fix")).code).toBe(0);
});

test("a folder without skills and suites is still an error", async () => {
  await files({ "docs/readme.md": "# Nothing\n", "skills/refund-policy/SKILL.md": good });
  expect((await proctor("check", "docs")).code).toBe(2);
});
