import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSafeSegment, safeSegment } from "../../src/base/index.ts";
import { discover } from "../../src/exam/find/index.ts";
import { createWorkspace, stageable } from "../../src/targets/agents/workspace/workspace.ts";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

let world: World;
/** A folder that nobody examines. */
let outside: string;
const SECRET = "a secret of somebody else";

beforeEach(() => {
  world = new World();
  outside = mkdtempSync(join(tmpdir(), "proctor-outside-"));
  writeFileSync(join(outside, "secret.txt"), SECRET);
});
afterEach(() => {
  world.remove();
  rmSync(outside, { recursive: true, force: true });
});

const proctor = (...args: string[]) => runMain(world.dir, args);

function link(target: string, path: string): void {
  mkdirSync(dirname(join(world.dir, path)), { recursive: true });
  symlinkSync(target, join(world.dir, path));
}

/** Every file below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !statSync(join(folder, name)).isDirectory(),
  );
}

/** Everything that a run has left: its record and all that goes with it. */
function recorded(): string {
  return filesIn(join(world.dir, ".proctor"))
    .map((file) => readFileSync(join(world.dir, ".proctor", file), "utf8"))
    .join("\n");
}

const HOSTILE_NAMES = [
  "..",
  ".",
  "a/../../b",
  "/abs",
  "a\\..\\..\\b",
  "CON",
  "nul.txt",
  "COM1",
  "a\u0000b",
  "x/../../../../y",
  "...",
  " .. ",
  "a".repeat(400),
];

describe("a name as a segment of a path", () => {
  test.each(HOSTILE_NAMES)("%j becomes one that stays where it is put", (name) => {
    const segment = safeSegment(name);
    expect(isSafeSegment(segment)).toBe(true);
    expect(dirname(join("/root", segment))).toBe("/root");
    expect(Buffer.byteLength(segment)).toBeLessThan(256);
  });
  test("a plain name stays, and different names stay different", () => {
    for (const name of ["order-status", "заказ", "a.b", "_x", "注文"]) expect(safeSegment(name)).toBe(name);
    expect(new Set(HOSTILE_NAMES.map(safeSegment)).size).toBe(HOSTILE_NAMES.length);
  });
});

