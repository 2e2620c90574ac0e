import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { lockRun } from "../../src/exam/record/run-lock.ts";
import { isHere } from "../tools.ts";
import { proctor, runMain } from "./run-main.ts";

let folder: string;
const start = process.cwd();
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "proctor-conveniences-")));
  process.chdir(folder);
  write(
    "skills/faq/SKILL.md",
    "---\nname: faq\ndescription: Answers when the shop is open. Use when somebody asks about opening hours.\n---\nSay it.\n",
  );
  write("skills/faq/evals/triggers.json", JSON.stringify([{ query: "When is the shop open?", should_trigger: true }]));
});
afterEach(() => {
  process.chdir(start);
  process.exitCode = undefined;
  delete process.env["NO_COLOR"];
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe("a command that does not exist", () => {
  test.each([
    ["lint", "check"],
    ["test", "run"],
    ["chek", "check"],
    ["reprot", "report"],
    ["list", "runs"],
    ["eval", "run"],
    ["diff", "compare"],
    ["version", "--version"],
  ])("%s is refused, and %s is offered", async (typed, meant) => {
    const { code, err } = await proctor(typed);
    expect(code).toBe(2);
    expect(err).toBe(`proctor: There is no command ${typed}.\n  Did you mean ${meant}?\n`);
  });

  test("after help it is refused as well", async () => {
    expect(await proctor("help", "nope")).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no command nope."),
    });
    expect((await proctor("help", "check")).code).toBe(0);
  });

  test("nor does a command of a command", async () => {
    expect(await proctor("runs", "prun")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Did you mean runs prune?"),
    });
    expect(await proctor("runs", "list")).toMatchObject({
      code: 2,
      err: expect.stringContaining("its commands: prune"),
    });
  });
});

const folderless = "Paths are relative to";

