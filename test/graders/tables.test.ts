import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test, vi } from "vitest";
import { dialects } from "../../src/graders/dialects.ts";
import { gradeQuestion, graders } from "../../src/graders/index.ts";
import { judge, programs, table, tabled, transcript } from "./table.ts";

// As where only Proctor is installed: the tokenizers are a package that it does not bring along.
vi.mock("gpt-tokenizer/encoding/cl100k_base", () => {
  throw new Error("Cannot find package 'gpt-tokenizer'");
});

const suiteDir = mkdtempSync(join(tmpdir(), "proctor-graders-"));
mkdirSync(join(suiteDir, "skills", "pdf"), { recursive: true });
writeFileSync(
  join(suiteDir, "skills", "pdf", "SKILL.md"),
  "---\nname: pdf\ndescription: Fills PDF forms. USE FOR: fill a form\n---\nBody\n",
);
writeFileSync(join(suiteDir, "want.txt"), "one\ntwo\n");
writeFileSync(join(suiteDir, "check.sh"), "exit 0\n");
afterAll(() => rmSync(suiteDir, { recursive: true, force: true }));

const noFiles = "this target has no workspace, so there are no files to look at";
const noTools = "this target uses no tools";
const noPrograms = "this target has no workspace that a program could be started in";
const noSandbox = "a suite's programs are not started without a sandbox";
const noJudge = "It needs a judge, and none is set";
const bash = { tool: "Bash", input: { command: "fill_form a.pdf" } };
const exited = (code: number, stdout = "") => ({
  programs: programs({ status: "exited" as const, code, stdout, stderr: "" }),
});
const broken = { programs: programs({ status: "failed" as const, why: "there is no program nope" }) };

const always = "there is always a reply to look at";
const looks = "it only looks";
const guarded = "a gate that fails spares the judge, which is a row of its own for all judged graders";

describe("about the skills that fired", () => {
  table("skill_invocation", [
    ["passes", { required_skills: ["a"], mode: "any_order" }, { fired: ["a", "b"] }, "a fired"],
    ["passes", { forbidden_skills: ["b"] }, { fired: ["a"] }, "b stayed silent"],
    ["fails", { required_skills: ["a"], mode: "any_order" }, { fired: ["b"] }, "a did not fire (fired: b)"],
    [
      "fails",
      { required_skills: ["a"], mode: "any_order", forbidden_skills: ["b"] },
      { fired: ["a", "b"] },
      "b fired, but must not",
    ],
    ["fails", { allow_extra: false }, { fired: ["c"] }, "c fired, and no skill may"],
    [
      "never",
      "skipped",
      "what fired is known of every trial that was measured; what a prediction leaves open is in cannot-tell.test.ts",
    ],
    ["never", "error", looks],
    ["refused", {}, "Nothing to check: name required_skills or forbidden_skills"],
    ["refused", { required_skills: ["a"] }, "required_skills needs a mode: exact_match, in_order or any_order"],
    [
      "refused",
      { required_skills: ["a"], forbidden_skills: ["a"], mode: "in_order" },
      "`a` is both required and forbidden",
    ],
  ]);
});

