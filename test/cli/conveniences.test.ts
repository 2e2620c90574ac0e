import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { proctor } from "./run-main.ts";

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
  ])("%s is refused, and %s is offered", async (typed, meant) => {
    const { code, err } = await proctor(typed);
    expect(code).toBe(2);
    expect(err).toBe(`proctor: there is no command ${typed}\n  Did you mean ${meant}?\n`);
  });

  test("after help it is refused as well", async () => {
    expect(await proctor("help", "nope")).toMatchObject({ code: 2, err: expect.stringContaining("there is no command nope") });
    expect((await proctor("help", "check")).code).toBe(0);
  });
});

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
});

test("-q is --quiet, and every command takes --no-color", async () => {
  expect((await proctor("run", "-q")).out).toBe((await proctor("run", "--quiet")).out);
  for (const command of program().commands.filter((one) => !["completion", "help"].includes(one.name())))
    expect(
      command.options.map(({ long }) => long),
      command.name(),
    ).toContain("--no-color");
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
    expect((await proctor("runs", "prune", "--keep", "1", "--dry-run")).out).toMatch(/^would remove 2 runs/);
    expect(kept()).toEqual(ids);
    expect((await proctor("runs", "prune", "--keep", "1")).out).toMatch(/^removed 2 runs/);
    expect(kept()).toEqual(ids.slice(2));
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
    expect(await proctor("completion", "cmd")).toMatchObject({ code: 2, err: expect.stringContaining("bash, zsh, fish") });
  });

  test("the script of bash completes in a real bash", async () => {
    if (spawnSync("bash", ["-c", "true"]).status !== 0) return;
    write("complete.bash", (await proctor("completion", "bash")).out);
    const complete = (line: string[]) =>
      execFileSync("bash", [
        "-c",
        `source ./complete.bash; COMP_WORDS=(${line.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${line.length - 1}; _proctor; echo "\${COMPREPLY[@]}"`,
      ]).toString();
    expect(complete(["proctor", "coll"])).toBe("collisions\n");
    expect(complete(["proctor", "run", "--no-ear"])).toBe("--no-early-stop\n");
    expect(existsSync(join(folder, "complete.bash"))).toBe(true);
  });
});
