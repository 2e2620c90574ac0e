import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorkspace, sweepWorkspaces } from "../../../../src/targets/agents/workspace/workspace.ts";
import { keptWorkspaces } from "../../../../src/targets/index.ts";

/** Nobody runs under it: process ids end below. */
const DEAD = 4_194_305;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sweep-test-"));
  chmodSync(dir, 0o777);
});

afterEach(() => {
  if (isRoot) process.seteuid!(0);
  for (const name of [`prw-${DEAD}-theirs`, "read-only"])
    if (existsSync(join(dir, name))) chmodSync(join(dir, name), 0o700);
  rmSync(dir, { recursive: true, force: true });
});

describe.runIf(process.platform === "linux")(
  "what a crashed run left is swept, also beside a folder that cannot be removed",
  () => {
    test.runIf(isRoot)("because it is somebody else's", async () => {
      const theirs = join(dir, `prw-${DEAD}-theirs`);
      mkdirSync(join(theirs, "inside"), { recursive: true });
      chmodSync(theirs, 0o500);
      process.seteuid!(NOBODY);
      await sweptBeside(theirs, [dir]);
    });

    test("because of where it is", async () => {
      const place = join(dir, "read-only");
      const stuck = join(place, `prw-${DEAD}-stuck`);
      mkdirSync(stuck, { recursive: true });
      chmodSync(place, 0o555);
      if (isRoot) process.seteuid!(NOBODY);
      await sweptBeside(stuck, [place, dir]);
    });

    async function sweptBeside(stays: string, places: string[]): Promise<void> {
      const [ours, running] = [join(dir, `prw-${DEAD}-ours`), join(dir, `prw-${process.pid}-x`)];
      mkdirSync(join(ours, "inside"), { recursive: true });
      mkdirSync(running);
      expect(await sweepWorkspaces(places)).toBe(1);
      expect([stays, ours, running].map((folder) => existsSync(folder))).toEqual([true, false, true]);
    }
  },
);

test("kept workspaces are told once, and no later run sweeps them", async () => {
  const request = { skills: [], skillsDir: ".", files: [], keep: true, place: dir };
  // What tests before this one have kept.
  keptWorkspaces();
  const [one, two] = [await createWorkspace(request), await createWorkspace(request)];
  for (const workspace of [one, two]) await workspace.dispose();
  expect(keptWorkspaces()).toEqual({ count: 2, path: expect.stringMatching(/proctor-kept-.*-\*$/) });
  expect(keptWorkspaces()).toBeUndefined();
  const dead = join(dir, `proctor-kept-${DEAD}-old`);
  mkdirSync(dead);
  expect(await sweepWorkspaces([dir])).toBe(0);
  expect([one.root, two.root, dead].map((folder) => existsSync(folder))).toEqual([true, true, true]);
});
