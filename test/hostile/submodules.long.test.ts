import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { isHere } from "../tools.ts";
import { World } from "../world.ts";

function git(cwd: string, args: string[]): string {
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
    stdio: ["pipe", "pipe", "ignore"],
  }).trim();
}

function commitAll(dir: string): void {
  git(dir, ["init"]);
  git(dir, ["add", "."]);
  git(dir, ["commit", "-m", "a commit"]);
}

describe.runIf(isHere("git"))("a repository with submodules", () => {
  let world: World;
  let other: World;
  let temporary: string;
  beforeEach(() => {
    world = new World();
    world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
    other = new World();
    other.skill("weather", [{ query: "Will it rain?", should_trigger: true }]);
    commitAll(other.dir);
    commitAll(world.dir);
    git(world.dir, ["submodule", "add", `file://${other.dir}`, "vendor/weather"]);
    git(world.dir, ["commit", "-m", "with a submodule"]);
    // A temporary folder of its own, in which nobody else leaves anything.
    temporary = `${world.dir}-tmp`;
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const one of [world, other]) one.remove();
    rmSync(temporary, { recursive: true, force: true });
  });

  /** The repository, that of the submodule and its checkout are as they were. */
  function expectNothingLeft(): void {
    expect(readdirSync(temporary)).toEqual([]);
    for (const place of [world.dir, join(world.dir, "vendor/weather")]) {
      expect(git(place, ["worktree", "list"]).split("\n")).toHaveLength(1);
      expect(git(place, ["branch", "--list"])).toBe("* main");
    }
    expect(existsSync(join(world.dir, ".git/worktrees"))).toBe(false);
    expect(existsSync(join(world.dir, ".git/modules/vendor/weather/worktrees"))).toBe(false);
    expect(git(world.dir, ["submodule", "status"])).toMatch(/^[0-9a-f]{40} vendor\/weather/);
  }

  test("is compared with them, each at the commit that the revision names", async () => {
    world.skill("refund", [], "Knows the weather.");
    const same = (await runMain(world.dir, ["compare", "--base", "main"])).stdout.replace(/\s+/g, " ");
    expect(same).toMatch(/main \([0-9a-f]{7}\) →.*edited refund embedded/);
    expect(same).not.toContain("Not examined");
    writeFileSync(
      join(world.dir, "vendor/weather/skills/weather/SKILL.md"),
      "---\nname: weather\ndescription: Knows the sea.\n---\nIt may rain.\n",
    );
    const edited = (await runMain(world.dir, ["compare", "--base", "main"])).stdout.replace(/\s+/g, " ");
    expect(edited).toMatch(/edited refund, weather embedded/);
    expectNothingLeft();
  });

  test("is compared from inside a submodule, whose own history counts", async () => {
    const inside = join(world.dir, "vendor/weather");
    writeFileSync(
      join(inside, "skills/weather/SKILL.md"),
      "---\nname: weather\ndescription: Knows the sea.\n---\nIt may rain.\n",
    );
    const shown = await runMain(inside, ["compare", "--base", "main"]);
    expect(shown.stderr).toBe("");
    expect(shown.stdout).toMatch(/main \([0-9a-f]{7}\) →[\s\S]*edited {2}weather/);
    expect(shown.stdout).toContain(git(inside, ["rev-parse", "main"]).slice(0, 7));
    rmSync(join(inside, ".proctor"), { recursive: true, force: true });
    expectNothingLeft();
  });

  test("that is not checked out leaves nothing to compare there, and the rest is compared", async () => {
    git(world.dir, ["submodule", "deinit", "-f", "vendor/weather"]);
    world.skill("refund", [], "Knows the weather.");
    const shown = await runMain(world.dir, ["compare", "--base", "main"]);
    expect(shown.stdout.replace(/\s+/g, " ")).toMatch(/edited refund.*Not examined at main: vendor\/weather/);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
