import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/problems/usage-error.ts";
import { discover } from "../../src/exam/find/index.ts";
import { agentHosts, ownFileLists, ownFileOf } from "../../src/hosts/index.ts";
import type { StageableSkill } from "../../src/targets/agents/workspace/workspace.ts";
import { createWorkspace, stageable } from "../../src/targets/agents/workspace/workspace.ts";
import { check, run } from "../../src/verbs/index.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "proctor-hostile-"));
  put(
    "skills/alpha/SKILL.md",
    "---\nname: alpha\ndescription: Draws alpha charts. Use when the user asks for an alpha chart.\n---\nDraw it.\n",
  );
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Every entry of every list, with the place of a file in it. */
const entries = ownFileLists().flatMap(({ ownFiles }) => ownFiles.paths.map((path) => path.replace(/^\//, "")));
const disguises: [string, string][] = [
  ["upper case", ".CLAUDE/Settings.json"],
  ["a dot in front", "./.claude/settings.json"],
  ["two slashes", ".claude//settings.json"],
  ["a way round", "a/../.claude/settings.json"],
  ["backslashes", ".claude\\settings.json"],
  ["a dot at the end", ".claude./settings.json"],
  ["blanks at the end", "CLAUDE.md  "],
  ["a stream of NTFS", ".claude::$INDEX_ALLOCATION/settings.json"],
  ["a short name", "CLAUDE~1/settings.json"],
  ["a letter of another width", ".ｃlaude/settings.json"],
  ["a long s", ".claude/ſkills/alpha/SKILL.md"],
  ["a character that HFS+ ignores", ".cl\u200caude/settings.json"],
  ["a Kelvin sign", ".\u212Airo/hooks.json"],
  ["a dotless i", "g\u0131t/../.G\u0131t/config"],
  ["a folder further down", "packages/web/.claude/settings.json"],
  ["instructions further down", "docs/deep/AGENTS.md"],
];

describe("a suite's files", () => {
  test("every host whose CLI is asked has a list, with its source, and its skills folder is on it", async () => {
    for (const { title, ownFiles, agent } of agentHosts) {
      expect(ownFiles?.paths.length, title).toBeGreaterThan(0);
      expect(ownFiles?.source, title).toMatch(/\w\.\w/);
      const { skillsDir } = await agent.load();
      expect(ownFileOf(`${skillsDir}/alpha/SKILL.md`), title).toBeDefined();
      for (const name of agent.takesUp)
        expect(ownFileOf(name === ".github" ? ".github/hooks/x.json" : name), `${title}: ${name}`).toBeDefined();
    }
  });

  test.each(entries)("%s is refused when the suite is read, by check and by run, with its place", async (entry) => {
    await refused([{ path: /\.\w+$/.test(entry.slice(1)) ? entry : `${entry}/x.json`, content: "{}" }]);
  });

  test.each(disguises)("%s is no way round", async (_, path) => {
    expect(ownFileOf(path)).toBeDefined();
    await refused([{ path, content: "{}" }]);
  });

  test("nor are the other ways to write files: a map, a file that lies beside the suite, a file under another name", async () => {
    put("skills/alpha/evals/files/.claude/settings.json", "{}");
    put("skills/alpha/evals/harmless.json", "{}");
    await refused({ ".claude/settings.json": "{}" });
    await refused(["files/.claude/settings.json"]);
    await refused([{ path: ".mcp.json", from: "harmless.json" }]);
  });

  test.each<[format: string, file: string, suite: object | string, others: Record<string, string>]>([
    [
      "a folder",
      "evals.json",
      { evals: [{ prompt: "Do it", files: ["files"], expectations: ["x"] }] },
      { "files/.claude/settings.json": "{}" },
    ],
    [
      "a glob",
      "evals.json",
      { evals: [{ prompt: "Do it", files: ["files/.claude/*"], expectations: ["x"] }] },
      { "files/.claude/settings.json": "{}" },
    ],
    [
      "waza's fixtures",
      "eval.yaml",
      "skill: alpha\nconfig: {}\ntasks: [tasks/*.yaml]\n",
      {
        "tasks/a.yaml":
          "inputs: { prompt: Do it, files: [{ path: .mcp.json }] }\ngraders: [{ type: text, config: { contains: [x] } }]\n",
        "fixtures/.mcp.json": "{}",
      },
    ],
    [
      "waza's context_dir",
      "eval.yaml",
      "skill: alpha\nconfig: {}\ntasks: [tasks/*.yaml]\n",
      {
        "tasks/a.yaml":
          "context_dir: data\ninputs: { prompt: Do it }\ngraders: [{ type: text, config: { contains: [x] } }]\n",
        "data/AGENTS.md": "Obey.",
      },
    ],
    [
      "waza's repos",
      "eval.yaml",
      "skill: alpha\nconfig: {}\ntasks: [tasks/*.yaml]\n",
      {
        "tasks/a.yaml":
          "inputs: { prompt: Do it, repos: [{ path: repo }] }\ngraders: [{ type: text, config: { contains: [x] } }]\n",
        "repo/.codex/config.toml": "",
      },
    ],
    [
      "assay's fixtures",
      "a.suite.yaml",
      "target: { skill: alpha }\ncases:\n  - prompt: Do it\n    setup: { fixtures: data }\n    expect: { triggered: true }\n",
      { "data/.claude/settings.json": "{}" },
    ],
    [
      "skillgrade's workspace",
      "eval.yaml",
      "tasks:\n  - name: a\n    instruction: Do it\n    workspace: [{ src: data/s.json, dest: .claude/settings.json }]\n    graders: [{ type: llm_rubric, rubric: Good }]\n",
      { "data/s.json": "{}" },
    ],
    [
      "a scenario's files",
      "eval.yaml",
      "scenarios:\n  - name: a\n    prompt: Do it\n    setup: { copy_test_files: true }\n    rubric: [Good]\n",
      { "CLAUDE.md": "Obey." },
    ],
  ])("%s cannot bring a host's own file either", async (_format, file, suite, others) => {
    put(`evals/alpha/${file}`, typeof suite === "string" ? suite : JSON.stringify(suite, null, 1));
    for (const [path, content] of Object.entries(others)) put(`evals/alpha/${path}`, content);
    const { problems, exitCode } = await check({ cwd: dir });
    const found = problems.filter(({ code }) => code === "suite/host-file");
    expect(found).toMatchObject([{ severity: "error", location: { line: expect.any(Number) } }]);
    expect(exitCode).toBe(1);
  });

  test("what no host takes up is staged", () => {
    const harmless = [
      "sales.csv",
      "claude.md.txt",
      "src/agents/list.ts",
      ".github/workflows/ci.yml",
      "docs/CLAUDE.markdown",
      "app/.env",
      "header.txt",
      "skills/x.md",
      ".vscode/settings.json",
    ];
    expect(harmless.filter((path) => ownFileOf(path) !== undefined)).toEqual([]);
  });
});

describe("when a workspace is made", () => {
  const request = { skillsDir: ".claude/skills", keep: false };

  test.each(disguises)("%s is refused once more, and nothing is left", async (_, path) => {
    await expect(
      createWorkspace({ ...request, skills: await alpha(), files: [{ path, content: "x" }] }),
    ).rejects.toThrow(/is not staged/);
  });

  test.each([
    [".acme/skills", ".acme/skills/alpha/SKILL.md"],
    [".acme/skills", ".ACME/skills/Alpha/skill.md"],
    [".acme/skills", ".acme/skills/newcomer/SKILL.md"],
    [".", "alpha/notes.md"],
    [".", "newcomer/SKILL.md"],
  ])("with skills in %s nothing stands in for one as %s", async (skillsDir, path) => {
    const files = [{ path, content: "forged" }];
    await expect(createWorkspace({ skillsDir, keep: false, skills: await alpha(), files })).rejects.toThrow(/a skill/);
  });

  test("other files are put beside the skills", async () => {
    const files = [{ path: "data/sales.csv", content: "a,b\n" }];
    const workspace = await createWorkspace({ ...request, skills: await alpha(), files });
    expect(readFileSync(join(workspace.project, "data/sales.csv"), "utf8")).toBe("a,b\n");
    expect(existsSync(join(workspace.project, ".claude/skills/alpha/SKILL.md"))).toBe(true);
    await workspace.dispose();
  });
});

async function refused(files: unknown): Promise<void> {
  put(
    "skills/alpha/evals/triggers.json",
    JSON.stringify([{ query: "Draw an alpha chart", should_trigger: true, files }], null, 1),
  );
  const { problems, exitCode } = await check({ cwd: dir });
  const found = problems.filter(({ code }) => code === "suite/host-file");
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    severity: "error",
    location: { file: join(dir, "skills/alpha/evals/triggers.json") },
  });
  expect(found[0]?.location.line).toBeGreaterThan(1);
  expect(exitCode).toBe(1);
  await expect(run({ cwd: dir, targets: ["embedded"] })).rejects.toThrow(UsageError);
}

async function alpha(): Promise<StageableSkill[]> {
  return stageable((await discover({ cwd: dir, root: dir })).libraries[0]!);
}

function put(path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}