describe("about the reply", () => {
  table("contains", [
    ["passes", { value: "Ada" }, { reply: "Dear Ada" }, 'the reply contains "Ada"'],
    ["passes", { value: 42 }, { reply: "42 lines" }, 'the reply contains "42"'],
    ["fails", { value: "ada" }, { reply: "Dear Ada" }, 'the reply does not contain "ada"'],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", { value: "" }, "Every reply contains an empty text"],
    ["refused", { value: "x", case: true }, 'There is no setting "case". The settings are value'],
  ]);
  table("not_contains", [
    ["passes", { value: "TODO" }, { reply: "Done" }, 'the reply does not contain "TODO"'],
    ["fails", { value: "TODO" }, { reply: "TODO" }, 'the reply contains "TODO", but must not'],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", {}, "value: It is missing; text or a number or true or false is needed"],
  ]);
  table("contains_any", [
    ["passes", { value: ["x", "Ada"] }, { reply: "Dear Ada" }, 'the reply contains "Ada"'],
    ["fails", { value: ["x", "y"] }, { reply: "Dear Ada" }, 'the reply contains none of "x", "y"'],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", { value: [] }, "The list is empty"],
  ]);
  table("contains_all", [
    [
      "passes",
      { value: ["Dear", "Ada"] },
      { reply: "Dear Ada" },
      'the reply contains "Dear"; the reply contains "Ada"',
    ],
    ["fails", { value: ["Dear", "y"] }, { reply: "Dear Ada" }, 'the reply does not contain "y"'],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", { value: "x" }, 'value: It is "x"; a list is needed'],
  ]);
  table("matches", [
    ["passes", { value: "\\d+ lines" }, { reply: "42 lines" }, '"42 lines" in the reply matches'],
    ["fails", { value: "^\\d+$" }, { reply: "42 lines" }, "nothing in the reply matches"],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", { value: "(?=x)" }, "Not a pattern"],
    ["refused", { value: "(a)\\1", syntax: "python" }, "has no back-references"],
  ]);
  table("not_matches", [
    ["passes", { value: "(?i)todo" }, { reply: "Done" }, "nothing in the reply matches"],
    ["fails", { value: "(?i)todo" }, { reply: "a TODO" }, "but must not"],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["refused", { value: "(" }, "Not a pattern"],
  ]);
  table("min_tokens", [
    // Python's `split` knows these, and not the mark at the beginning of a file.
    ["passes", { value: 3 }, { reply: "\ufeff a\u0085b\u001cc" }, "the reply has 4 words, at least 3 are required"],
    ["passes", { value: 2 }, { reply: "one two" }, "the reply has 2 words, at least 2 are required"],
    ["fails", { value: 3 }, { reply: "one two" }, "the reply has 2 words, at least 3 are required"],
    ["never", "skipped", always],
    [
      "error",
      { value: { value: 1, tokenizer: "cl100k_base" } },
      { reply: "one two" },
      "`min_tokens` failed: counting cl100k_base tokens needs a package that is not installed: npm install gpt-tokenizer",
    ],
    ["refused", { value: -1 }, "value: -1 is too small: at least 0 is needed"],
    [
      "refused",
      { value: { value: 1, tokenizer: "o200k" } },
      'value.tokenizer: "o200k" is none of words, o200k_base, cl100k_base',
    ],
  ]);
  table("max_tokens", [
    ["passes", { value: 2 }, { reply: "one two" }, "the reply has 2 words, at most 2 are allowed"],
    ["fails", { value: 1 }, { reply: "one two" }, "the reply has 2 words, at most 1 are allowed"],
    ["never", "skipped", always],
    [
      "error",
      { value: { value: 1, tokenizer: "cl100k_base" } },
      { reply: "one two" },
      "`max_tokens` failed: counting cl100k_base tokens needs a package that is not installed: npm install gpt-tokenizer",
    ],
    ["refused", { value: "many" }, 'value: It is "many"; a number or a mapping is needed'],
  ]);
  table("tokens", [
    ["passes", { min: 2, max: 2 }, { reply: "one two" }, /2 words, at least 2 are required; .*, at most 2 are allowed/],
    ["fails", { max: 1 }, { reply: "one two" }, "the reply has 2 words, at most 1 are allowed"],
    ["fails", { min: 3, max: 4 }, { reply: "one two" }, "the reply has 2 words, at least 3 are required"],
    ["never", "skipped", always],
    ["error", { min: 1, tokenizer: "cl100k_base" }, {}, "needs a package that is not installed"],
    ["refused", {}, "Nothing to check: name min or max"],
    ["refused", { min: 3, max: 2 }, "min is larger than max"],
  ]);
  const person = { type: "object", required: ["name"] };
  table("json_schema", [
    ["passes", { value: person }, { reply: '{"name":"Ada"}' }, "the reply matches the schema"],
    ["passes", { schema: person }, { reply: '```json\n{"name":"Ada"}\n```' }, "the reply matches the schema"],
    ["fails", { value: person }, { reply: "{}" }, "the reply must have required property 'name'"],
    // Every object inherits one; the reply has none of its own.
    ["fails", { value: { required: ["constructor"] } }, { reply: "{}" }, "must have required property 'constructor'"],
    [
      "passes",
      { schema: person, extract_json: true },
      { reply: 'See [the list]: {"name":"Ada"} it is.' },
      "the reply matches the schema",
    ],
    [
      "passes",
      { schema: person },
      { reply: 'See [1].\n```json\n{"name":"Ada"}\n```\n' },
      "the reply matches the schema",
    ],
    ["fails", { value: person }, { reply: "Ada" }, "the reply is not JSON and has none in it"],
    [
      "fails",
      { value: person },
      { reply: '{"name":"Ada"} or {"name":"Bob"}' },
      "the reply has 2 pieces of JSON in it, and nothing says which one is meant",
    ],
    ["fails", { value: person, extract_json: false }, { reply: '```\n{"name":"Ada"}\n```' }, "the reply is not JSON"],
    ["never", "skipped", always],
    [
      "error",
      { schema_file: "gone.json" },
      { reply: "{}" },
      "gone.json cannot be used: there is no such file",
      { suiteDir },
    ],
    ["refused", {}, "There is no schema: name value, schema or schema_file"],
    ["refused", { value: { type: "text" } }, "it is not a JSON Schema"],
  ]);
  table("text", [
    [
      "passes",
      { contains: ["HELLO"], not_contains: ["bye"], regex_match: ["h.llo"] },
      { reply: "Hello, hello" },
      'the reply contains "HELLO"',
    ],
    ["passes", { contains_any: ["x", "ello"] }, { reply: "Hello" }, 'the reply contains "ello"'],
    ["fails", { contains_cs: ["HELLO"] }, { reply: "hello" }, 'the reply does not contain "HELLO"'],
    [
      "fails",
      { not_contains: ["Hello"], contains: ["hello"] },
      { reply: "hello" },
      'the reply contains "Hello", but must not',
    ],
    ["fails", { contains_any: ["x", "y"] }, { reply: "hello" }, 'the reply contains none of "x", "y"'],
    ["fails", { regex_not_match: ["^h"] }, { reply: "hello" }, '"h" in the reply matches /^h/, but must not'],
    ["never", "skipped", always],
    ["never", "error", looks],
    ["passes", { contains_any_cs: ["x", "ell"] }, { reply: "hello" }, 'the reply contains "ell"'],
    ["fails", { contains_any_cs: ["ELL"] }, { reply: "hello" }, 'the reply contains none of "ELL"'],
    ["passes", { regex_match: ["^two$"], syntax: "lines" }, { reply: "one\ntwo" }, '"two" in the reply matches'],
    ["refused", {}, "Nothing to check: name one of contains"],
    ["refused", { regex_match: ["(a)\\1"], syntax: "python" }, "has no back-references"],
    ["refused", { regex_match: ["("] }, "Not a pattern (RE2 syntax)"],
    ["refused", { contain: ["x"] }, 'There is no setting "contain". Did you mean contains?'],
  ]);
  table("regex", [
    ["passes", { pattern: "^two$" }, { reply: "one\ntwo" }, '"two" in the reply matches /^two$/'],
    ["passes", { pattern: "Ada", path: "a.txt" }, { files: { "a.txt": "Ada" } }, '"Ada" in a.txt matches /Ada/'],
    [
      "passes",
      { pattern: "Ada", path: "**/*.txt" },
      { files: { "a.txt": "Bob", "out/b.txt": "Ada" } },
      '"Ada" in out/b.txt matches /Ada/',
    ],
    [
      "fails",
      { pattern: "Ada", path: "*.txt" },
      { files: { "a.txt": "Bob", "out/b.txt": "Ada" } },
      "nothing in *.txt matches /Ada/",
    ],
    ["fails", { pattern: "three" }, { reply: "one" }, "nothing in the reply matches /three/"],
    ["fails", { pattern: "x", path: "a.txt" }, { files: {} }, "a.txt does not exist"],
    ["skipped", { pattern: "x", path: "a.txt" }, {}, noFiles],
    [
      "error",
      { pattern: "x", path: "a.txt" },
      { files: { "a.txt": { bytes: 9_000_000 } } },
      "it was too large to keep (9000000 bytes)",
    ],
    ["refused", { pattern: "(?=x)" }, "Not a pattern"],
    ["refused", { pattern: "x", path: "../a" }, 'The path "../a" leads out of the workspace'],
  ]);
  table("not_regex", [
    ["passes", { pattern: "TODO", path: "a.txt" }, { files: { "a.txt": "done" } }, "nothing in a.txt matches /TODO/"],
    ["fails", { pattern: "done" }, { reply: "done" }, '"done" in the reply matches /done/, but must not'],
    [
      "fails",
      { pattern: "x", path: "*.txt" },
      { files: { "a.txt": "y", "b.txt": "x" } },
      '"x" in b.txt matches /x/, but must not',
    ],
    ["fails", { pattern: "x", path: "a.txt" }, { files: { "a.txt": null } }, "a.txt does not exist"],
    ["skipped", { pattern: "x", path: "a.txt" }, {}, noFiles],
    [
      "error",
      { pattern: "x", path: "a.txt" },
      { files: {}, cut: "more than 5000 files were left" },
      "whether a.txt exists is not known: more than 5000 files were left",
    ],
    ["refused", {}, "It is missing; text is needed"],
  ]);
});

