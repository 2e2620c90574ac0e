import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isHere } from "./tools.ts";

interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

/** As much of GitHub's API as the action uses. */
let comments: Comment[];
let calls: string[];
let refuse: number | undefined;
let login: string | undefined;
let server: Server;
let dir: string;
beforeEach(async () => {
  comments = [];
  calls = [];
  refuse = undefined;
  login = undefined;
  dir = mkdtempSync(join(tmpdir(), "proctor-action-"));
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (data) => {
      text += data;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      calls.push(`${method} ${url} ${headers.authorization}`);
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      if (url === "/user") return login === undefined ? answer(403, {}) : answer(200, { login });
      if (refuse !== undefined && method !== "GET")
        return answer(refuse, { message: "Resource not accessible by integration" });
      const page = Number(/page=(\d+)$/.exec(url)?.[1] ?? 1);
      if (method === "GET") return answer(200, comments.slice((page - 1) * 100, page * 100));
      const body = (JSON.parse(text) as Comment).body;
      if (method === "POST")
        comments.push({ id: comments.length + 1, body, user: { login: login ?? "github-actions[bot]" } });
      else comments.find(({ id }) => url.endsWith(`/comments/${id}`))!.body = body;
      return answer(200, {});
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  writeFileSync(join(dir, "comment.md"), "✅ **all pass**\n");
  writeFileSync(join(dir, "event.json"), JSON.stringify({ pull_request: { number: 7, base: { sha: "main" } } }));
});
afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

function script(
  name: string,
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<{ code: number; stdout: string }> {
  const child = spawn(process.execPath, [join(process.cwd(), "action", name)], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      GITHUB_REPOSITORY: "acme/skills",
      GITHUB_EVENT_PATH: join(dir, "event.json"),
      GITHUB_STEP_SUMMARY: join(dir, "summary.md"),
      GITHUB_OUTPUT: join(dir, "output"),
      GITHUB_WORKFLOW: "Skills",
      PROCTOR_ACTION_TOKEN: "dummy",
      PROCTOR_ACTION_REPORTS: dir,
      RUNNER_TEMP: dir,
      ...env,
    },
  });
  let stdout = "";
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  return new Promise((done) => child.on("close", (code) => done({ code: code ?? -1, stdout })));
}

describe("the comment", () => {
  test("is made once and edited afterwards", async () => {
    expect((await script("comment.mjs")).stdout).toContain("Commented");
    expect(comments).toMatchObject([{ body: "✅ **all pass**\n\n<!-- proctor Skills -->" }]);
    writeFileSync(join(dir, "comment.md"), "❌ **1 fails**\n");
    expect((await script("comment.mjs")).stdout).toContain("Edited");
    expect(comments).toMatchObject([{ body: expect.stringContaining("1 fails") }]);
    expect(calls.every((call) => call.endsWith("Bearer dummy"))).toBe(true);
  });

  test("of somebody else is never edited, though it has the marker, and ours is found behind hundreds", async () => {
    comments = [
      { id: 1, body: "<!-- proctor Skills -->", user: { login: "mallory" } },
      ...Array.from({ length: 150 }, (_, index) => ({ id: index + 2, body: "hi", user: { login: "bob" } })),
      { id: 500, body: "<!-- proctor Skills -->", user: { login: "github-actions[bot]" } },
    ];
    await script("comment.mjs");
    expect(comments[0]!.body).toBe("<!-- proctor Skills -->");
    expect(comments.at(-1)).toMatchObject({ id: 500, body: expect.stringContaining("all pass") });
    // With a token of a person or an app, its own.
    login = "acme-bot";
    await script("comment.mjs");
    expect(comments.at(-1)).toMatchObject({ user: { login: "acme-bot" } });
  });

  test.each([403, 404, 500])(
    "a token that may not write, or a server that fails (%i), is told and fails nothing",
    async (status) => {
      refuse = status;
      const { code, stdout } = await script("comment.mjs");
      expect(code).toBe(0);
      expect(stdout).toMatch(/^::warning title=proctor::The pull request was not commented on/m);
      expect(readFileSync(join(dir, "summary.md"), "utf8")).toContain("not commented on");
    },
  );

  test("stays below GitHub's limit", async () => {
    writeFileSync(join(dir, "comment.md"), "x".repeat(100_000));
    await script("comment.mjs");
    expect(comments[0]!.body.length).toBeLessThanOrEqual(65_536);
    expect(comments[0]!.body).toContain("<!-- proctor Skills -->");
  });
});