describe("nothing is written outside", () => {
  test("a plugin whose name climbs is staged in the workspace", async () => {
    for (const plugin of ["one", "two"]) {
      world.write(`${plugin}/.claude-plugin/plugin.json`, { name: "../../../../evil" });
      world.write(
        `${plugin}/skills/refund/SKILL.md`,
        `---\nname: refund\ndescription: Refunds of ${plugin}.\n---\nBody of ${plugin}.\n`,
      );
    }
    world.write("proctor.config.json", "{}");
    const { libraries } = await discover({ cwd: world.dir, root: world.dir });
    const skills = await stageable(libraries[0]!);
    expect(skills).toHaveLength(2);
    const place = mkdtempSync(join(outside, "place-"));
    const workspace = await createWorkspace({ skills, skillsDir: ".claude/skills", files: [], keep: false, place });
    const staged = filesIn(place).filter((file) => file.endsWith("SKILL.md"));
    expect(staged).toHaveLength(2);
    for (const file of staged)
      expect(realpathSync(join(place, file))).toContain(join(realpathSync(workspace.project), ".claude", "skills"));
    await workspace.dispose();
  });

  test.each(HOSTILE_NAMES.filter((name) => !name.includes("\0")))("import for a skill called %j", async (name) => {
    world.write("deep/er/in/triggers.yaml", { triggers: [{ query: "Do it", should_trigger: true, skill: name }] });
    const { code } = await runMain(join(world.dir, "deep/er"), ["import", "in", "--to", "a/b/out"]);
    const written = filesIn(world.dir).filter((file) => file.endsWith("triggers.json"));
    expect({ code, written: written.length }).toEqual({ code: 0, written: 1 });
    expect(written[0]).toMatch(/^deep\/er\/a\/b\/out\/[^/]+\/triggers\.json$/);
  });

  test.each(["..", "a/../../b", "/abs", "CON"])("init for a skill called %j", async (name) => {
    world.write("proctor.config.json", "{}");
    world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
    rmSync(join(world.dir, "skills/refund/evals"), { recursive: true });
    world.write("deep/er/evals/refund/triggers.json", [{ query: "I want my money back", should_trigger: true }]);
    world.write(
      "skills/odd/SKILL.md",
      `---\nname: ${JSON.stringify(name)}\ndescription: Cancels orders that were placed by mistake.\n---\nBody.\n`,
    );
    const { code, stderr } = await proctor("init", "skills/odd");
    expect(stderr).not.toContain("fault in Proctor");
    const written = filesIn(world.dir).filter((file) => file.endsWith("triggers.yaml"));
    expect({ code, written }).toEqual({ code: 0, written: ["skills/odd/evals/triggers.yaml"] });
  });

  test("init into a folder that is a link out", async () => {
    world.skill("refund");
    link(outside, "skills/refund/evals");
    const { code, stderr } = await proctor("init", "refund");
    expect(code).toBe(2);
    expect(stderr).toMatch(/triggers\.yaml cannot be written: a link on the way leads out/);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  });

  test("init where the file is a link that leads nowhere yet", async () => {
    world.skill("refund");
    link(join(outside, "made.yaml"), "skills/refund/evals/triggers.yaml");
    expect((await proctor("init", "refund")).code).toBe(2);
    expect(existsSync(join(outside, "made.yaml"))).toBe(false);
  });

  test("import over links replaces them, and never what they lead to", async () => {
    world.skill("refund");
    world.write("in/refund/triggers.yaml", { triggers: [{ query: "Do it", should_trigger: true }] });
    link(join(outside, "secret.txt"), "out/refund/triggers.json");
    expect((await proctor("import", "in", "--to", "out")).code).toBe(2);
    expect((await proctor("import", "in", "--to", "out", "--force")).code).toBe(0);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    rmSync(join(world.dir, "out"), { recursive: true });
    link(outside, "out/refund");
    expect((await proctor("import", "in", "--to", "out", "--force")).code).toBe(2);
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
  });

  const eva = () => {
    world.write("prompts/hello/meta.yml", "id: hello\ndescription: Says hello to people.\nstatus: tested\n");
    world.write("prompts/hello/prompt.xml", "<p>Hello {{name}}</p>");
    world.write(
      "prompts/hello/eval.yml",
      "cases:\n  - name: one\n    inputs: { name: Ann }\n    assert:\n      - contains: Hello\n",
    );
  };

  test("promote with meta.yml.new and a temporary file as links out", async () => {
    eva();
    link(join(outside, "secret.txt"), "prompts/hello/meta.yml.new");
    const { code } = await proctor("promote", "hello", "--to", "draft", "--reason", "not yet");
    expect(code).toBe(0);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
    expect(readFileSync(join(world.dir, "prompts/hello/meta.yml"), "utf8")).toContain("status: draft");
  });

  test(".eval.jsonl as a link out is not appended to", async () => {
    const { appendEvaRow } = await import("../../src/formats/eva/log.ts");
    eva();
    link(join(outside, "secret.txt"), "prompts/hello/.eval.jsonl");
    const row = { ts: "2026-01-01T00:00:00Z", all_passed: true, total: 1, passed: 1, failed_cases: [] };
    await expect((async () => appendEvaRow(join(world.dir, "prompts/hello"), row))()).rejects.toThrow(
      /symbolic link in its place/,
    );
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe(SECRET);
  });

  test(".eval.jsonl as a link out is no evidence", async () => {
    eva();
    const row = { ts: "2026-01-01T00:00:00Z", all_passed: true, total: 1, passed: 1, failed_cases: [] };
    writeFileSync(join(outside, "log.jsonl"), `${JSON.stringify(row)}\n`);
    link(join(outside, "log.jsonl"), "prompts/hello/.eval.jsonl");
    const { code, stderr } = await proctor("promote", "hello", "--to", "ready");
    expect(code).toBe(2);
    expect(stderr).toMatch(/\.eval\.jsonl cannot be read: it is outside the examined folder/);
  });
});

