import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { library, skill, useWorld } from "./route-world.ts";
import { type Built, buildCommand } from "./run-built.ts";

const world = useWorld();
const suite = "skill_name: order-status\ntriggers:\n  - query: Where is my parcel?\n    should_trigger: true\n";
const isRoot = process.getuid?.() === 0 || process.platform === "win32";

test("init where a file is in the way says which, and blames nobody", async () => {
  await world.files({ ...library, "skills/order-status/evals": "not a folder\n" });
  const { code, err } = await world.proctor("init", "order-status");
  expect(code).toBe(2);
  expect(err).toMatch(
    /evals[\\/]triggers\.yaml cannot be written: .*\((?:EEXIST|ENOTDIR)\)\n {2}Choose another folder/,
  );
  expect(err).not.toContain("fault in Proctor");
});

test("import to a file says that a folder is needed", async () => {
  await world.files({ ...library, "slow.yaml": suite });
  const { code, err } = await world.proctor("import", "slow.yaml", "--to", "slow.yaml");
  expect(code).toBe(2);
  expect(err).toMatch(/cannot be written: .*\((?:EEXIST|ENOTDIR)\)/);
  expect(err).not.toContain("fault in Proctor");
});

test.skipIf(isRoot)("check --fix in a read-only folder says what may not be written", async () => {
  await world.files({
    "skills/a/SKILL.md": skill("a", "x").replace('"x"', "Does this: and that. Use when it is needed."),
  });
  await chmod(join(world.folder, "skills/a"), 0o555);
  const { code, err } = await world.proctor("check", "--fix");
  await chmod(join(world.folder, "skills/a"), 0o755);
  expect(code).toBe(2);
  expect(err).toMatch(
    /SKILL\.md cannot be written: you have no permission to write there \(EACCES\)\n {2}Make it writable/,
  );
});

describe.skipIf(!existsSync("/dev/full"))("the system refuses, which is told in one line with exit code 2:", () => {
  let built: Built;
  beforeAll(async () => {
    built = await buildCommand();
  });
  afterAll(() => built.remove());

  const shell = (script: string) => {
    const { status, stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, built.main, "check"], {
      cwd: world.folder,
      env: { PATH: process.env["PATH"] },
      encoding: "utf8",
    });
    return { status, stderr };
  };

  test("standard output is full", async () => {
    await world.files(library);
    expect(shell('exec "$@" > /dev/full')).toEqual({
      status: 2,
      stderr: "proctor: The output cannot be written: no space left on device (ENOSPC).\n",
    });
  });

  test("both outputs are full", async () => {
    await world.files(library);
    expect(shell('exec "$@" > /dev/full 2>&1').status).toBe(2);
  });

  test("too many files are open, whenever that shows", async () => {
    await world.files(library);
    const refused = [];
    for (let most = 20; most < 40; most += 2) {
      const { status, stderr } = shell(`ulimit -n ${most}; exec "$@"`);
      // Before its first line is read, it is Node that fails.
      if (stderr.includes("main.mjs")) continue;
      if (status === 0) break;
      expect(stderr).toMatch(/^proctor: .*too many open files.*\n(?: {2}Allow more of them: ulimit -n 1024\.\n)?$/i);
      expect(status).toBe(2);
      refused.push(most);
    }
    expect(refused).not.toEqual([]);
  });
});
