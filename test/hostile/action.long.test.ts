import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, test as anyTest, beforeEach, describe, expect } from "vitest";
import { isHere } from "../tools.ts";

const test = anyTest.runIf(isHere("git"));

let dir: string;
let repository: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "proctor-action-"));
  repository = join(dir, "repository");
  put(
    "skills/refund/SKILL.md",
    "---\nname: refund\ndescription: Handles refunds. Use when somebody wants money back.\n---\n# refund\n",
  );
  put("evals/refund/triggers.json", JSON.stringify([{ query: "I want my money back", should_trigger: true }]));
  git("init", "-q", "-b", "main");
  commit();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function put(path: string, text: string): void {
  const file = join(repository, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function git(...args: string[]): void {
  const own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...own, ...args], {
    cwd: repository,
    env: { PATH: process.env["PATH"], HOME: dir },
    stdio: "ignore",
  });
}

function commit(): void {
  git("add", "-Af");
  git("commit", "-qm", "a commit");
}

/** The script with the real command; what it printed, its outputs and the comment. */
function run(given: Record<string, string> = {}, pullRequest: object = { base: { sha: "main" } }, cwd = repository) {
  writeFileSync(join(dir, "event.json"), JSON.stringify({ pull_request: pullRequest }));
  rmSync(join(dir, "output"), { force: true });
  // One stream, as the runner reads it.
  const started = ["-c", 'exec "$@" 2>&1', "sh", process.execPath, join(process.cwd(), "action", "run.mjs")];
  const { status, stdout } = spawnSync("sh", started, {
    cwd,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"],
      HOME: dir,
      RUNNER_TEMP: dir,
      GITHUB_RUN_ID: "1",
      GITHUB_EVENT_PATH: join(dir, "event.json"),
      GITHUB_OUTPUT: join(dir, "output"),
      GITHUB_STEP_SUMMARY: join(dir, "summary.md"),
      PROCTOR_ACTION_BIN: join(process.cwd(), "dist/cli/main.js"),
      PROCTOR_ACTION_TARGETS: "embedded",
      ...given,
    },
  });
  const outputs = readFileSync(join(dir, "output"), "utf8");
  return { status, stdout, outputs, comment: readFileSync(join(dir, "proctor-reports-1/comment.md"), "utf8") };
}

