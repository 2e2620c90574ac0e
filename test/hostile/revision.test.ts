import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, test as anyTest, beforeEach, describe, expect } from "vitest";
import { exportRevision, openRevision } from "../../src/base/index.ts";
import { runMain } from "../cli/run-main.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";

const test = anyTest.runIf(isHere("git"));

let world: World;
let marker: string;
/** A folder for temporary files, in which no other test puts anything. */
let tmp: string;
beforeEach(() => {
  world = new World();
  tmp = mkdtempSync(join(tmpdir(), "proctor-revision-"));
  marker = `${world.dir}-marker`;
  world.write(".gitattributes", "* filter=trap diff=trap\n");
  world.skill("refund", [
    { query: "I want my money back", should_trigger: true },
    { query: "Where is my parcel?", should_trigger: false },
  ]);
});
afterEach(() => {
  rmSync(marker, { force: true });
  rmSync(tmp, { recursive: true, force: true });
  world.remove();
});

const compareWith = (base: string, cwd: string) => runMain(cwd, ["compare", "--base", base], { TMPDIR: tmp });

function git(cwd: string, args: string[], input?: string): string {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const own = [
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@b",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "init.defaultBranch=main",
  ];
  return execFileSync("git", [...own, ...args], {
    cwd,
    env,
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "ignore"],
  }).trim();
}

function commitAll(): void {
  if (!existsSync(join(world.dir, ".git"))) git(world.dir, ["init"]);
  git(world.dir, ["add", "."]);
  git(world.dir, ["commit", "-m", "a commit"]);
}

/** All that git would start because a repository says so. */
function arm(gitDir: string): void {
  const trap = join(gitDir, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\nexit 0\n`);
  chmodSync(trap, 0o755);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"])
    cpSync(trap, join(gitDir, "hooks", hook));
  const members = ["clean", "smudge", "process"].map((name) => `${name} = ${trap}\n`).join("");
  appendFileSync(
    join(gitDir, "config"),
    `[core]\nfsmonitor = ${trap}\nhooksPath = ${gitDir}/hooks\npager = ${trap}\nsshCommand = ${trap}\n[filter "trap"]\n${members}required = true\n` +
      `[diff "trap"]\ntextconv = ${trap}\n[alias]\nrev-parse = !${trap}\nls-tree = !${trap}\n[uploadpack]\npackObjectsHook = ${trap}\n` +
      `[extensions]\npartialClone = origin\n[remote "origin"]\npromisor = true\nurl = ext::${trap}\n`,
  );
}

test("a revision is compared without starting anything that the repository names, and nothing is left behind", async () => {
  commitAll();
  world.skill("refund", [], "Knows the weather.");
  arm(join(world.dir, ".git"));
  const index = git(world.dir, ["hash-object", "--no-filters", ".git/index"]);
  rmSync(marker, { force: true });
  const shown = await compareWith("main", world.dir);
  expect(shown).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/main \([0-9a-f]{7}\) →[\s\S]*edited {2}refund/),
  });
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(tmp)).toEqual([]);
  expect(existsSync(join(world.dir, ".git/worktrees"))).toBe(false);
  expect(git(world.dir, ["hash-object", "--no-filters", ".git/index"])).toBe(index);
});

test("questions of a skill that the revision does not have are put to no other skill of it", async () => {
  commitAll();
  world.skill("weather", [{ query: "Will it rain?", should_trigger: true }]);
  const shown = await runMain(world.dir, ["compare", "--base", "main", "--json"]);
  const [target] = JSON.parse(shown.stdout).targets;
  const asked = (questions: { skill: string; prompt: string }[]) =>
    questions.map(({ skill, prompt }) => `${skill}: ${prompt}`);
  expect({ before: asked(target.only.before), now: asked(target.only.now) }).toEqual({
    before: [],
    now: ["weather: Will it rain?"],
  });
});

describe("what has nothing to compare with is told", () => {
  const refused = async (base: string, cwd = world.dir) => {
    const ended = await compareWith(base, cwd);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(readdirSync(tmp)).toEqual([]);
    return ended.stderr;
  };

  test("no repository, and one that merely lies in the folder as files", async () => {
    expect(await refused("main")).toContain("is not in a git repository");
    git(world.dir, ["init", "--bare", "."]);
    expect(await refused("main")).toContain("is not in a git repository");
  });

  test("a history that is not born yet", async () => {
    git(world.dir, ["init"]);
    expect(await refused("main")).toContain("has no commit yet");
  });

  test("a revision that is not there, or would be an option", async () => {
    commitAll();
    expect(await refused("mian")).toMatch(/no revision mian[\s\S]*Did you mean main/);
    // Commander takes it for a value only in this form.
    const ended = await runMain(world.dir, ["compare", "--base=--output=/tmp/x"]);
    expect(ended.stderr).toContain("There is no revision --output");
  });

  test("a shallow history", async () => {
    commitAll();
    world.skill("refund", [], "Another.");
    commitAll();
    const clone = join(world.dir, "clone");
    git(world.dir, ["clone", "--depth", "1", `file://${world.dir}`, "clone"]);
    expect(await refused("HEAD~1", clone)).toMatch(/no revision HEAD~1[\s\S]*shallow[\s\S]*fetch-depth: 0/);
  });

  test("a revision without skills", async () => {
    git(world.dir, ["init"]);
    git(world.dir, ["commit", "--allow-empty", "-m", "nothing"]);
    git(world.dir, ["branch", "empty"]);
    expect(await refused("empty")).toMatch(/empty \([0-9a-f]{7}\) cannot be examined: .*skill/i);
  });

  test("a path that the revision does not have", async () => {
    commitAll();
    world.skill("faq", [{ query: "When are you open?", should_trigger: true }]);
    const ended = await runMain(world.dir, ["compare", "--base", "main", "skills/faq"]);
    expect(ended).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/nothing to compare[\s\S]*1 question only now/),
    });
  });

  test("a partial clone whose files are missing", async () => {
    commitAll();
    rmSync(join(world.dir, ".git/objects", ...split(git(world.dir, ["rev-parse", "main:skills/refund/SKILL.md"]))));
    expect(await refused("main")).toMatch(/cannot be read from this repository[\s\S]*partial clone/);
  });
});