describe("the run", () => {
  /** Writes down how it was called, and the reports it was asked for. */
  const recorder = `
    import { appendFileSync, writeFileSync } from "node:fs";
    const args = process.argv.slice(2);
    appendFileSync(process.env.CALLS, JSON.stringify(args) + "\\n");
    for (const arg of args) { const [, json] = /^--reporter=json=(.*)$/.exec(arg) ?? []; if (json && process.env.JSON_COMPARE) writeFileSync(json, process.env.JSON_COMPARE); }
    for (const arg of args) { const [, file] = /^--reporter=markdown=(.*)$/.exec(arg) ?? []; if (!file || process.env.NO_CHANGES) continue;
      if (!process.env.LIBRARIES) writeFileSync(file, process.env["REPORT_" + args[0]] ?? args[0] + " report\\n");
      for (const name of process.env.LIBRARIES?.split(",") ?? []) writeFileSync(file.replace(/\\.md$/, "." + name + ".md"), args[0] + " " + name + " report\\n"); }
    process.exit(Number(process.env["EXIT_" + args[0]] ?? 0));`;
  const run = async (env: Record<string, string> = {}) => {
    writeFileSync(join(dir, "proctor.mjs"), recorder);
    const { code } = await script("run.mjs", {
      PROCTOR_ACTION_BIN: join(dir, "proctor.mjs"),
      CALLS: join(dir, "calls"),
      GITHUB_RUN_ID: "1",
      ...env,
    });
    const asked = readFileSync(join(dir, "calls"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[]);
    return { code, asked, output: readFileSync(join(dir, "output"), "utf8") };
  };

  test("hands every input over as an argument of its own: no shell reads it", async () => {
    const { asked, output } = await run({
      PROCTOR_ACTION_TARGETS: "embedded\nclaude:haiku",
      PROCTOR_ACTION_PATHS: "skills; touch /tmp/x\n$(id)",
      PROCTOR_ACTION_GATES: "recall>=0.8",
      PROCTOR_ACTION_CHANGE_GATES: "no-regression",
      PROCTOR_ACTION_BUDGET: "5",
    });
    expect(asked[0]).toEqual(
      expect.arrayContaining(["run", "--target=embedded", "--target=claude:haiku", "--budget=5", "--gate=recall>=0.8"]),
    );
    expect(asked[0]!.slice(-3)).toEqual(["--", "skills; touch /tmp/x", "$(id)"]);
    expect(asked[1]).toEqual(expect.arrayContaining(["compare", "--base=main", "--gate=no-regression"]));
    expect(output).toMatch(/exit-code=0/);
    expect(readFileSync(join(dir, "proctor-reports-1/comment.md"), "utf8")).toBe(
      "compare report\n\n---\n\nrun report\n",
    );
  });

  test.each([
    [{ EXIT_run: "1" }, 1],
    [{ EXIT_compare: "1" }, 1],
    [{ EXIT_run: "3", EXIT_compare: "1" }, 1],
    [{ EXIT_run: "2", EXIT_compare: "1" }, 2],
    [{ EXIT_run: "3" }, 3],
  ])("ends as Proctor does: %j is %i, and the step itself goes on to the comment", async (env, expected) => {
    const { code, output } = await run(env as unknown as Record<string, string>);
    expect(code).toBe(0);
    expect(output).toContain(`exit-code=${expected}`);
    expect((await script("finish.mjs", { PROCTOR_ACTION_EXIT_CODE: String(expected) })).code).toBe(expected);
  });

  test("the comment has at most sixty lines: what is folded goes first, and the verdicts stay", async () => {
    const folded = [
      "",
      "<details><summary>20 more</summary>",
      "",
      ...Array.from({ length: 20 }, () => "- one"),
      "",
      "</details>",
    ];
    const part = (name: string, lines: number) =>
      [`**${name}**`, ...Array.from({ length: lines }, () => "- item"), ...folded].join("\n");
    const comment = async (lines: number) => {
      rmSync(join(dir, "calls"), { force: true });
      await run({ REPORT_run: part("run", lines), REPORT_compare: part("compare", lines) });
      return readFileSync(join(dir, "proctor-reports-1/comment.md"), "utf8");
    };
    const small = await comment(5);
    expect(small.match(/<details>/g)).toHaveLength(1);
    expect(small).toMatch(/^\*\*compare\*\*[\s\S]*<details>[\s\S]*\*\*run\*\*/);
    const large = await comment(28);
    expect(large).toMatch(/^\*\*compare\*\*[\s\S]*\*\*run\*\*/);
    for (const text of [small, large, await comment(70)])
      expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });

  test("the reports of several libraries are all in it", async () => {
    const { asked } = await run({ LIBRARIES: "desk,shop" });
    expect(asked).toHaveLength(2);
    const comment = readFileSync(join(dir, "proctor-reports-1/comment.md"), "utf8");
    for (const name of ["compare desk", "compare shop", "run desk", "run shop"])
      expect(comment).toContain(`${name} report`);
  });

  test("nothing is done on pull_request_target", async () => {
    const { code, stdout } = await script("install.mjs", { GITHUB_EVENT_NAME: "pull_request_target" });
    expect(code).toBe(2);
    expect(stdout).toContain("::error title=proctor::This action does not run on pull_request_target");
  });

  test("a base without skills is told, and fails nothing; none compares nothing", async () => {
    const { output } = await run({ EXIT_compare: "3", JSON_COMPARE: '{"before":{"skills":0}}' });
    expect(output).toContain("exit-code=0");
    expect(readFileSync(join(dir, "proctor-reports-1/comment.md"), "utf8")).toContain(
      "not compared with the base**: it has no skills yet",
    );
    rmSync(join(dir, "calls"));
    expect((await run({ PROCTOR_ACTION_BASE: "none" })).asked).toHaveLength(1);
  });
});

describe.runIf(isHere("git"))("the run, with the real command in a real repository", () => {
  test("tells of the edit, ends as the gates say, and takes a first pull request for what it is", async () => {
    const repository = join(dir, "repository");
    const git = (...args: string[]) =>
      execFileSync(
        "git",
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", ...args],
        {
          cwd: repository,
          encoding: "utf8",
          env: { PATH: process.env["PATH"], HOME: dir },
        },
      ).trim();
    const write = (name: string, description: string, queries: string[]) => {
      mkdirSync(join(repository, `skills/${name}`), { recursive: true });
      mkdirSync(join(repository, `evals/${name}`), { recursive: true });
      writeFileSync(
        join(repository, `skills/${name}/SKILL.md`),
        `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`,
      );
      const triggers = queries.map((query) => ({ query, should_trigger: true }));
      writeFileSync(join(repository, `evals/${name}/triggers.json`), JSON.stringify({ skill_name: name, triggers }));
    };
    mkdirSync(repository);
    git("init", "-q", "-b", "main");
    writeFileSync(join(repository, ".gitignore"), ".proctor\n");
    git("add", "-A");
    git("commit", "-qm", "nothing yet");
    const empty = git("rev-parse", "HEAD");
    const wrapping =
      "Wraps presents in paper with a ribbon. Use when somebody asks for gift wrapping, ribbons or a greeting card.";
    const invoices =
      "Sends copies of invoices and receipts. Use when somebody asks for an invoice, a receipt or a VAT number.";
    const [presents, papers] = [
      [
        "Please put gift wrapping and a ribbon on the presents",
        "Add a greeting card and a ribbon to the gift wrapping",
      ],
      ["Send me a copy of the invoice with the VAT number", "I need the receipt and a copy of the invoice"],
    ];
    write("first-desk", wrapping, presents);
    write("second-desk", invoices, papers);
    git("add", "-A");
    git("commit", "-qm", "skills");
    const skills = git("rev-parse", "HEAD");
    const run = async (env: Record<string, string>) => {
      rmSync(join(dir, "output"), { force: true });
      rmSync(join(dir, "proctor-reports-2"), { recursive: true, force: true });
      const { code, stdout } = await script(
        "run.mjs",
        {
          PROCTOR_ACTION_BIN: join(process.cwd(), "dist/cli/main.js"),
          PROCTOR_ACTION_TARGETS: "embedded",
          GITHUB_RUN_ID: "2",
          HOME: dir,
          ...env,
        },
        repository,
      );
      expect(code).toBe(0);
      const comment = readFileSync(join(dir, "proctor-reports-2/comment.md"), "utf8");
      return { stdout, comment, output: readFileSync(join(dir, "output"), "utf8") };
    };
    // The pull request that brings the skills.
    const first = await run({ PROCTOR_ACTION_BASE: empty });
    expect(first.comment).toMatch(/^❔ \*\*not compared with the base\*\*: it has no skills yet/);
    // Nothing was edited.
    const same = await run({ PROCTOR_ACTION_BASE: skills });
    expect(same.comment).toMatch(/^✅ \*\*`embedded`: every question has the same verdict as before\*\*/);
    const gate = { PROCTOR_ACTION_BASE: skills, PROCTOR_ACTION_CHANGE_GATES: "no-regresion" };
    // A gate that nobody can read, and a revision that is not there, are no success.
    for (const wrong of [gate, { PROCTOR_ACTION_BASE: "f".repeat(40) }] as Record<string, string>[]) {
      const { output, comment, stdout } = await run(wrong);
      expect(output).toContain("exit-code=2");
      expect(comment).toMatch(/^❔ \*\*not compared with the base\*\*: the log/);
      expect(stdout).toContain("::warning title=proctor::Nothing was compared");
    }
    // The descriptions change places: every prompt goes to the wrong desk.
    write("first-desk", invoices, presents);
    write("second-desk", wrapping, papers);
    const edited = await run({ PROCTOR_ACTION_BASE: skills, PROCTOR_ACTION_CHANGE_GATES: "new-thefts<=0" });
    expect(edited.comment).toMatch(/^⚠️ \*\*`embedded`: \d questions? that passed now fails?/u);
    expect(edited.comment).toMatch(/\| \d \| `first-desk` \| `second-desk` \|/);
    expect(edited.comment).toContain("- edited: `first-desk, second-desk`");
    // A prediction informs; where that is wanted, it is held against the gates that are named, and against nothing else.
    expect(edited.output).toContain("exit-code=0");
    const gated = { PROCTOR_ACTION_BASE: skills, PROCTOR_ACTION_ALLOW_PREDICTED: "true" };
    expect((await run(gated)).output).toContain("exit-code=0");
    expect((await run({ ...gated, PROCTOR_ACTION_CHANGE_GATES: "new-thefts<=0" })).output).toContain("exit-code=1");
    expect((await run({ ...gated, PROCTOR_ACTION_GATES: "recall>=0.9" })).output).toContain("exit-code=1");
    // GitHub checks out a merge: what the base branch has got meanwhile is no edit of the pull request.
    git("checkout", "-q", "-b", "pull", skills);
    git("commit", "-qam", "edit");
    git("checkout", "-q", "main");
    writeFileSync(join(repository, "skills/second-desk/notes.md"), "of somebody else\n");
    git("add", "-A");
    git("commit", "-qm", "another pull request");
    git("merge", "-q", "--no-ff", "-m", "merge", "pull");
    const merged = { GITHUB_REF: "refs/pull/7/merge", GITHUB_SHA: git("rev-parse", "HEAD") };
    writeFileSync(join(dir, "event.json"), JSON.stringify({ pull_request: { number: 7, base: { sha: skills } } }));
    expect((await run(merged)).comment).toContain(
      `\`${merged.GITHUB_SHA}^1 (${git("rev-parse", "--short=7", "HEAD^1")})\``,
    );
    expect((await run({ ...merged, GITHUB_REF: "refs/heads/main" })).comment).toContain(`\`${skills.slice(0, 7)}\``);
    // Answers that were committed are not used, wherever they lie.
    expect((await run(merged)).stdout).not.toContain(".proctor is tracked");
    git("add", "-f", ".proctor");
    git("commit", "-qm", "answers");
    mkdirSync(join(repository, "below"));
    const { stdout } = await script(
      "run.mjs",
      { PROCTOR_ACTION_BIN: join(dir, "nobody.mjs"), PROCTOR_ACTION_BASE: "none", GITHUB_RUN_ID: "3" },
      join(repository, "below"),
    );
    expect(stdout).toContain("::warning title=proctor::.proctor is tracked by git");
    expect(existsSync(join(repository, ".proctor"))).toBe(false);
  }, 120_000);
});

const schema = (name: string) =>
  new Ajv({ strict: false, validateFormats: false }).compile(
    createRequire(import.meta.url)(`schemastore/schemas/json/${name}.json`) as object,
  );

test("action.yml, our workflows and those of docs/ci.md are what GitHub's schemas say, and use inputs that the action has", () => {
  const [isAction, isWorkflow] = [schema("github-action"), schema("github-workflow")];
  const action = parse(readFileSync("action.yml", "utf8")) as { inputs: Record<string, unknown> };
  expect(isAction(action) || isAction.errors).toBe(true);
  const copied = [...readFileSync("docs/ci.md", "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
  const own = readdirSync(".github/workflows").map((name) => readFileSync(`.github/workflows/${name}`, "utf8"));
  const workflows = [...copied.filter((text) => /^jobs:$/m.test(text)), ...own];
  expect(workflows).toHaveLength(6);
  for (const text of workflows) {
    const workflow = parse(text) as { jobs: Record<string, { steps: { uses?: string; with?: object }[] }> };
    expect(isWorkflow(workflow) || isWorkflow.errors).toBe(true);
    for (const { steps } of Object.values(workflow.jobs))
      for (const { uses = "", with: given = {} } of steps)
        if (uses === "./" || /\/proctor@/.test(uses))
          expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  }
  const { repository } = JSON.parse(readFileSync("package.json", "utf8")) as { repository: { url: string } };
  const named = /github\.com\/(.+)\.git$/.exec(repository.url)![1];
  expect(copied.join("").match(/uses: \S+\/proctor@/g)).toEqual(Array(2).fill(`uses: ${named}@`));
  expect(isWorkflow({ on: "push", jobs: { a: { steps: "no list" } } })).toBe(false);
});

test("the issue forms are what GitHub's schemas say", () => {
  const [isForm, isConfig] = [schema("github-issue-forms"), schema("github-issue-config")];
  for (const name of readdirSync(".github/ISSUE_TEMPLATE")) {
    const matches = name === "config.yml" ? isConfig : isForm;
    expect(matches(parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}`, "utf8"))) || matches.errors, name).toBe(true);
  }
});

test("every action in our workflows and in action.yml is pinned by its commit", () => {
  const texts = ["action.yml", ...readdirSync(".github/workflows").map((name) => `.github/workflows/${name}`)];
  const uses = texts.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/uses: (?!\.\/)(.+)/g)].map(([, used]) => used),
  );
  expect(uses.length).toBeGreaterThan(5);
  expect(uses.filter((used) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(used!))).toEqual([]);
});

test("action.yml names scripts that exist, gives them inputs as variables only, and never runs on pull_request_target", () => {
  const text = readFileSync("action.yml", "utf8");
  const action = parse(text) as {
    runs: { steps: { run?: string; env?: Record<string, string> }[] };
    inputs: Record<string, unknown>;
  };
  for (const { run = "" } of action.runs.steps) {
    expect(run).not.toContain("${{");
    const named = /action\/([\w-]+\.mjs)/.exec(run)?.[1];
    if (named !== undefined) expect(readFileSync(`action/${named}`, "utf8").length).toBeGreaterThan(0);
  }
  for (const input of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(action.inputs)).toContain(input[1]);
  for (const file of ["docs/ci.md", ".github/workflows/ci.yml"])
    expect(readFileSync(file, "utf8")).not.toMatch(/^\s*pull_request_target:/m);
});
