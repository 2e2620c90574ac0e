import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, test as anyTest, beforeEach, describe, expect } from "vitest";
import { gitState } from "../../src/base/index.ts";
import { runMain } from "../cli/run-main.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";

const test = anyTest.runIf(isHere("git"));

let world: World;
let marker: string;
beforeEach(() => {
  world = new World();
  marker = join(world.dir, "..", `${world.dir.split("/").at(-1)}-marker`);
  world.skill("refund", [
    { query: "I want my money back", should_trigger: true },
    { query: "Where is my parcel?", should_trigger: false },
  ]);
});
afterEach(() => {
  rmSync(marker, { force: true });
  world.remove();
});

/** git as a person runs it, with nobody's own configuration. */
function git(cwd: string, ...args: string[]): string {
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
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

function committed(dir: string): string {
  git(dir, "init");
  git(dir, "add", ".");
  git(dir, "commit", "-m", "first");
  return git(dir, "rev-parse", "HEAD");
}

/** All that git would start because a repository says so. */
function arm(gitDir: string): void {
  const trap = join(gitDir, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${marker}'\nexit 0\n`);
  chmodSync(trap, 0o755);
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "query-watchman"])
    cpSync(trap, join(gitDir, "hooks", hook));
  appendFileSync(
    join(gitDir, "config"),
    [
      "[core]",
      `fsmonitor = ${trap}`,
      `hooksPath = ${join(gitDir, "hooks")}`,
      `pager = ${trap}`,
      `sshCommand = ${trap}`,
      '[filter "trap"]',
      `clean = ${trap}`,
      `smudge = ${trap}`,
      `process = ${trap}`,
      "required = true",
      '[diff "trap"]',
      `textconv = ${trap}`,
      `command = ${trap}`,
      "[diff]",
      `external = ${trap}`,
      '[remote "origin"]',
      `uploadpack = ${trap}`,
      "promisor = true",
      "url = ext::sh -c trap",
      "",
    ].join("\n"),
  );
}

async function examine(cwd: string, ...paths: string[]): Promise<void> {
  await runMain(cwd, ["check", ...paths]);
  const { code, stderr } = await runMain(cwd, ["run", ...paths, "-t", "embedded"]);
  expect(stderr).not.toMatch(/fault in Proctor/);
  expect([0, 1, 3]).toContain(code);
}

describe("examining a repository runs nothing of it", () => {
  test("the traps work: git itself runs them", () => {
    committed(world.dir);
    arm(join(world.dir, ".git"));
    git(world.dir, "status");
    expect(existsSync(marker)).toBe(true);
  });

  test("its own .git/config, attributes and hooks", async () => {
    world.write(".gitattributes", "* filter=trap diff=trap\n");
    const commit = committed(world.dir);
    arm(join(world.dir, ".git"));
    world.write("skills/refund/SKILL.md", "---\nname: refund\ndescription: Refunds.\n---\nEdited.\n");
    await examine(world.dir);
    expect(await gitState(world.dir)).toEqual({ commit, dirty: true });
    expect(existsSync(marker)).toBe(false);
  });

  test("an embedded bare repository that is the root", async () => {
    git(world.dir, "init", "--bare", "lib");
    const lib = join(world.dir, "lib");
    cpSync(join(world.dir, "skills"), join(lib, "skills"), { recursive: true });
    world.write("lib/proctor.config.json", "{}");
    appendFileSync(join(lib, "config"), `[core]\nbare = false\nworktree = ${lib}\n`);
    git(world.dir, "--git-dir", lib, "--work-tree", lib, "add", "skills");
    git(world.dir, "--git-dir", lib, "--work-tree", lib, "commit", "-m", "first");
    arm(lib);
    await examine(world.dir, "lib");
    expect(await gitState(lib)).toBeUndefined();
    expect(existsSync(marker)).toBe(false);
  });

  test("a submodule inside it", async () => {
    const inner = join(world.dir, "inner");
    cpSync(join(world.dir, "skills"), join(inner, "skills"), { recursive: true });
    committed(inner);
    const outer = join(world.dir, "outer");
    cpSync(join(world.dir, "skills"), join(outer, "skills"), { recursive: true });
    committed(outer);
    git(outer, "submodule", "add", inner, "sub");
    git(outer, "commit", "-m", "second");
    arm(join(outer, ".git", "modules", "sub"));
    await examine(outer);
    await examine(outer, "sub");
    expect(await gitState(outer)).toMatchObject({ dirty: false });
    expect(existsSync(marker)).toBe(false);
  });

  test("the settings in the caller's environment", async () => {
    committed(world.dir);
    const trap = join(world.dir, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
    const before = { ...process.env };
    Object.assign(process.env, {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: trap,
      GIT_EXTERNAL_DIFF: trap,
    });
    try {
      await gitState(world.dir);
    } finally {
      for (const key of ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_EXTERNAL_DIFF"]) {
        if (before[key] === undefined) delete process.env[key];
        else process.env[key] = before[key];
      }
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe("what the record says of the repository", () => {
  test("the commit, and whether a tracked file differs from it", async () => {
    const commit = committed(world.dir);
    expect(await gitState(world.dir)).toEqual({ commit, dirty: false });
    world.write("new.txt", "untracked");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: false });
    world.write("skills/refund/SKILL.md", "---\nname: refund\ndescription: Other.\n---\n");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: true });
    git(world.dir, "add", ".");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: true });
  });

  test("from a folder inside it, a detached HEAD, packed refs and a nested branch", async () => {
    const commit = committed(world.dir);
    expect(await gitState(join(world.dir, "skills"))).toEqual({ commit, dirty: false });
    git(world.dir, "checkout", "-b", "feature/deep/name");
    git(world.dir, "pack-refs", "--all");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: false });
    git(world.dir, "gc");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: false });
    git(world.dir, "checkout", "--detach");
    expect(await gitState(world.dir)).toEqual({ commit, dirty: false });
  });

  test("of a worktree its own HEAD", async () => {
    committed(world.dir);
    const tree = join(world.dir, "..", `${world.dir.split("/").at(-1)}-tree`);
    git(world.dir, "worktree", "add", "-b", "other", tree);
    try {
      writeFileSync(join(tree, "more.txt"), "more");
      git(tree, "add", ".");
      git(tree, "commit", "-m", "more");
      expect(await gitState(tree)).toEqual({ commit: git(tree, "rev-parse", "HEAD"), dirty: false });
    } finally {
      rmSync(tree, { recursive: true, force: true });
    }
  });

  test("of a submodule its own HEAD", async () => {
    const inner = join(world.dir, "inner");
    cpSync(join(world.dir, "skills"), join(inner, "skills"), { recursive: true });
    const commit = committed(inner);
    const outer = join(world.dir, "outer");
    mkdirSync(outer);
    git(outer, "init");
    git(outer, "submodule", "add", inner, "sub");
    expect(await gitState(join(outer, "sub"))).toEqual({ commit, dirty: false });
  });

  test("a repository without a commit says nothing", async () => {
    git(world.dir, "init");
    expect(await gitState(world.dir)).toBeUndefined();
  });

  test("no folder is left behind", async () => {
    committed(world.dir);
    const before = execFileSync("ls", [tmpdir()], { encoding: "utf8" })
      .split("\n")
      .filter((name) => name.startsWith("proctor-git-"));
    await gitState(world.dir);
    const after = execFileSync("ls", [tmpdir()], { encoding: "utf8" })
      .split("\n")
      .filter((name) => name.startsWith("proctor-git-"));
    expect(after).toEqual(before);
  });
});

