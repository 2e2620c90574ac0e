import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

/** The n-th call that changes the disk is refused. Everything in this process goes through it, whoever calls. */
const disk = vi.hoisted(() => ({ calls: 0, refused: 0, code: "ENOSPC" }));
const WRITES = vi.hoisted(() => [
  ...[
    "appendFileSync",
    "fsyncSync",
    "fdatasyncSync",
    "fdatasync",
    "linkSync",
    "mkdirSync",
    "renameSync",
    "writeFileSync",
    "writeSync",
  ],
  ...["appendFile", "link", "mkdir", "rename", "writeFile", "copyFile"],
]);
vi.mock("node:fs", async (original) => refusing(await original<Record<string, unknown>>()));
vi.mock("node:fs/promises", async (original) => refusing(await original<Record<string, unknown>>()));

function refusing(real: Record<string, unknown>): Record<string, unknown> {
  const wrapped = Object.fromEntries(
    WRITES.filter((name) => typeof real[name] === "function").map((name) => {
      const own = real[name] as (...args: unknown[]) => unknown;
      const call = (...args: unknown[]) => {
        if (disk.refused === 0 || ++disk.calls !== disk.refused) return own(...args);
        const error = Object.assign(new Error(`${disk.code}: injected, ${name}`), { code: disk.code });
        if (name !== "fdatasync") throw error;
        return (args.at(-1) as (error: Error) => void)(error);
      };
      return [name, call];
    }),
  );
  return { ...real, ...wrapped, default: { ...(real["default"] as object), ...wrapped } };
}

let before: World;
let shards: string[];
beforeAll(async () => {
  before = new World();
  before.skill("alpha", [
    { query: "alpha please", should_trigger: true },
    { query: "nothing", should_trigger: false },
  ]);
  before.skill("beta");
  before.write("old/eval.csv", "query,should_trigger,skill\nalpha again,true,alpha\n");
  before.script({
    answers: [{ pattern: "alpha", skills: ["alpha"], text: "Done." }],
    default: { skills: [], text: "No." },
  });
  const run = ["run", "-t", "script:answers.yaml", "--quiet"];
  for (const shard of ["1/2", "2/2"]) await runMain(before.dir, [...run, "--shard", shard]);
  shards = readdirSync(join(before.dir, ".proctor/runs")).sort();
  expect((await runMain(before.dir, [...run, "--update-lock"])).code).toBe(0);
  expect((await runMain(before.dir, ["note", "alpha please", "The first."])).code).toBe(0);
});
afterAll(() => before.remove());

const verbs: [string, () => string[]][] = [
  [
    "run with its cache and the lock file",
    () => ["run", "-t", "script:answers.yaml", "--runs", "4", "--quiet", "--update-lock"],
  ],
  ["grade", () => ["grade"]],
  ["merge", () => ["merge", ...shards]],
  ["note", () => ["note", "alpha please", "The second.", "--verdict", "wrong"]],
  ["init", () => ["init", "beta"]],
  ["import", () => ["import", "old", "--to", "imported"]],
];

test.each(verbs)(
  "%s: whatever the disk refuses, it is told in words, and nothing that was there is harmed",
  async (_, args) => {
    let refusals = 0;
    for (const code of ["ENOSPC", "EIO"]) {
      for (let n = 1; ; n++) {
        const dir = mkdtempSync(join(tmpdir(), "proctor-refused-"));
        try {
          cpSync(before.dir, dir, { recursive: true });
          const old = contents(dir);
          Object.assign(disk, { calls: 0, refused: n, code });
          const { code: exit, stderr } = await runMain(dir, args());
          const reached = disk.calls >= n;
          disk.refused = 0;
          const told = `${code} at call ${n}: exit ${exit}: ${stderr}`;
          expect(stderr, told).not.toMatch(/fault in Proctor|\n {4}at /);
          if (!reached) {
            expect(exit, told).toBe(0);
            break;
          }
          refusals++;
          expect([0, 2], told).toContain(exit);
          unharmed(old, dir, told);
          expect(openIn(dir), `${told}\nstill open`).toEqual([]);
          // Once there is room again, it works.
          const again = await runMain(dir, args());
          expect(again.code, `${told}\nagain: ${again.stderr}`).toBe(
            exit === 0 || !again.stderr.includes("already") ? 0 : again.code,
          );
        } finally {
          disk.refused = 0;
          rmSync(dir, { recursive: true, force: true });
        }
      }
    }
    expect(refusals).toBeGreaterThan(1);
  },
  300_000,
);

function contents(dir: string): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  );
  return new Map(names.map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}

/** The files in a folder that this process holds open, where the system tells. */
function openIn(dir: string): string[] {
  const handles = "/proc/self/fd";
  if (!existsSync(handles)) return [];
  const files = readdirSync(handles).map((fd) => {
    try {
      return readlinkSync(join(handles, fd));
    } catch {
      return "";
    }
  });
  return files.filter((file) => file.startsWith(`${dir}/`));
}

/** Files are as they were, but the lock, which is the old or a new one, and those that grow, which begin as they did. */
function unharmed(old: ReadonlyMap<string, string>, dir: string, told: string): void {
  for (const [name, text] of old) {
    expect(existsSync(join(dir, name)), `${told}\n${name} is gone`).toBe(true);
    const now = readFileSync(join(dir, name), "utf8");
    if (name === "proctor.lock.json") expect(() => JSON.parse(now), told).not.toThrow();
    else if (/cache|notes\.jsonl/.test(name)) expect(now.startsWith(text), `${told}\n${name}`).toBe(true);
    else expect(now, `${told}\n${name}`).toBe(text);
  }
}
