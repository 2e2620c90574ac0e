import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { onLongWork } from "../../src/base/index.ts";
import { clearLongWork, showLongWork } from "../../src/cli/printing/long-work.ts";
import { check } from "../../src/verbs/index.ts";
import { World } from "../world.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.skill("alpha", [{ query: "One", should_trigger: true }]);
  for (let folder = 0; folder < 40; folder++) {
    mkdirSync(join(world.dir, `notes/${folder}`), { recursive: true });
    writeFileSync(join(world.dir, `notes/${folder}/evals.json`), "{}");
  }
});
afterEach(() => {
  onLongWork(undefined);
  world.remove();
});

test("a long search says which folder it is in, how much it has seen, and what it reads", async () => {
  const told: string[] = [];
  onLongWork((doing) => told.push(doing), 0);
  await check({ cwd: world.dir });
  expect(told.some((doing) => /^Looking for skills and suites: \d+ files so far, in .*notes/.test(doing))).toBe(true);
  expect(told.some((doing) => /^Reading what may be a suite: \d+ of 4\d files, .*\.json$/.test(doing))).toBe(true);
});

test("what comes right after something else was shown is not long yet", async () => {
  for (const isTTY of [true, false]) {
    const out = stream(isTTY);
    let now = 0;
    showLongWork({ stream: out.stream, now: () => now, everyMs: 0 });
    now = 60_000;
    clearLongWork();
    await check({ cwd: world.dir });
    expect(out.written).toEqual([]);
    now += 11_000;
    await check({ cwd: world.dir });
    expect(out.written.length).toBeGreaterThan(0);
  }
});

const stream = (isTTY: boolean) => {
  const written: string[] = [];
  return {
    written,
    stream: { isTTY, columns: 60, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream,
  };
};

test("a terminal sees it after a moment, on one line that fits; a log gets a line now and then", async () => {
  for (const [isTTY, line] of [
    [true, /^\r\x1b\[K(Looking|Reading) .{10,52}$/],
    [false, /^(Looking|Reading) .*\n$/],
  ] as const) {
    const out = stream(isTTY);
    let now = 0;
    showLongWork({ stream: out.stream, now: () => now, everyMs: 0 });
    await check({ cwd: world.dir });
    expect(out.written).toEqual([]);
    now = 11_000;
    await check({ cwd: world.dir });
    expect(out.written.length).toBeGreaterThan(0);
    for (const text of out.written) expect(text).toMatch(line);
    if (!isTTY) expect(out.written).toHaveLength(1);
  }
});
