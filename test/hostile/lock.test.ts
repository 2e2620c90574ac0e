import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

let world: World;
let elsewhere: string;
beforeEach(() => {
  world = new World();
  world.write(".git/HEAD", "ref: refs/heads/main\n");
  world.skill("refund", [{ query: "one", should_trigger: true }]);
  world.script({ deterministic: true, answers: [], default: { skills: ["refund"] } });
  elsewhere = mkdtempSync(join(tmpdir(), "proctor-elsewhere-"));
});
afterEach(() => {
  world.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

const run = (flag: string) => runMain(world.dir, ["run", "-q", "-t", "script:answers.yaml", "--no-cache", flag]);
const file = () => join(world.dir, "proctor.lock.json");

describe("a lock that is not where it should be", () => {
  test.each([
    ["some text", "precious"],
    ["a lock", '{"version":1,"libraries":{"theirs":{"embedded":{"q":{"won":"a","verdict":"pass","rate":1,"n":1}}}}}'],
  ])("a link out, to %s: it is not read, nothing is written through it or over it", async (_, text) => {
    writeFileSync(join(elsewhere, "x.json"), text);
    symlinkSync(join(elsewhere, "x.json"), file());
    for (const flag of ["--lock", "--update-lock"]) {
      const ended = await run(flag);
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("proctor.lock.json cannot be read: it is outside"),
      });
      expect(ended.stderr).not.toMatch(/precious|theirs/);
    }
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(elsewhere, "x.json"), "utf8")).toBe(text);
  });

  test("a link that leads nowhere yet is not written through", async () => {
    symlinkSync(join(elsewhere, "new.json"), file());
    expect(await run("--update-lock")).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read") });
    expect(() => lstatSync(join(elsewhere, "new.json"))).toThrow();
  });

  test.skipIf(process.platform === "win32")("a FIFO is not waited for", async () => {
    execFileSync("mkfifo", [file()]);
    for (const flag of ["--lock", "--update-lock"])
      expect(await run(flag)).toMatchObject({ code: 2, stderr: expect.stringContaining("it is a FIFO") });
  });
});