describe("about the files that were left", () => {
  table("file_exists", [
    ["passes", { path: "out/a.txt" }, { files: { "out/a.txt": "x" } }, "out/a.txt exists"],
    ["passes", { path: "./out/" }, { files: { "out/a.txt": "x" } }, "out exists"],
    ["passes", { path: "**/*.{md,txt}" }, { files: { "out/a.txt": "x" } }, "out/a.txt exists"],
    ["passes", { path: "a[1].txt" }, { files: { "a[1].txt": "x" } }, "a[1].txt exists"],
    [
      "fails",
      { path: "*.txt" },
      { files: { "a.txt": null, "out/b.txt": "x", node_modules: { kind: "folder", unlisted: true } } },
      "*.txt does not exist",
    ],
    [
      "error",
      { path: "**/*.md" },
      { files: { node_modules: { kind: "folder", unlisted: true } } },
      "the contents of node_modules were not kept",
    ],
    [
      "error",
      { path: "node_*/*.md" },
      { files: { node_modules: { kind: "folder", unlisted: true } } },
      "the contents of node_modules were not kept",
    ],
    ["fails", { path: "a.txt" }, { files: {} }, "a.txt does not exist"],
    [
      "fails",
      { path: "a.txt" },
      { files: { "a.txt": { kind: "link" } } },
      "a.txt is a link that leads out of the workspace, or nowhere",
    ],
    ["fails", { path: "pipe" }, { files: { pipe: { kind: "special" } } }, "pipe is not a regular file"],
    ["skipped", { path: "a.txt" }, {}, noFiles],
    [
      "error",
      { path: "node_modules/a" },
      { files: { node_modules: { kind: "folder", unlisted: true } } },
      "the contents of node_modules were not kept",
    ],
    ["refused", { path: "/etc/passwd" }, 'The path "/etc/passwd" leads out of the workspace'],
    ["refused", {}, "It is missing; text is needed"],
  ]);
  table("file_absent", [
    ["passes", { path: "a.txt" }, { files: { "a.txt": null } }, "a.txt does not exist"],
    ["fails", { path: "a.txt" }, { files: { "a.txt": "x" } }, "a.txt exists, but must not"],
    ["fails", { path: "*.t*" }, { files: { "a.txt": "x" } }, "a.txt exists, but must not"],
    ["passes", { path: "*.md" }, { files: { "a.txt": "x" } }, "*.md does not exist"],
    ["skipped", { path: "a.txt" }, {}, noFiles],
    ["error", { path: "a.txt" }, { files: {}, cut: "too many" }, "whether a.txt exists is not known: too many"],
    ["refused", { path: "" }, "The path is empty"],
  ]);
  table("file", [
    [
      "passes",
      {
        must_exist: ["a"],
        must_not_exist: ["b"],
        content_patterns: [{ path: "a", must_match: ["x+"], must_not_match: ["y"] }],
      },
      { files: { a: "xxx" } },
      "a matches /x+/",
    ],
    ["fails", { must_exist: ["b"] }, { files: { a: "xxx" } }, "b does not exist"],
    [
      "passes",
      { regex_match: [{ path: "*.txt", pattern: "^two" }], syntax: "lines" },
      { files: { "a.txt": "one\ntwo" } },
      '"two" in a.txt matches /^two/',
    ],
    [
      "fails",
      { regex_not_match: [{ path: "a", pattern: "x" }] },
      { files: { a: "xxx" } },
      '"x" in a matches /x/, but must not',
    ],
    ["fails", { must_not_exist: ["a"] }, { files: { a: "xxx" } }, "a exists, but must not"],
    [
      "fails",
      { content_patterns: [{ path: "a", must_match: ["z"] }] },
      { files: { a: "xxx" } },
      "nothing in a matches /z/",
    ],
    ["fails", { content_patterns: [{ path: "b", must_not_match: ["z"] }] }, { files: {} }, "b does not exist"],
    ["skipped", { must_exist: ["a"] }, {}, noFiles],
    [
      "error",
      { content_patterns: [{ path: "a", must_match: ["z"] }] },
      { files: { a: { bytes: 1e9 } } },
      "it was too large to keep",
    ],
    ["refused", {}, "Nothing to check: name must_exist"],
    ["refused", { must_exist: ["../a"] }, "leads out of the workspace"],
  ]);
  table("diff", [
    [
      "passes",
      { expected_files: [{ path: "a", snapshot: "want.txt", contains: ["+two", "-three", "one"] }] },
      { files: { a: "one\ntwo\n" } },
      "a equals the snapshot want.txt",
      { suiteDir },
    ],
    [
      "fails",
      { expected_files: [{ path: "a", snapshot: "want.txt" }] },
      { files: { a: "one\n2\n" } },
      "a differs from the snapshot want.txt",
      { suiteDir },
    ],
    [
      "fails",
      { expected_files: [{ path: "a", contains: ["-two"] }] },
      { files: { a: "two" } },
      'a contains "two", but must not',
    ],
    ["fails", { expected_files: [{ path: "a", contains: ["+two"] }] }, { files: {} }, "a does not exist"],
    ["skipped", { expected_files: [{ path: "a", contains: ["x"] }] }, {}, noFiles],
    [
      "error",
      { expected_files: [{ path: "a", snapshot: "gone.txt" }] },
      { files: { a: "x" } },
      "the snapshot gone.txt cannot be used: there is no such file (--update-snapshots writes it)",
      { suiteDir },
    ],
    ["refused", { expected_files: [{ path: "a" }] }, "Nothing to compare with: name a snapshot, or contains"],
    ["refused", { expected_files: [] }, "expected_files is empty"],
    ["refused", { expected_files: [{ path: "a", contains: ["- "] }] }, "The line is empty"],
    ["refused", { expected_files: [{ path: "a", snapshot: "../../x" }] }, "lies outside the suite's folder"],
  ]);

  test.each(["diff", "file"])(
    "%s: a file that is not there fails all that is asked of it, and says so once",
    async (type) => {
      const config = {
        diff: {
          expected_files: [
            { path: "gone", snapshot: "want.txt", contains: ["x"] },
            { path: "a", contains: ["x"] },
          ],
        },
        file: {
          content_patterns: [
            { path: "gone", must_match: ["x", "y"] },
            { path: "a", must_match: ["x"] },
          ],
        },
      }[type];
      const graded = await gradeQuestion([{ type, config }], transcript({ files: { a: "x" } }), {
        prompt: "",
        suiteDir,
      });
      expect(graded).toMatchObject({ passed: false, score: 2 / 5, message: "gone does not exist" });
    },
  );

  test("diff: with --update-snapshots what was left becomes the snapshot", async () => {
    const spec = { type: "diff", config: { expected_files: [{ path: "a", snapshot: "new/want.txt" }] } };
    const left = transcript({ files: { a: "fresh\n" } });
    const context = { prompt: "", suiteDir };
    expect((await gradeQuestion([spec], left, { ...context, updateSnapshots: true })).message).toContain(
      "the snapshot new/want.txt was written from a",
    );
    expect(readFileSync(join(suiteDir, "new/want.txt"), "utf8")).toBe("fresh\n");
    expect((await gradeQuestion([spec], left, context)).passed).toBe(true);
  });

  test.skipIf(process.platform === "win32")(
    "diff: with --update-snapshots nothing is written through a link that leads out",
    async () => {
      const outside = mkdtempSync(join(tmpdir(), "proctor-outside-"));
      writeFileSync(join(outside, "mine.txt"), "mine\n");
      symlinkSync(outside, join(suiteDir, "leads-out"));
      symlinkSync(join(outside, "mine.txt"), join(suiteDir, "linked.txt"));
      for (const snapshot of ["leads-out/want.txt", "leads-out/mine.txt", "linked.txt"]) {
        const spec = { type: "diff", config: { expected_files: [{ path: "a", snapshot }] } };
        await gradeQuestion([spec], transcript({ files: { a: "theirs\n" } }), {
          prompt: "",
          suiteDir,
          updateSnapshots: true,
        }).catch(() => {});
      }
      expect(readdirSync(outside)).toEqual(["mine.txt"]);
      expect(readFileSync(join(outside, "mine.txt"), "utf8")).toBe("mine\n");
      rmSync(outside, { recursive: true });
    },
  );
});

