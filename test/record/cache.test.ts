import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CachedSkill, type CachedTarget, openCache, stageLibrary } from "../../src/exam/record/index.ts";
import type { Ask, Library, Skill } from "../../src/model/index.ts";
import { ask, noMask, staged, tempFolder, transcript } from "./sample.ts";

const DAY = 86_400_000;
const now = Date.parse("2026-11-15T12:00:00Z");
const claude: CachedTarget = {
  id: "claude:haiku",
  kind: "claude",
  identity: { host: "claude", version: "2.1.325", model: "haiku", options: { adapter: 1 }, deterministic: false },
};
const library = [staged("go-docs"), staged("go-style")];

interface World {
  target?: CachedTarget;
  skills?: CachedSkill[];
  at?: number;
  run?: number;
  ask?: Ask;
}

/** Keeps one answer in which go-docs was loaded, then looks for it in another world. */
async function lookAgain(later: World, root = tempFolder()) {
  await keep(root);
  const cache = openCache(root, { mask: noMask, now: () => later.at ?? now });
  const answers = cache.forTarget(later.target ?? claude, later.skills ?? library);
  const found = await answers.get(later.ask ?? ask("q"), later.run ?? 1);
  const why = await answers.whyAsked(later.ask ?? ask("q"), later.run ?? 1);
  return { found: found !== undefined, why };
}

async function keep(root: string, text = "hello", measured = now) {
  const cache = openCache(root, { mask: noMask, now: () => measured });
  cache.forTarget(claude, library).put(ask("q"), 1, {
    measuredAt: new Date(measured).toISOString(),
    ms: 900,
    transcript: transcript(text, ["go-docs"]),
  });
  await cache.close();
  expect(cache.problem()).toBeUndefined();
}

test("an answer is found again, whole", async () => {
  const root = tempFolder();
  await keep(root);
  const cache = openCache(root, { mask: noMask, now: () => now });
  expect(await cache.forTarget(claude, library).get(ask("q"), 1)).toEqual({
    measuredAt: "2026-11-15T12:00:00.000Z",
    ms: 900,
    transcript: transcript("hello", ["go-docs"]),
  });
});

test("an answer is found by the process that kept it, before it is on the disk", async () => {
  const cache = openCache(tempFolder(), { mask: noMask, now: () => now });
  const answers = cache.forTarget(claude, library);
  for (const prompt of ["q", "r"]) expect(await answers.get(ask(prompt), 1)).toBeUndefined();
  answers.put(ask("q"), 1, { measuredAt: new Date(now).toISOString(), ms: 1, transcript: transcript("x", []) });
  expect(await answers.get(ask("q"), 1)).toMatchObject({ ms: 1 });
});

describe("an answer holds while nothing that could change it has changed", () => {
  const changed = (id: string, more: Partial<CachedSkill>) =>
    library.map((skill) => (skill.id === id ? { ...skill, ...more } : skill));
  const described = (id: string, description: string) => changed(id, { frontmatter: { name: id, description } });

  test.each<[string, World, boolean, string | undefined]>([
    ["nothing changed", {}, true, undefined],
    [
      "a library elsewhere with the same skills",
      { ask: ask("q", { library: "another", key: "another" }) },
      true,
      undefined,
    ],
    ["the body of a skill that was not loaded", { skills: changed("go-style", { files: "new" }) }, true, undefined],
    [
      "the body of the skill that was loaded",
      { skills: changed("go-docs", { files: "new" }) },
      false,
      "files of `go-docs` changed",
    ],
    ["a sibling's description", { skills: described("go-style", "new") }, false, "description of `go-style` changed"],
    [
      "a skill's folder",
      { skills: changed("go-style", { folder: "style" }) },
      false,
      "the folder of `go-style` was renamed",
    ],
    [
      "a host's file",
      { skills: changed("go-style", { hostFiles: "h2" }) },
      false,
      "the host files of `go-style` changed",
    ],
    ["a new sibling", { skills: [...library, staged("go-test")] }, false, "`go-test` was added"],
    ["a sibling less", { skills: library.slice(0, 1) }, false, "`go-style` was removed"],
    [
      "two changes",
      { skills: [...described("go-style", "new"), staged("go-test")] },
      false,
      "description of `go-style` changed, and 1 more change",
    ],
    ["the host's version", { target: with_({ version: "2.1.330" }) }, false, "claude 2.1.325 → 2.1.330"],
    ["the model behind the name", { target: with_({ model: "haiku-5" }) }, false, "model haiku → haiku-5"],
    ["the adapter", { target: with_({ options: { adapter: 2 } }) }, false, "option `adapter` of claude:haiku changed"],
    ["another target", { target: { ...with_({ model: "opus" }), id: "claude:opus" } }, false, undefined],
    ["another run", { run: 2 }, false, undefined],
    ["another question", { ask: ask("other") }, false, undefined],
    ["another limit", { ask: ask("q", { limits: { maxTurns: 3 } }) }, false, undefined],
    ["an earlier message", { ask: ask("q", { messages: [{ role: "user", content: "Hello" }] }) }, false, undefined],
    ["a case with the same prompt", { ask: ask("q", { kind: "case" }) }, false, undefined],
    ["a judge's question about one skill", { ask: ask("q", { skill: "go-docs" }) }, false, undefined],
    ["a file beside the prompt", { ask: ask("q", { files: [{ path: "a.txt", content: "a" }] }) }, false, undefined],
    ["29 days", { at: now + 29 * DAY }, true, undefined],
    ["31 days", { at: now + 31 * DAY }, false, "older than 30 days"],
  ])("%s", async (_name, later, found, why) => {
    expect(await lookAgain(later)).toEqual({ found, why });
  });

  function with_(identity: Partial<CachedTarget["identity"]>): CachedTarget {
    return { ...claude, identity: { ...claude.identity, ...identity } };
  }
});