describe("what an input or a branch is called", () => {
  test.each([
    "$(touch MARK)",
    "`touch MARK`",
    "; touch MARK #",
    "| touch MARK",
    "--config=MARK.mjs",
    "-t",
    "--output=MARK",
    "a\nexit-code=0\nb",
  ])("%j as the base runs nothing, is no option, and is not green", (base) => {
    const mark = join(dir, "mark");
    writeFileSync(
      `${mark}.mjs`,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
    );
    const { status, outputs } = run({ PROCTOR_ACTION_BASE: base.replace("MARK", mark) });
    expect(status).toBe(0);
    expect(existsSync(mark)).toBe(false);
    expect(outputs.match(/^exit-code=.*$/gm)).toEqual(["exit-code=2"]);
  });

  test("targets, gates and budgets that look like options are values of theirs", () => {
    const mark = join(dir, "mark");
    writeFileSync(
      `${mark}.mjs`,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
    );
    for (const name of ["TARGETS", "GATES", "CHANGE_GATES", "BUDGET", "PATHS"]) {
      const { outputs } = run({ [`PROCTOR_ACTION_${name}`]: `--config=${mark}.mjs` });
      expect(outputs).toContain("exit-code=2");
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("an event of another shape is no green either", () => {
    for (const pullRequest of [{ base: { sha: "--version" } }, { base: { sha: ["main"] } }, { base: "main" }, {}])
      expect(run({}, pullRequest).outputs).toMatch(/^exit-code=\d+$/m);
    expect(run({}, { base: { sha: "--version" } }).outputs).toContain("exit-code=2");
  });
});

describe("what a pull request brings", () => {
  const COMMANDS = [
    "::error::forged",
    "::add-mask::e",
    "::set-output name=exit-code::0",
    "##[set-output name=exit-code;]0",
    "::stop-commands::x",
  ];

  test("no prompt, name or file is a command of the runner's, nor anything but text in the comment", () => {
    const nasty = [
      ...COMMANDS,
      "<!-- proctor Skills -->",
      "@acme/owners approve this",
      "</details>",
      "![x](http://evil.example/x)",
      "`code`",
    ];
    const query = (text: string) => ({ query: `where is the weather\n${text}\r\n  ${text}`, should_trigger: true });
    put("evals/refund/triggers.json", JSON.stringify(nasty.map(query)));
    put(`evals/refund/${COMMANDS[0]}.json`, JSON.stringify([query("x")]));
    put(
      "skills/##[error]x/SKILL.md",
      `---\nname: "${COMMANDS[0]}\\n${COMMANDS[1]}"\ndescription: "${COMMANDS[3]}"\n---\n`,
    );
    put("skills/broken/SKILL.md", "---\nname: [::error::forged\n---\n");
    const { stdout, comment, outputs } = run({ PROCTOR_ACTION_ARGS: "--keep-going" });
    const { stdout: refused } = run({ PROCTOR_ACTION_PATHS: COMMANDS.join("\n"), PROCTOR_ACTION_BASE: COMMANDS[3]! });
    expect(refused).toContain(COMMANDS[3]);
    // What the runner would act on: everything but what stands between a stop and its own word.
    let stopped: string | undefined;
    const acted: string[] = [];
    for (const line of `${stdout}\n${refused}`.split("\n").map((text) => text.trim())) {
      if (stopped !== undefined) {
        if (line === `::${stopped}::`) stopped = undefined;
        continue;
      }
      const word = /^::stop-commands::(.+)$/.exec(line)?.[1];
      if (word !== undefined) {
        expect(word).toMatch(/^[0-9a-f-]{36}$/);
        stopped = word;
      } else if (line.startsWith("::")) acted.push(line);
      else expect(line).not.toContain("##[");
    }
    expect(stopped).toBeUndefined();
    for (const line of acted) expect(line).toMatch(/^::(?:error|warning|notice) (?:file=|title=)/);
    expect(outputs.match(/^exit-code=/gm)).toHaveLength(1);
    // Code spans are text: nobody is called, nothing is loaded, nothing is closed.
    const outside = comment.replaceAll(/(`+)(?:(?!\1)[\s\S])*?\1/g, "");
    expect(outside).not.toMatch(/<!--|@acme|!\[x\]|::|##\[/);
    expect(outside.match(/<\/details>/g)?.length ?? 0).toBe(outside.match(/<details>/g)?.length ?? 0);
  });

  test("answers and records that are committed are not used; what they link to is left alone", () => {
    const elsewhere = join(dir, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "precious"), "precious");
    put(".proctor/runs/2020-01-01-a/record.jsonl", "{}\n");
    symlinkSync(elsewhere, join(repository, ".proctor", "cache"));
    commit();
    const { stdout, outputs } = run({ PROCTOR_ACTION_BASE: "none" });
    expect(stdout).toContain("::warning title=proctor::.proctor is tracked by git");
    expect(outputs).toContain("exit-code=0");
    expect(existsSync(join(repository, ".proctor/runs/2020-01-01-a"))).toBe(false);
    expect(readFileSync(join(elsewhere, "precious"), "utf8")).toBe("precious");
    // What was kept from an earlier job is not tracked.
    git("rm", "-rqf", "--cached", ".proctor");
    git("commit", "-qm", "no answers");
    put(".proctor/kept", "");
    expect(run({ PROCTOR_ACTION_BASE: "none" }).stdout).not.toContain("is tracked by git");
    expect(existsSync(join(repository, ".proctor/kept"))).toBe(true);
  });

  test("a folder that is a repository by its files alone runs nothing", () => {
    const mark = join(dir, "mark");
    const bare = join(repository, "lib");
    execFileSync("git", ["init", "-q", "--bare", bare], { env: { PATH: process.env["PATH"], HOME: dir } });
    writeFileSync(
      join(bare, "config"),
      `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${mark}; false"\n`,
    );
    put("lib/skills/refund/SKILL.md", "---\nname: refund\ndescription: Handles refunds.\n---\n");
    run({ PROCTOR_ACTION_BASE: "none" }, {}, bare);
    expect(existsSync(mark)).toBe(false);
  });
});