describe("about the tools that were used", () => {
  const worked = { calls: [bash, { tool: "Write", input: { file_path: "out.pdf" } }], files: {} };
  table("tool_call", [
    ["passes", { tool: "^Bash$", pattern: "fill_form" }, worked, "/^Bash$/ with /fill_form/ was called: Bash (shell)"],
    [
      "passes",
      { tool: "^Bash$" },
      { calls: [{ tool: "exec_command", input: { cmd: "ls" } }], files: {} },
      "was called: exec_command (shell)",
    ],
    [
      "fails",
      { tool: "^Bash$", pattern: "rm -rf" },
      worked,
      "/^Bash$/ with /rm -rf/ was not called (it was called 1 time, never like that)",
    ],
    ["fails", { tool: "^WebFetch$" }, worked, "/^WebFetch$/ was not called (used: Bash (shell), Write (write))"],
    // Copilot has a tool `read_bash`, which is none that reads files.
    ["fails", { tool: "(?i)read" }, { calls: [bash], files: {} }, "/(?i)read/ was not called (used: Bash (shell))"],
    ["passes", { tool: "mcp__github__create" }, { calls: [{ tool: "mcp:github/create_pr" }], files: {} }, "was called"],
    ["skipped", { tool: "^Bash$" }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    ["refused", {}, "Nothing to look for: name tool or pattern"],
    ["refused", { tool: "(" }, "Not a pattern"],
  ]);
  table("behavior", [
    [
      "passes",
      { max_tool_calls: 2, required_tools: ["shell"], forbidden_tools: ["web"], max_turns: 1 },
      worked,
      "2 tool calls, at most 2 are allowed; 1 turns, at most 1 are allowed; shell was used; web was not used",
    ],
    [
      "passes",
      { max_tokens: 10, max_duration_ms: 5000 },
      { ...worked, usage: { inputTokens: 4, outputTokens: 5 } },
      "9 tokens, at most 10 are allowed; 4000 milliseconds",
      { ms: 4000 },
    ],
    ["fails", { max_tool_calls: 0 }, worked, "2 tool calls, at most 0 are allowed"],
    ["fails", { required_tools: ["web_fetch"] }, worked, "web_fetch was not used (used: Bash (shell), Write (write))"],
    ["fails", { forbidden_tools: ["bash"] }, worked, "bash was used, but must not be"],
    ["skipped", { max_tokens: 10 }, worked, "tokens are not known here"],
    ["skipped", { required_tools: ["bash"] }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    ["refused", {}, "Nothing to check: name a limit"],
    ["refused", { max_tool_calls: -1 }, "max_tool_calls: -1 is too small: at least 0 is needed"],
  ]);
  table("action_sequence", [
    [
      "passes",
      { matching_mode: "exact_match", expected_actions: ["bash", "create"] },
      worked,
      "bash, create exactly, as expected",
    ],
    [
      "passes",
      { matching_mode: "in_order_match", expected_actions: ["write"] },
      worked,
      "write in this order, as expected",
    ],
    [
      "passes",
      { matching_mode: "any_order_match", expected_actions: ["write", "shell"] },
      worked,
      "in any order, as expected",
    ],
    [
      "fails",
      { matching_mode: "in_order_match", expected_actions: ["write", "shell"] },
      worked,
      "write, shell in this order should be called (called: Bash (shell), Write (write))",
    ],
    ["fails", { matching_mode: "exact_match", expected_actions: ["bash"] }, worked, "bash exactly should be called"],
    ["skipped", { matching_mode: "exact_match", expected_actions: ["bash"] }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    [
      "refused",
      { matching_mode: "sorted", expected_actions: ["bash"] },
      '"sorted" is none of exact_match, in_order_match, any_order_match',
    ],
    ["refused", { matching_mode: "exact_match", expected_actions: [] }, "expected_actions is empty"],
  ]);
  table("tool_constraint", [
    [
      "passes",
      {
        expect_tools: [{ tool: "bash", command_pattern: "FILL_form" }],
        reject_tools: [{ tool: "bash", command_pattern: "rm -rf" }],
      },
      worked,
      "bash with /FILL_form/ was called: Bash (shell); bash with /rm -rf/ was not called",
    ],
    [
      "passes",
      { expect_tools: [{ tool: "skill", skill_pattern: "^pdf$" }] },
      { calls: [{ tool: "Skill", input: { skill: "pdf" } }], files: {} },
      "skill with /^pdf$/ was called",
    ],
    ["passes", { allow_only: ["shell", "write"] }, worked, "only allowed tools were used"],
    [
      "passes",
      { allow_only: [{ tool: "BASH", command_pattern: "^fill" }, { tool: "create" }] },
      worked,
      "only allowed tools were used",
    ],
    [
      "passes",
      { expect_tools: [{ tool: "bash|shell" }, { tool: "^exec_command" }, "edit|write"] },
      worked,
      "bash|shell was called",
    ],
    ["passes", { reject_tools: ["read", "web"], max_turns: 1 }, worked, "1 turns, at most 1 are allowed"],
    [
      "fails",
      { reject_tools: [{ tool: "MCP__GIT" }] },
      { calls: [{ tool: "mcp__github__push" }], files: {} },
      "MCP__GIT was called",
    ],
    [
      "fails",
      { allow_only: [{ tool: "bas" }, { tool: "write" }] },
      worked,
      "Bash (shell) was used, and only bas, write may be",
    ],
    [
      "passes",
      { expect_tools: [{ tool: "edit", path_pattern: "a\\.ts" }] },
      { calls: [{ tool: "apply_patch", input: { input: "*** Update File: src/a.ts\n" } }], files: {} },
      "was called",
    ],
    [
      "fails",
      { expect_tools: [{ tool: "write", path_pattern: "other" }] },
      worked,
      "write with /other/ was not called",
    ],
    ["fails", { reject_tools: [{ tool: "write" }] }, worked, "write was called, but must not be"],
    ["fails", { allow_only: [] }, worked, "Bash (shell), Write (write) were used, and no tool may be used"],
    ["skipped", { allow_only: [] }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    ["refused", {}, "Nothing to check: name expect_tools"],
    ["refused", { expect_tools: [{ tool: "bash", command_pattern: "(" }] }, "Not a pattern"],
  ]);
  table("tool_calls", [
    [
      "passes",
      {
        required_tools: ["bash"],
        min_calls: 1,
        max_calls: 2,
        expect: [{ tool: "bash", args: { command: { contains: "a.pdf" } } }],
      },
      worked,
      "2 tool calls, at least 1 are required",
    ],
    [
      "passes",
      { expect: [{ tool: "t", args: { n: { range: { gte: 1, lt: 3 } }, s: "x", o: { equals: { a: 1, b: 2 } } } }] },
      { calls: [{ tool: "t", input: { n: 2, s: "x", o: { b: 2, a: 1 } } }], files: {} },
      't with {"n":{"range":{"gte":1,"lt":3}',
    ],
    [
      "passes",
      { expect: [{ tool: "^BASH$|exec", args: { command: { json_schema: { type: "string", minLength: 3 } } } }] },
      worked,
      '^BASH$|exec with {"command":{"json_schema"',
    ],
    [
      "fails",
      { expect: [{ tool: "bash", args: { command: { range: { gt: 1 } } } }] },
      worked,
      "it was called 1 time, never like that",
    ],
    [
      "fails",
      { expect: [{ tool: "bash", args: { gone: { equals: null } } }] },
      worked,
      "it was called 1 time, never like that",
    ],
    [
      "fails",
      { expect: [{ tool: "bash", args: { command: { regex: "^rm" } } }] },
      worked,
      "it was called 1 time, never like that",
    ],
    ["fails", { forbidden_tools: ["write"] }, worked, "write was used, but must not be"],
    ["fails", { max_calls: 1 }, worked, "2 tool calls, at most 1 are allowed"],
    ["skipped", { min_calls: 1 }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    ["refused", {}, "Nothing to check"],
    ["refused", { min_calls: 3, max_calls: 1 }, "min_calls is larger than max_calls"],
    ["refused", { expect: [{ tool: "x", args: { a: {} } }] }, "Nothing to compare with"],
    ["refused", { expect: [{ tool: "(" }] }, "Not a pattern"],
    ["refused", { expect: [{ tool: "x", args: { a: { range: {} } } }] }, "A range needs gte, gt, lte or lt"],
    ["refused", { expect: [{ tool: "x", args: { a: { json_schema: { type: "text" } } } }] }, "It is not a JSON Schema"],
  ]);
  table("tools", [
    [
      "passes",
      { expect: [{ input_pattern: "FILL_FORM" }], reject: ["web"], allow_only: ["shell", "write"] },
      worked,
      "a tool with /FILL_FORM/ was called: Bash (shell); web was not called; only allowed tools were used",
    ],
    ["passes", { sequence: { mode: "in_order", tools: ["shell", "write"] } }, worked, "in this order, as expected"],
    [
      "fails",
      { expect: [{ tool: "bash", input_pattern: "FILL_FORM", case_sensitive: true }] },
      worked,
      "/bash/ with /FILL_FORM/ was not called (it was called 1 time, never like that)",
    ],
    [
      "fails",
      { expect: [{ input_pattern: "rm -rf" }] },
      worked,
      "a tool with /rm -rf/ was not called (used: Bash (shell), Write (write))",
    ],
    ["fails", { allow_only: [] }, worked, "Bash (shell), Write (write) were used, and no tool may be used"],
    ["skipped", { max_turns: 1 }, { reply: "Done" }, noTools],
    ["never", "error", looks],
    ["refused", {}, "Nothing to check: name calls to expect or reject"],
    ["refused", { sequence: { mode: "in_order", tools: [] } }, "The list of tools is empty"],
    ["refused", { expect: [{ tool: "x", command_pattern: "(" }] }, "Not a pattern"],
  ]);
  table("trigger", [
    [
      "passes",
      { skill_path: "skills/pdf", mode: "positive" },
      {},
      "the prompt shares 1.00 of its words with pdf (fill, form), at least 0.6",
      { prompt: "fill a form", suiteDir },
    ],
    [
      "passes",
      { skill_path: "skills/pdf/SKILL.md", mode: "negative" },
      {},
      "the prompt shares 0.00 of its words with pdf, less than 0.6",
      { prompt: "bake bread", suiteDir },
    ],
    ["fails", { skill_path: "skills/pdf", mode: "negative" }, {}, "at least 0.6", { prompt: "fill a form", suiteDir }],
    [
      "error",
      { skill_path: "skills/gone", mode: "positive" },
      {},
      "skill_path skills/gone cannot be used: there is no such skill",
      { suiteDir },
    ],
    ["never", "skipped", "there is always a prompt to look at"],
    ["refused", { skill_path: "x", mode: "maybe" }, 'mode: "maybe" is none of positive, negative'],
    ["refused", { skill_path: "x", mode: "positive", threshold: 2 }, "threshold: 2 is too large: at most 1 is allowed"],
  ]);
});

describe("programs", () => {
  table("program", [
    ["passes", { command: "check.sh" }, {}, "check.sh exited with 0", { ...exited(0), suiteDir }],
    ["fails", { command: "check.sh" }, {}, "check.sh exited with 3", exited(3)],
    ["skipped", { command: "x" }, {}, noPrograms],
    ["error", { command: "nope" }, {}, "nope could not decide: there is no program nope", broken],
    ["error", { command: "x" }, {}, noSandbox, { programs: noSandbox }],
    ["refused", {}, "It is missing; text is needed"],
    ["refused", { command: "x", timeout: 0 }, "timeout: 0 is too small: more than 0 is needed"],
    ["refused", { command: "x", timout: 3 }, 'There is no setting "timout". Did you mean timeout?'],
  ]);
  table("command", [
    ["passes", { run: "grep -q Ada out", expect_exit: 1 }, {}, "`grep -q Ada out` exited with 1", exited(1)],
    [
      "fails",
      { run: "grep -q Ada out", text: "the name is there" },
      {},
      "the name is there exited with 1, not 0",
      exited(1),
    ],
    [
      "skipped",
      { run: "x", requires: ["pdftotext"] },
      {},
      "not run: it requires pdftotext, which this machine does not have",
      exited(0),
    ],
    ["fails", { program: "check.sh", expect_exit: 1 }, {}, "check.sh exited with 0, not 1", exited(0)],
    ["error", { run: "x" }, {}, "`x` could not decide", broken],
    ["refused", { run: "x", program: "y" }, "Name either run, a line for the shell, or program"],
    ["refused", { run: "x", cwd: "../.." }, "leads out of the workspace"],
    ["refused", { run: "x", expect_exit: 256 }, "expect_exit: 256 is too large: at most 255 is allowed"],
  ]);
  const said = (...results: unknown[]) => exited(0, `noise\nproctor-results ${JSON.stringify(results)}\n`);
  table("code", [
    [
      "passes",
      { assertions: ["output.length > 0"], language: "javascript" },
      { reply: "x" },
      "output.length > 0 is true",
      said({ status: "value", value: true }),
    ],
    [
      "fails",
      { assertions: ["a", "b"], language: "javascript" },
      {},
      "a is true; b is not true",
      said({ status: "value", value: true }, { status: "value", value: false }),
    ],
    [
      "fails",
      { assertions: ["nope()"], language: "javascript" },
      {},
      "nope() threw: nope is not defined",
      said({ status: "threw", message: "nope is not defined" }),
    ],
    [
      "skipped",
      { assertions: ["len(output)"] },
      {},
      "not run: it requires python3, which this machine does not have",
      exited(0),
    ],
    [
      "error",
      { assertions: ["process.exit(0)"], language: "javascript" },
      {},
      "the assertions ended their process (exit 0) before they were decided",
      exited(0),
    ],
    [
      "error",
      { assertions: ["x"], language: "javascript" },
      {},
      "the assertions could not be decided: there is no program nope",
      broken,
    ],
    ["error", { assertions: ["x ="], language: "typescript" }, {}, "an assertion is not valid TypeScript", exited(0)],
    ["refused", { assertions: [] }, "There is no assertion"],
    [
      "refused",
      { assertions: ["x"], language: "cobol" },
      'language: "cobol" is none of javascript, typescript, python',
    ],
  ]);
});

describe("judged", () => {
  const says = (...replies: string[]) => ({ judge: judge(...replies).judge });
  table("expectations", [
    [
      "passes",
      { statements: ["A", "B"] },
      {},
      "holds: A; holds: B",
      says('ID=S2 VERDICT=TRUE EVIDENCE="b"\nID=S1 VERDICT=TRUE EVIDENCE="a"'),
    ],
    [
      "fails",
      { statements: ["A", "B"] },
      {},
      "holds: A; does not hold: B",
      says("ID=S1 VERDICT=TRUE EVIDENCE=x\nID=S2 VERDICT=FALSE EVIDENCE=nothing"),
    ],
    [
      "passes",
      { statements: ["A", "B"] },
      {},
      "",
      says("- **ID=S1** VERDICT=TRUE EVIDENCE=x\n- **ID=S2 VERDICT=TRUE** EVIDENCE=y"),
    ],
    ["error", { statements: ["A", "B"] }, {}, "the judge said nothing about: B", says("ID=S1 VERDICT=TRUE EVIDENCE=x")],
    ["error", { statements: ["A"] }, {}, "could not be read, twice", says("ID=S1 VERDICT=TRUE\nID=S1 VERDICT=FALSE")],
    ["error", { statements: ["A"] }, {}, noJudge],
    ["never", "skipped", guarded],
    ["refused", { statements: [] }, "There is no statement"],
  ]);
  table("llm", [
    ["passes", { text: "A" }, {}, "holds: A", says("VERDICT=TRUE REASON=x")],
    ["fails", { text: "A" }, {}, "does not hold: A", says("VERDICT=FALSE REASON=x")],
    ["never", "skipped", guarded],
    ["passes", { criteria: "Is it polite?" }, {}, "meets the criteria: it is", says("VERDICT=TRUE REASON=it is")],
    ["fails", { criteria: "Is it polite?" }, {}, "does not meet the criteria: no", says("VERDICT=FALSE REASON=no")],
    ["error", { criteria: "x" }, {}, "the judge refused without a reason", says("VERDICT=FALSE")],
    ["error", { text: "A" }, {}, noJudge],
    ["refused", {}, "Name either text, a statement, or criteria"],
    ["refused", { text: "A", criteria: "B" }, "Name either text, a statement, or criteria"],
  ]);
  table("prompt", [
    ["passes", { prompt: "Is it polite?" }, {}, "meets the criteria: it is", says("VERDICT=TRUE REASON=it is")],
    [
      "passes",
      { rubric: "Polite", mode: "pairwise" },
      { reply: "a" },
      "better than without the skill, in both orders",
      { ...says("BETTER=A", "BETTER=B"), baseline: { finalText: "b" } },
    ],
    [
      "fails",
      { prompt: "Is it polite?", continue_session: true },
      {},
      "does not meet the criteria: no",
      says("VERDICT=FALSE REASON=no"),
    ],
    ["skipped", { prompt: "x", mode: "pairwise" }, {}, "--baseline also asks without the skill", says("BETTER=A")],
    ["error", { prompt: "x" }, {}, noJudge],
    ["refused", {}, "Nothing to judge by: name prompt or rubric"],
  ]);
  table("pairwise", [
    [
      "passes",
      {},
      { reply: "a" },
      "better than without the skill, in both orders",
      { ...says("BETTER=A", "BETTER=B"), baseline: { finalText: "b" } },
    ],
    [
      "passes",
      {},
      { reply: "a" },
      "no better and no worse",
      { ...says("BETTER=A", "BETTER=A"), baseline: { finalText: "b" } },
    ],
    [
      "fails",
      {},
      { reply: "a" },
      "worse than without the skill",
      { ...says("BETTER=B", "BETTER=A"), baseline: { finalText: "b" } },
    ],
    ["skipped", {}, {}, "there is nothing to compare with", says("BETTER=A")],
    [
      "error",
      {},
      {},
      "the answer without the skill is an error",
      { ...says("BETTER=A"), baseline: "the answer without the skill is an error" },
    ],
    ["error", {}, {}, noJudge],
    ["refused", { prompt: "" }, "prompt: It is empty"],
  ]);
  table("rubric", [
    ["passes", { rubric: "Warm." }, {}, "rubric 4 of 5, needs 4", says("SCORE=4 REASON=x")],
    ["fails", { rubric: "Warm." }, {}, "rubric 3 of 5, needs 4", says("SCORE=3 REASON=x")],
    ["never", "skipped", guarded],
    ["error", { rubric: "Warm." }, {}, noJudge],
    ["refused", { rubric: "" }, "rubric: It is empty"],
  ]);

  test("a judge is shown the task, what a good answer is, what was done, what was left and what was said", async () => {
    const { judge: speak, asked } = judge("ID=S1 VERDICT=TRUE EVIDENCE=x");
    const happened = transcript({
      reply: "Done.",
      files: { "out.txt": "Ada", old: { change: "same", text: "secret" } },
      calls: [bash],
    });
    const context = { prompt: "Fill it.", expectedOutput: "A filled form.", judge: speak };
    const graded = await gradeQuestion(
      [{ type: "expectations", config: { statements: ["It is filled"] } }],
      happened,
      context,
    );
    expect(asked).toHaveLength(1);
    const text = asked[0]?.prompt ?? "";
    for (const part of [
      "TASK:\nFill it.",
      "A filled form.",
      "ID=S1 It is filled",
      "Bash (shell)",
      "out.txt (added)\n<<<\nAda",
      "REPLY:\nDone.",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("secret");
    expect(graded.checks[0]?.evidence).toBe("x");
  });
});

test("every grader that a suite can name has its table", () => {
  const types = [...graders.map(({ type }) => type), ...dialects.keys()];
  expect(types.filter((type) => !tabled.has(type))).toEqual([]);
});

test.each([
  ["expectations", { statements: ["A"] }],
  ["llm", { text: "A" }],
  ["prompt", { prompt: "A" }],
  ["pairwise", {}],
  ["rubric", { rubric: "A" }],
])("%s: skipped, behind a gate that failed", async (type, config) => {
  const { judge: speak, asked } = judge("VERDICT=TRUE REASON=x");
  const gate = { type: "contains", name: "greets", gate: true, config: { value: "Dear" } };
  const graded = await gradeQuestion([{ type, config }, gate], transcript({ reply: "Hi" }), {
    prompt: "",
    judge: speak,
  });
  expect(graded.parts[0]).toMatchObject({
    passed: null,
    checks: [{ message: "no judge was asked: the gate greets failed" }],
  });
  expect(asked).toHaveLength(0);
});

test.each(graders.map(({ type }) => [type]))(
  "%s: a trial that was not measured has no checks, and is no failure",
  async (type) => {
    const error = { reason: "timeout" as const, message: "it took too long", retryable: true };
    const failed = { ...transcript({}), outcome: { status: "error" as const, error } };
    expect(await gradeQuestion([{ type, config: {} }], failed, { prompt: "" })).toMatchObject({
      passed: null,
      checks: [],
      message: "it took too long",
    });
  },
);

describe("several graders of one case", () => {
  const yes = { type: "contains", config: { value: "a" } };
  const no = { type: "contains", config: { value: "z" } };
  const judged = { type: "llm", config: { text: "T" } };
  const grade = (specs: Parameters<typeof gradeQuestion>[0], context = {}) =>
    gradeQuestion(specs, transcript({ reply: "a" }), { prompt: "", ...context });

  test("deterministic ones come first, and a gate that fails spares the judge", async () => {
    const { judge: speak, asked } = judge("VERDICT=TRUE REASON=x");
    expect(await grade([judged, { ...no, gate: true }], { judge: speak })).toMatchObject({ passed: false });
    expect(asked).toHaveLength(0);
    const graded = await grade([judged, no], { judge: speak });
    expect(asked).toHaveLength(1);
    expect(graded.parts.map(({ grader }) => grader)).toEqual(["llm", "contains"]);
    expect(await grade([judged, { ...yes, gate: true }], { judge: speak })).toMatchObject({ passed: true });
  });

  test.each([
    ["has nothing to look at", { type: "file_exists", config: { path: "a" } }],
    ["breaks", { type: "json_schema", config: { schema_file: "gone.json" } }],
    ["does not exist", { type: "telepathy", config: {} }],
  ])("a gate that %s has not failed, so the judge is asked", async (_what, gate) => {
    const { judge: speak, asked } = judge("VERDICT=TRUE REASON=x");
    const graded = await grade([judged, { ...gate, gate: true }], { judge: speak, suiteDir });
    expect(asked).toHaveLength(1);
    expect(graded.parts.map(({ passed }) => passed)).toEqual([true, null]);
  });

  test("all skipped is no verdict; a check that had to be made and could not be is none either", async () => {
    const file = { type: "file_exists", config: { path: "a" } };
    expect(await grade([file])).toMatchObject({ passed: null });
    expect(await grade([file, yes])).toMatchObject({ passed: true, message: expect.stringContaining("no workspace") });
    expect(await grade([judged, yes])).toMatchObject({
      passed: null,
      message: expect.stringContaining("needs a judge"),
    });
    expect(await grade([judged, no])).toMatchObject({ passed: false });
  });

  test("from its threshold on a grader passes, whatever failed in it", async () => {
    const most = { type: "text", config: { contains: ["a", "A", "zz"] } };
    expect(await grade([most])).toMatchObject({ passed: false, score: 2 / 3 });
    expect(await grade([{ ...most, threshold: 0.6 }])).toMatchObject({ passed: true, score: 2 / 3 });
    expect(await grade([{ ...most, threshold: 0.7 }])).toMatchObject({ passed: false });
  });

  test("a weight never changes a check, nor whether the case passes", async () => {
    const spec = fc.constantFrom(
      yes,
      no,
      { type: "text", config: { contains: ["a", "q"] } },
      { type: "telepathy", config: {} },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(spec, fc.double({ min: 0.1, max: 100, noNaN: true })), { minLength: 1, maxLength: 5 }),
        async (drawn) => {
          const plain = await grade(drawn.map(([one]) => one));
          const weighed = await grade(drawn.map(([one, weight]) => ({ ...one, weight })));
          expect(weighed.checks).toEqual(plain.checks);
          expect(weighed.passed).toBe(plain.passed);
        },
      ),
      { numRuns: 40 },
    );
  });
});