test("a judge's answer about one skill does not depend on the others", async () => {
  const root = tempFolder();
  const judge: CachedTarget = { ...claude, id: "judge:haiku", perSkill: true };
  const about = ask("q", { skill: "go-docs" });
  const cache = openCache(root, { mask: noMask, now: () => now });
  cache
    .forTarget(judge, library)
    .put(about, 1, { measuredAt: new Date(now).toISOString(), ms: 1, transcript: transcript("", []) });
  await cache.close();
  const later = openCache(root, { mask: noMask, now: () => now });
  expect(await later.forTarget(judge, [staged("go-docs"), staged("new")]).get(about, 1)).toBeDefined();
  expect(
    await later.forTarget(judge, [staged("go-docs", { folder: "x" }), staged("go-style")]).get(about, 1),
  ).toBeUndefined();
});

test("a file put into the workspace is known by its contents", async () => {
  const root = tempFolder();
  const from = join(root, "main.go");
  writeFileSync(from, "one");
  const files = [{ path: "main.go", from }];
  const cache = openCache(root, { mask: noMask, now: () => now });
  cache.forTarget(claude, library).put(ask("q", { files }), 1, {
    measuredAt: new Date(now).toISOString(),
    ms: 1,
    transcript: transcript("", ["go-docs"]),
  });
  await cache.close();
  const get = () =>
    openCache(root, { mask: noMask, now: () => now })
      .forTarget(claude, library)
      .get(ask("q", { files }), 1);
  expect(await get()).toBeDefined();
  writeFileSync(from, "two");
  expect(await get()).toBeUndefined();
});

test("a trial that was stopped early answers only questions it decides", async () => {
  const root = tempFolder();
  const cache = openCache(root, { mask: noMask, now: () => now });
  const answers = cache.forTarget(claude, library);
  answers.put(ask("q"), 1, {
    measuredAt: new Date(now).toISOString(),
    ms: 1,
    transcript: { ...transcript("", ["go-docs"]), how: "stopped" },
  });
  expect(await answers.get(ask("q"), 1, (activations) => activations[0]?.skill === "go-docs")).toBeDefined();
  expect(await answers.get(ask("q"), 1, () => false)).toBeUndefined();
  expect(await answers.get(ask("q"), 1)).toBeUndefined();
  expect(await answers.whyAsked(ask("q"), 1)).toBe("the cached trial was stopped early, for other questions");
});

test("errors are never kept", async () => {
  const root = tempFolder();
  const cache = openCache(root, { mask: noMask });
  const answers = cache.forTarget(claude, library);
  const error = { reason: "api" as const, message: "x", retryable: true };
  answers.put(ask("q"), 1, {
    measuredAt: new Date().toISOString(),
    ms: 1,
    transcript: { ...transcript(""), outcome: { status: "error", error }, how: "error" },
  });
  await cache.close();
  expect(await answers.get(ask("q"), 1)).toBeUndefined();
});