describe("a .git that lies", () => {
  /** A .git folder with this HEAD. */
  const withHead = (dir: string, make: (head: string) => void) => {
    mkdirSync(join(dir, ".git"));
    make(join(dir, ".git", "HEAD"));
  };
  const forged: [string, (dir: string, other: string) => void][] = [
    [
      "is a file that names somebody else's repository",
      (dir, other) => writeFileSync(join(dir, ".git"), `gitdir: ${other}/.git\n`),
    ],
    ["is a link to somebody else's repository", (dir, other) => symlinkSync(join(other, ".git"), join(dir, ".git"))],
    ["is a FIFO", (dir) => execFileSync("mkfifo", [join(dir, ".git")])],
    ["has a FIFO as HEAD", (dir) => withHead(dir, (head) => execFileSync("mkfifo", [head]))],
    [
      "has a HEAD that climbs out",
      (dir, other) => withHead(dir, (head) => writeFileSync(head, `ref: refs/../../${other}/.git/refs/heads/main\n`)),
    ],
    [
      "has a HEAD that is a link out",
      (dir, other) => withHead(dir, (head) => symlinkSync(join(other, ".git/refs/heads/main"), head)),
    ],
    [
      "has a commondir elsewhere",
      (dir, other) => {
        withHead(dir, (head) => writeFileSync(head, "ref: refs/heads/main\n"));
        writeFileSync(join(dir, ".git/commondir"), `${other}/.git\n`);
      },
    ],
    ["has a HEAD of another kind", (dir) => withHead(dir, (head) => writeFileSync(head, "\u001b[31mhello\n"))],
  ];
  test.each(forged)("%s: nothing is said, at once", async (_what, forge) => {
    const other = join(world.dir, "other");
    mkdirSync(other);
    writeFileSync(join(other, "a.txt"), "a");
    committed(other);
    const dir = join(world.dir, "clone");
    cpSync(join(world.dir, "skills"), join(dir, "skills"), { recursive: true });
    forge(dir, realpathSync(other));
    expect(await gitState(dir)).toBeUndefined();
    await examine(dir);
  });

  test("an objects folder that is a link out: the commit is told, not whether anything differs", async () => {
    const commit = committed(world.dir);
    const elsewhere = join(world.dir, "elsewhere");
    cpSync(join(world.dir, ".git/objects"), elsewhere, { recursive: true });
    rmSync(join(world.dir, ".git/objects"), { recursive: true });
    symlinkSync(elsewhere, join(world.dir, ".git/objects"));
    expect(await gitState(world.dir)).toEqual({ commit });
  });

  test("a damaged index: the commit is told, not whether anything differs", async () => {
    const commit = committed(world.dir);
    writeFileSync(join(world.dir, ".git/index"), readFileSync(join(world.dir, ".git/index")).subarray(0, 40));
    expect(await gitState(world.dir)).toEqual({ commit });
  });
});