describe("--json", () => {
  test.each([
    ["check"],
    ["run"],
    ["run", "--reporter", "json=-"],
    ["route", "When are you open?"],
    ["collisions"],
    ["explain"],
    ["explain", "unquoted-colon"],
    ["init", "faq", "--dry-run"],
    ["runs"],
  ])("%s %s prints one JSON document and nothing else", async (...words) => {
    const { out } = await proctor(...words, ...(words.includes("--reporter") ? [] : ["--json"]));
    expect(JSON.parse(out)).toMatchObject({ version: expect.any(Number) });
  });

  test("a stored run is told as JSON by report, grade and merge", async () => {
    await proctor("run", "-q");
    for (const words of [["report"], ["grade"], ["merge", "latest"]])
      expect(JSON.parse((await proctor(...words, "--json")).out)).toBeTruthy();
  });

  test("the trials of a run are told with what was asked and done", async () => {
    await proctor("run", "-q");
    const { run, total, trials } = JSON.parse((await proctor("report", "--trials", "shop", "--json")).out);
    expect([run, total]).toEqual([readdirSync(join(folder, ".proctor/runs"))[0], 1]);
    expect(trials).toMatchObject([
      { prompt: "When is the shop open?", target: "embedded", run: 1, checks: [{ passed: true }] },
    ]);
    expect(JSON.parse((await proctor("report", "--trials", "--json")).out)).toMatchObject({ total: 0, trials: [] });
  });

  test.each([
    {
      words: ["check", "nope"],
      error: { message: "There is no file or folder nope.", hint: expect.stringContaining(folderless) },
    },
    {
      words: ["run", "--zzzzzz"],
      error: { message: "Unknown option '--zzzzzz'.", hint: "proctor run --help shows its options, and examples." },
    },
    { words: ["run", "--verbos"], error: { message: "Unknown option '--verbos'.", hint: "Did you mean --verbose?" } },
    { words: ["route"], error: { message: "For which query?", hint: expect.stringContaining("proctor route") } },
    { words: ["nope"], error: { message: "There is no command nope." } },
    {
      words: ["merge"],
      error: { message: "Missing required argument 'records'.", hint: expect.stringContaining("proctor merge --help") },
    },
    { words: ["import", "x"], error: { message: "Required option '--to <folder>' not specified." } },
    { words: ["init", "x"], error: { message: 'There is no skill "x" in this library.' } },
    { words: ["report"], error: { message: expect.stringContaining("There is no run") } },
    {
      words: ["runs", "prune", "--keep", "x"],
      error: { message: expect.stringContaining("It must be a whole number") },
    },
    { words: ["run", "--grep", "zzz"], exitCode: 3, error: { message: "No question matches --grep zzz." } },
  ])("$words: what is wrong is a JSON document too", async ({ words, exitCode = 2, error }) => {
    const { out, err, code } = await proctor(...words, "--json");
    expect(code).toBe(exitCode);
    expect(JSON.parse(out)).toMatchObject({ version: 1, exitCode, error });
    expect(err).toMatch(/^proctor: ["\p{Lu}].*[.?]$/mu);
  });

  test.each(["json", "json=-", "terminal=report.txt,json=-"])(
    "so it is with --reporter %s, and not where JSON goes to a file",
    async (reporter) => {
      expect(JSON.parse((await proctor("run", "nope", "--reporter", reporter)).out)).toMatchObject({ exitCode: 2 });
      expect((await proctor("run", "nope", "--reporter", "json=report.json")).out).toBe("");
    },
  );
});

test("-q is --quiet, and every command takes --no-color", async () => {
  expect((await proctor("run", "-q")).out).toBe((await proctor("run", "--quiet")).out);
  for (const command of program().commands.filter((one) => !["completion", "help"].includes(one.name())))
    expect(
      command.options.map(({ long }) => long),
      command.name(),
    ).toContain("--no-color");
});

test("what every command takes may stand before the command", async () => {
  expect(JSON.parse((await proctor("--no-color", "--json", "check")).out)).toMatchObject({ version: 1 });
});

describe("proctor runs", () => {
  const kept = () => readdirSync(join(folder, ".proctor/runs")).sort();

  test("lists what is kept with its size, oldest first", async () => {
    expect((await proctor("runs")).out).toMatch(/^No runs are kept here/);
    for (let run = 0; run < 2; run++) await proctor("run", "-q");
    const { out } = await proctor("runs");
    const ids = kept();
    expect(
      out
        .split("\n")
        .slice(0, 2)
        .map((line) => line.split(" ")[0]),
    ).toEqual(ids);
    expect(out).toMatch(/\d kB .* embedded\n/);
    expect(out).toContain("2 runs, ");
  });

  test("prune removes all but the newest, and only says so with --dry-run", async () => {
    for (let run = 0; run < 3; run++) await proctor("run", "-q");
    const ids = kept();
    expect((await proctor("runs", "prune", "--keep", "1", "--dry-run")).out).toMatch(/^would remove 2 runs/m);
    expect(kept()).toEqual(ids);
    expect((await proctor("runs", "prune", "--keep", "1")).out).toMatch(/^removed 2 runs/m);
    expect(kept()).toEqual(ids.slice(2));
  });

  test("a run that goes on is never removed, and one that was killed is listed as such", async () => {
    for (let run = 0; run < 2; run++) await proctor("run", "-q");
    const [first = "", second = ""] = kept().map((id) => join(folder, ".proctor/runs", id));
    const lock = lockRun(first);
    const record = join(second, "record.jsonl");
    writeFileSync(record, readFileSync(record, "utf8").split("\n").slice(0, -2).join("\n").concat("\n"));
    const { out } = await proctor("runs");
    expect(out).toMatch(/embedded \(running now\)\n.*embedded \(unfinished\)\n2 runs, .*\nnext: proctor run --resume /);
    expect((await proctor("runs", "prune", "--keep", "0")).out).toMatch(/removed 1 run, /);
    expect(kept()).toHaveLength(1);
    lock.release();
    const [left = "-"] = kept();
    expect((await proctor("runs", "prune", "--keep", "0")).out).toContain(left);
    expect(kept()).toEqual([]);
  });

  test.each(["-1", "1.5", "x"])("prune --keep %s is refused", async (keep) => {
    expect((await proctor("runs", "prune", "--keep", keep)).code).toBe(2);
  });

  test("prune without a rule removes nothing, and --older-than leaves what is young", async () => {
    await proctor("run", "-q");
    expect((await proctor("runs", "prune")).code).toBe(2);
    expect((await proctor("runs", "prune", "--older-than", "30")).out).toMatch(/^removed 0 runs/);
    expect(kept()).toHaveLength(1);
  });
});

describe("completion", () => {
  test.each(["bash", "zsh", "fish"])("%s knows every command and its flags", async (shell) => {
    const { out } = await proctor("completion", shell);
    for (const command of program().commands) expect(out).toContain(command.name());
    // Only zsh takes a backslash before a colon away.
    expect(out.includes("\\:")).toBe(shell === "zsh");
    expect(out).toMatch(shell === "fish" ? /-l negative-threshold/ : /--negative-threshold/);
  });

  test("another shell is refused", async () => {
    expect(await proctor("completion", "cmd")).toMatchObject({
      code: 2,
      err: expect.stringContaining("bash, zsh, fish"),
    });
  });

  const script = async (shell: string) => write(`complete.${shell}`, (await proctor("completion", shell)).out);
  const ask = (shell: string, text: string) => execFileSync(shell, ["-c", text], { cwd: folder }).toString();
  const table: [line: string, proposals: string[]][] = [
    ["proctor coll", ["collisions"]],
    ["proctor run --no-ear", ["--no-early-stop"]],
    ["proctor run -t cla", ["claude:"]],
    ["proctor run --target emb", ["embedded", "embedded:keywords", "embedded:minilm"]],
    ["proctor run --only ", ["triggers", "cases"]],
    ["proctor report 20", ["2026-11-16-a"]],
    ["proctor see cl", ["claude"]],
    ["proctor runs pr", ["prune"]],
    ["proctor runs prune --ke", ["--keep"]],
  ];

  test.runIf(isHere("bash"))("a real bash completes commands, flags, targets and runs", async () => {
    write(".proctor/runs/2026-11-16-a/record.jsonl", "");
    await script("bash");
    const complete = (line: string) =>
      ask(
        "bash",
        `source ./complete.bash; COMP_LINE='${line}'; COMP_POINT=${line.length}; _proctor 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`,
      );
    for (const [line, proposals] of table) expect(complete(line).trim().split("\n"), line).toEqual(proposals);
    // A colon ends a word there: only what follows it is put in.
    expect(complete("proctor run -t embedded:k")).toBe("keywords\n");
  });

  test.runIf(isHere("fish"))("so does a real fish", async () => {
    write(".proctor/runs/2026-11-16-a/record.jsonl", "");
    await script("fish");
    for (const [line, proposals] of table) {
      const found = ask("fish", `source ./complete.fish; complete -C '${line}'`).trim().split("\n");
      expect(found.map((one) => one.split("\t")[0]).sort(), line).toEqual([...proposals].sort());
    }
  });

  test.runIf(isHere("zsh"))("a real zsh can read its script", async () => {
    await script("zsh");
    expect(spawnSync("zsh", ["-n", "complete.zsh"], { cwd: folder })).toMatchObject({ status: 0 });
  });
});

test.each(["0", "false"])("FORCE_COLOR=%s is no colour", async (value) => {
  expect((await runMain(folder, ["run"], { FORCE_COLOR: "1" })).stdout).toContain("\x1b[");
  expect((await runMain(folder, ["run"], { FORCE_COLOR: value })).stdout).not.toContain("\x1b[");
});

test.each([
  ["unsure", "it found fewer real failures than asking at random. Name a target with -t"],
  ["escalate", "predictions do not tell which questions fail. Leave it out"],
  ["calibrate", "a prediction stays a guess, whatever it is fitted to. Ask the agent itself"],
])("--%s is gone, and one sentence says what to write instead", async (name, why) => {
  for (const given of [
    { flags: [`--${name}`], env: {}, spelt: `--${name}` },
    { flags: [], env: { [`PROCTOR_${name.toUpperCase()}`]: "1" }, spelt: `PROCTOR_${name.toUpperCase()}` },
  ]) {
    const { code, stdout, stderr } = await runMain(folder, ["run", ...given.flags], given.env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`${given.spelt} is gone: ${why}`);
  }
});