describe("the files of the cache", () => {
  const bucketOf = (root: string) => {
    const dir = join(root, ".proctor/cache/v2");
    return join(dir, readdirSync(dir).find((name) => name.startsWith("answers-"))!);
  };

  test("a torn line spoils nothing but itself", async () => {
    const root = tempFolder();
    await keep(root);
    const file = bucketOf(root);
    const size = statSync(file).size;
    await keep(root, "second");
    truncateSync(file, statSync(file).size - 10);
    expect((await lookAgainAt(root))?.transcript.finalText).toBe("hello");
    await keep(root, "third");
    expect((await lookAgainAt(root))?.transcript.finalText).toBe("third");
    truncateSync(file, size);
    appendFileSync(file, Buffer.from([0, 0xff, 9, 10, 9, 10]));
    expect((await lookAgainAt(root))?.transcript.finalText).toBe("hello");
  });

  test("two processes keep answers at once", async () => {
    const root = tempFolder();
    const caches = [1, 2].map(() => openCache(root, { mask: noMask, now: () => now }));
    for (let run = 1; run <= 50; run++) {
      for (const [index, cache] of caches.entries()) {
        const answers = cache.forTarget(claude, library);
        answers.put(ask("q"), run * 2 + index, {
          measuredAt: new Date(now).toISOString(),
          ms: run,
          transcript: transcript(`answer ${run}`, ["go-style"]),
        });
        if (run % 10 === 0) await cache.close();
      }
    }
    const answers = openCache(root, { mask: noMask, now: () => now }).forTarget(claude, library);
    for (let run = 2; run <= 101; run++)
      expect(await answers.get(ask("q"), run)).toMatchObject({ ms: Math.floor(run / 2) });
  });

  test("what is dead is cleared away when it is most of a file, also while another process has it open", async () => {
    const root = tempFolder();
    const long = "x".repeat(200_000);
    for (let time = 0; time < 12; time++) await keep(root, `${time} ${long}`);
    const before = statSync(bucketOf(root)).size;
    const other = openCache(root, { mask: noMask, now: () => now }).forTarget(claude, library);
    const head = (await other.get(ask("q"), 1))?.transcript.finalText.slice(0, 2);
    expect(head).toBe("11");
    expect(statSync(bucketOf(root)).size).toBeLessThan(before / 5);
    await keep(root, "fresh");
    expect((await lookAgainAt(root))?.transcript.finalText).toBe("fresh");
    writeFileSync(bucketOf(root), readFileSync(bucketOf(root), "utf8").trimStart().split("\n").slice(-2).join("\n"));
    expect((await other.get(ask("q"), 1))?.transcript.finalText).toBe("fresh");
  });

  test("also after a process was killed at that, but not while one is at it", async () => {
    const root = tempFolder();
    const long = "x".repeat(200_000);
    const clear = async () => {
      for (let time = 0; time < 12; time++) await keep(root, `${time} ${long}`);
      const before = statSync(bucketOf(root)).size;
      await lookAgainAt(root);
      return statSync(bucketOf(root)).size < before;
    };
    await keep(root);
    const guard = `${bucketOf(root)}.compacting`;
    mkdirSync(guard);
    expect(await clear()).toBe(false);
    const then = new Date(Date.now() - 120_000);
    utimesSync(guard, then, then);
    expect(await clear()).toBe(true);
    expect(existsSync(guard)).toBe(false);
  });

  test("a folder that cannot be written is a pity, not an error", async () => {
    const root = tempFolder();
    mkdirSync(join(root, ".proctor"));
    writeFileSync(join(root, ".proctor/cache"), "in the way");
    const cache = openCache(root, { mask: noMask });
    const answers = cache.forTarget(claude, library);
    answers.put(ask("q"), 1, { measuredAt: new Date().toISOString(), ms: 1, transcript: transcript("", ["go-docs"]) });
    await cache.close();
    expect(cache.problem()).toMatch(/Cannot write/);
    expect(await answers.get(ask("q"), 1)).toBeUndefined();
  });

  test("nothing is read or made before it is asked for", () => {
    const root = tempFolder();
    openCache(root, { mask: noMask }).forTarget(claude, library);
    expect(readdirSync(root)).toEqual([]);
  });

  function lookAgainAt(root: string) {
    return openCache(root, { mask: noMask, now: () => now })
      .forTarget(claude, library)
      .get(ask("q"), 1);
  }
});

test("a library is staged with the fingerprints of its files", async () => {
  const root = tempFolder();
  const dir = join(root, "go-docs");
  mkdirSync(dir);
  writeFileSync(join(dir, "SKILL.md"), "one");
  const skill = {
    id: "p:go-docs",
    name: "go-docs",
    dir,
    frontmatter: { description: "d" },
    card: {},
    modelInvocable: true,
    source: { kind: "folder", copies: [] },
  } as unknown as Skill;
  const [first] = await stageLibrary({ skills: [skill] } as unknown as Library);
  expect(first).toMatchObject({ id: "p:go-docs", folder: "go-docs", frontmatter: { description: "d" } });
  writeFileSync(join(dir, "SKILL.md"), "two");
  const [second] = await stageLibrary({ skills: [skill] } as unknown as Library);
  expect(second!.files).not.toBe(first!.files);
  expect(second!.hostFiles).toBe(first!.hostFiles);
});