test("what a hostile commit holds stays in the folder it is written to", async () => {
  git(world.dir, ["init"]);
  const blob = git(world.dir, ["hash-object", "-w", "--stdin", "--no-filters"], "text");
  const link = (to: string) => git(world.dir, ["hash-object", "-w", "--stdin", "--no-filters"], to);
  const tree = (...entries: [mode: string, type: string, hash: string, name: string][]) =>
    hashTree(entries.map(([mode, , hash, name]) => ({ mode, hash, name })));
  const inner = tree(["100644", "blob", blob, "evil"]);
  const top = tree(
    ["100755", "blob", blob, "run.sh"],
    ["120000", "blob", link("run.sh"), "inside"],
    ["120000", "blob", link("../../../../etc"), "outside"],
    ["120000", "blob", link("/etc/passwd"), "absolute"],
    ["120000", "blob", link("."), "here"],
    ["40000", "tree", inner, ".."],
    ["40000", "tree", inner, ".GIT"],
    ["40000", "tree", inner, "git~1"],
    ["40000", "tree", inner, "a\nb"],
    ["160000", "commit", "1".repeat(40), "module"],
  );
  const commit = git(world.dir, ["commit-tree", top, "-m", "hostile"]);
  git(world.dir, ["update-ref", "refs/heads/hostile", commit]);
  const revision = await openRevision(world.dir, "hostile");
  const into = join(world.dir, "out");
  mkdirSync(into);
  const { leftOut } = await exportRevision(revision, "", into);
  revision.close();
  expect(readdirSync(into).sort()).toEqual(["here", "inside", "run.sh"]);
  expect(leftOut.sort()).toEqual(["../evil", ".GIT/evil", "a\nb/evil", "absolute", "git~1/evil", "module", "outside"]);
  expect(existsSync(join(world.dir, "evil"))).toBe(false);
});