describe("nothing is read from outside", () => {
  beforeEach(() => world.skill("refund"));
  const run = () => proctor("run", "-t", "script:answers.yaml");

  test("files: that are links out are not staged", async () => {
    world.script({ default: { skills: ["refund"] } });
    link(join(outside, "secret.txt"), "skills/refund/evals/files/data.txt");
    link(outside, "skills/refund/evals/files/folder");
    world.write("skills/refund/evals/triggers.json", [
      { query: "one", should_trigger: true, files: ["files/data.txt"] },
      { query: "two", should_trigger: true, files: ["files/folder/secret.txt"] },
    ]);
    const { code, stdout } = await proctor("check", "--format", "json");
    const found = (JSON.parse(stdout) as { problems: { code: string }[] }).problems.filter(
      (problem) => problem.code === "suite/file-escapes",
    );
    expect(found).toHaveLength(2);
    expect(code).toBe(1);
    expect((await run()).code).toBe(2);
  });

  test("files: that are links within the root are staged", async () => {
    world.write("shared/data.txt", "shared");
    link("../../../../shared/data.txt", "skills/refund/evals/files/data.txt");
    world.write("skills/refund/evals/triggers.json", [
      { query: "one", should_trigger: true, files: ["files/data.txt"] },
    ]);
    world.write("proctor.config.json", "{}");
    const exam = await world.prepare({ targets: ["embedded"] });
    expect(exam.plan.asks[0]?.ask.files).toMatchObject([{ path: "data.txt" }]);
    expect(exam.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  test("eva's inputs and its template as links out", async () => {
    world.script({ default: { skills: [], text: "x" } });
    world.write("prompts/hello/meta.yml", "id: hello\ndescription: Says hello to people.\n");
    world.write(
      "prompts/hello/eval.yml",
      "cases:\n  - name: one\n    inputs_from: data\n    assert:\n      - contains: Hello\n",
    );
    writeFileSync(join(outside, "inputs.yml"), `name: ${SECRET}\n`);
    link(outside, "prompts/hello/data");
    link(join(outside, "secret.txt"), "prompts/hello/prompt.xml");
    const checked = await proctor("check");
    expect(checked.stdout).toContain('inputs_from "data" points outside');
    expect(checked.stdout).toMatch(/prompt\.xml, a link that leads out/);
    await proctor("run", "-t", "script:answers.yaml", "--keep-going");
    if (existsSync(join(world.dir, ".proctor"))) expect(recorded()).not.toContain(SECRET);
  });

  test("a schema outside the root is not read", async () => {
    writeFileSync(join(outside, "schema.json"), JSON.stringify({ type: "object", description: SECRET }));
    link(join(outside, "schema.json"), "skills/refund/evals/linked.json");
    world.script({ default: { skills: [], text: "{}" } });
    const grader = (value: string) => [{ type: "json_schema", config: { value } }];
    world.write("skills/refund/evals/evals.json", {
      evals: [
        { id: "absolute", prompt: "one", graders: grader(join(outside, "schema.json")) },
        { id: "linked", prompt: "two", graders: grader("linked.json") },
        { id: "up", prompt: "three", graders: grader(`../../../../${outside.split("/").at(-1)}/schema.json`) },
      ],
    });
    const { plan } = await world.prepare();
    const why = plan.questions.map(({ invalid }) => invalid);
    expect(why).toEqual(Array(3).fill(expect.stringMatching(/cannot be used: it is outside the examined folder/)));
  });

  test("a schema within the root is read once, before anything is asked", async () => {
    world.write("schemas/reply.json", { type: "object", required: ["a"] });
    world.script({ default: { skills: [], text: '{"a":1}' } });
    world.write("skills/refund/evals/evals.json", {
      evals: [
        {
          id: "inside",
          prompt: "one",
          graders: [{ type: "json_schema", config: { value: "../../../schemas/reply.json" } }],
        },
      ],
    });
    const exam = await world.prepare();
    world.write("schemas/reply.json", { type: "string" });
    const { askExam } = await import("../../src/exam/index.ts");
    const { readSat } = await import("../world.ts");
    const { trials } = await readSat((await askExam(exam)).place);
    expect(trials.flatMap(({ checks }) => checks)).toMatchObject([{ passed: true }]);
  });

  test("files of a skill that are links out are neither staged nor part of its fingerprint", async () => {
    const { skillFiles } = await import("../../src/exam/find/index.ts");
    link(join(outside, "secret.txt"), "skills/refund/secret.txt");
    link("../../shared.md", "skills/refund/shared.md");
    world.write("shared.md", "shared");
    const { libraries } = await discover({ cwd: world.dir, root: world.dir });
    expect(await skillFiles(libraries[0]!.skills[0]!)).toEqual(["SKILL.md", "shared.md"]);
  });
});
