import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepWorkspaces } from "../../../src/targets/agents/workspace.ts";

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
  const theirs = join(dir, `prw-${DEAD}-theirs`);
  if (existsSync(theirs)) chmodSync(theirs, 0o700);
  rmSync(dir, { recursive: true, force: true });
});

test.runIf(process.platform === "linux")(
  "what a crashed run left is swept, also beside a folder of somebody else's that cannot be",
  async () => {
    const [theirs, ours, running] = [join(dir, `prw-${DEAD}-theirs`), join(dir, `prw-${DEAD}-ours`), join(dir, `prw-${process.pid}-x`)];
    mkdirSync(join(theirs, "inside"), { recursive: true });
    chmodSync(theirs, 0o500);
    if (isRoot) process.seteuid!(NOBODY);
    mkdirSync(join(ours, "inside"), { recursive: true });
    mkdirSync(running);
    expect(await sweepWorkspaces([dir])).toBe(1);
    expect([theirs, ours, running].map((folder) => existsSync(folder))).toEqual([true, false, true]);
  },
);
