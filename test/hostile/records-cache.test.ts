import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { discover } from "../../src/exam/find/index.ts";
import { type CachedTarget, openCache, stageLibrary } from "../../src/exam/record/index.ts";
import type { Transcript } from "../../src/model/index.ts";
import { ask, noMask, staged, tempFolder, transcript } from "../record/sample.ts";
import { essence, World } from "../world.ts";

const now = Date.parse("2026-11-15T12:00:00Z");
const target: CachedTarget = {
  id: "claude:haiku",
  kind: "claude",
  identity: { host: "claude", options: {}, deterministic: false },
};
const library = [staged("go-docs"), staged("go-style")];

async function keep(root: string, said: Transcript, at = now): Promise<void> {
  const cache = openCache(root, { mask: noMask, now: () => now });
  cache
    .forTarget(target, library)
    .put(ask("q"), 1, { measuredAt: new Date(at).toISOString(), ms: 900, transcript: said });
  await cache.close();
}

const find = (root: string, skills = library) =>
  openCache(root, { mask: noMask, now: () => now })
    .forTarget(target, skills)
    .get(ask("q"), 1);

const filesOf = (root: string) => {
  const dir = join(root, ".proctor/cache/v2");
  return readdirSync(dir).map((name) => join(dir, name));
};

test("a cached answer with a flipped bit anywhere is the same answer or none", async () => {
  const root = tempFolder();
  await keep(root, transcript("Größe", ["go-docs"]));
  const expected = await find(root);
  expect(expected).toBeDefined();
  for (const file of filesOf(root)) {
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const damaged = Buffer.from(whole);
        damaged[at]! ^= 1 << bit;
        writeFileSync(file, damaged);
        const cache = openCache(root, { mask: noMask, now: () => now });
        const found = await cache.forTarget(target, library).get(ask("q"), 1);
        if (found !== undefined) expect(found).toEqual(expected);
        // What changed is told in words from the same files: whatever they hold, that does not throw.
        await cache
          .forTarget({ ...target, identity: { ...target.identity, version: "2" } }, library.slice(1))
          .whyAsked(ask("q"), 1);
      }),
      { numRuns: 150 },
    );
    writeFileSync(file, whole);
  }
  expect(await find(root)).toEqual(expected);
});

describe("through a run", () => {
  let world: World;
  beforeEach(() => {
    world = new World();
    world.skill("alpha", [
      { query: "alpha 1", should_trigger: true },
      { query: "other", should_trigger: false },
    ]);
    world.script({ answers: [{ pattern: "alpha", skills: ["alpha"], text: "Done." }], default: { skills: [] } });
  });
  afterEach(() => world.remove());

  test("a damaged cache changes no verdict and leaves a record that can be read", async () => {
    const first = await world.sit({ runs: 1 });
    const file = filesOf(world.dir).find((name) => name.includes("answers-"))!;
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x10;
      writeFileSync(file, damaged);
      if (at % 35 === 0) expect(essence(await world.sit({ runs: 1 }))).toEqual(essence(first));
      writeFileSync(file, whole);
    }
  });

  test("a cache that cannot be written is reported once, and the run goes on", async () => {
    world.write(".proctor/cache", "in the way");
    const notices: string[] = [];
    const sat = await world.sit({ runs: 1 }, { on: (event) => event.type === "notice" && notices.push(event.text) });
    expect(sat.exit).toBe(0);
    expect(notices).toEqual([expect.stringMatching(/^The cache was not written: Cannot write .*cache/)]);
  });

  test("a script that became executable is another one", async () => {
    world.write("skills/alpha/run.sh", "echo hi\n");
    const print = async () => (await stageLibrary((await discover({ cwd: world.dir })).libraries[0]!))[0]!.files;
    const before = await print();
    chmodSync(join(world.dir, "skills/alpha/run.sh"), 0o755);
    expect(await print()).not.toBe(before);
  });
});

describe("an answer depends on the files that were read for it", () => {
  const edited = library.map((skill) => (skill.id === "go-style" ? { ...skill, files: "edited" } : skill));
  const called = (tool: string, input: unknown, result = ""): Transcript => ({
    ...transcript("x", []),
    calls: [{ turn: 1, id: "1", tool, input, ok: true, result }],
  });

  test.each<[string, Transcript, boolean]>([
    ["nothing was read", transcript("x", []), true],
    [
      "a sibling's reference file, without its SKILL.md",
      called("Read", { file_path: "/w/.claude/skills/go-style/references/x.md" }),
      false,
    ],
    ["by a shell", called("Bash", { command: "cat .claude/skills/go-style/references/x.md" }), false],
    ["after a change of folder", called("Bash", { command: "cd .claude/skills/go-style && cat x.md" }), false],
    ["named in what a tool printed", called("Bash", { command: "cat index" }, "see skills/go-style/x.md"), false],
    ["by a pattern", called("Bash", { command: "cat .claude/skills/*/references/x.md" }), false],
    ["by a search", called("Grep", { pattern: "foo" }), false],
    ["a file of nobody", called("Read", { file_path: "/w/notes.md" }), true],
    ["another skill's file", called("Read", { file_path: "/w/.claude/skills/go-docs/x.md" }), true],
  ])("%s", async (_name, said, holds) => {
    const root = tempFolder();
    await keep(root, said);
    expect((await find(root)) !== undefined).toBe(true);
    expect((await find(root, edited)) !== undefined).toBe(holds);
  });
});

test("an answer dated in the future is not used, and it is said why", async () => {
  const root = tempFolder();
  await keep(root, transcript("x", []), now + 86_400_000);
  const answers = openCache(root, { mask: noMask, now: () => now }).forTarget(target, library);
  expect(await answers.get(ask("q"), 1)).toBeUndefined();
  expect(await answers.whyAsked(ask("q"), 1)).toBe("the cached answer is dated in the future");
});