test("a submodule has the files of the commit that the revision names, where it is checked out; else it is named as left out", async () => {
  const other = mkdtempSync(join(tmpdir(), "proctor-module-"));
  try {
    const skill = (description: string) => {
      mkdirSync(join(other, "skills/extra"), { recursive: true });
      writeFileSync(
        join(other, "skills/extra/SKILL.md"),
        `---\nname: extra\ndescription: ${description}\n---\n# Extra\n`,
      );
      git(other, ["add", "."]);
      git(other, ["commit", "-m", "a commit"]);
    };
    git(other, ["init"]);
    skill("Counts sheep.");
    git(world.dir, ["init"]);
    git(world.dir, ["submodule", "add", other, "vendor/other"]);
    arm(join(world.dir, ".git/modules/vendor/other"));
    commitAll();
    const same = (await compareWith("main", world.dir)).stdout;
    expect(same).toContain("nothing  skills, suites, targets and options are the same");
    expect(same).not.toContain("Not examined");
    skill("Counts goats.");
    git(join(world.dir, "vendor/other"), ["pull", "--no-rebase"]);
    rmSync(marker, { force: true });
    const edited = (await compareWith("main", world.dir)).stdout;
    expect(edited).toMatch(/edited {2}extra/);
    expect(existsSync(marker)).toBe(false);
    git(world.dir, ["submodule", "deinit", "-f", "vendor/other"]);
    expect((await compareWith("main", world.dir)).stdout).toContain("Not examined at main: vendor/other");
    expect(readdirSync(tmp)).toEqual([]);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

test("a suite that cannot be read any more is no success: its questions would be missing on both sides", async () => {
  world.write(
    "evals/parcel.yaml",
    "skill_name: refund\ntriggers:\n  - { query: Send the money, should_trigger: true }\n",
  );
  commitAll();
  expect((await compareWith("main", world.dir)).code).not.toBe(2);
  world.write(
    "evals/parcel.yaml",
    "skill_name: refund\ntriggers:\n  - { query: Send the money, should_trigger: [broken\n",
  );
  const compared = await compareWith("main", world.dir);
  expect(compared.code).toBe(2);
  expect(compared.stdout).toContain("Not asked because of errors: evals/parcel.yaml");
  expect(compared.stderr).toMatch(/^evals\/parcel\.yaml:\d+:\d+ {2}error/m);
  expect((await runMain(world.dir, ["compare", "--base", "main", "--keep-going"], { TMPDIR: tmp })).code).not.toBe(2);
});

test("a revision with links that lead out by way of each other: nothing is written or removed where they lead", async () => {
  const victim = mkdtempSync(join(tmpdir(), "proctor-victim-"));
  writeFileSync(join(victim, "triggers.json"), "precious");
  try {
    world.skill("refund");
    rmSync(join(world.dir, "skills/refund/evals"), { recursive: true });
    // "up" is the root, so that "up/.." is above it; by its letters alone the second link stays inside.
    symlinkSync("../..", join(world.dir, "skills/refund/up"));
    symlinkSync(`up/../../${basename(victim)}`, join(world.dir, "skills/refund/evals"));
    symlinkSync(`up/../../${basename(victim)}/later`, join(world.dir, "skills/refund/later"));
    world.write("skills/refund/file", "a folder by now");
    commitAll();
    for (const name of ["evals", "up", "later", "file"]) rmSync(join(world.dir, "skills/refund", name));
    world.skill("refund", [{ query: "I want my money back", should_trigger: true }], "Knows the weather.");
    world.write("skills/refund/evals/authorized_keys", "ssh-ed25519 AAAA mallory");
    world.write("skills/refund/file/triggers.json", [{ query: "Pay it back", should_trigger: true }]);
    world.write("skills/refund/later/triggers.json", [{ query: "Money back, please", should_trigger: true }]);
    const shown = await compareWith("main", world.dir);
    expect(readdirSync(victim)).toEqual(["triggers.json"]);
    expect(readFileSync(join(victim, "triggers.json"), "utf8")).toBe("precious");
    expect(shown).toMatchObject({ stderr: "", stdout: expect.stringContaining("edited  refund") });
  } finally {
    rmSync(victim, { recursive: true, force: true });
  }
});

/** git's own commands refuse such trees; a server need not. */
function hashTree(entries: { mode: string; hash: string; name: string }[]): string {
  const parts = entries.flatMap(({ mode, hash, name }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, "hex")]);
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };
  const args = ["hash-object", "-t", "tree", "-w", "--stdin", "--literally"];
  return execFileSync("git", args, { cwd: world.dir, env, input: Buffer.concat(parts), encoding: "utf8" }).trim();
}

function split(hash: string): [string, string] {
  return [hash.slice(0, 2), hash.slice(2)];
}
