import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test as anyTest, beforeAll, expect } from "vitest";
import { isHere } from "../tools.ts";

const test = anyTest.runIf(isHere("git"));

const root = join(import.meta.dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap((match) => match[1]!.trim().split("\n"));
const commands = lines.filter((line) => line.startsWith("proctor "));

let folder: string;
beforeAll(async () => {
  expect(existsSync(join(root, "dist/cli/main.js")), "npm run build makes the command that is shipped").toBe(true);
  folder = realpathSync(mkdtempSync(join(tmpdir(), "proctor-readme-")));
  cpSync(join(root, "examples/shop"), join(folder, "shop"), {
    recursive: true,
    filter: (file) => !file.includes(".proctor"),
  });
  // A suite is drafted for this one.
  rmSync(join(folder, "shop/evals/order-status"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(
    join(folder, "bin/proctor"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`,
  );
  chmodSync(join(folder, "bin/proctor"), 0o755);
  // Some commands are about an edit, and git is there.
  const [git] = spawnSync("which", ["git"], { encoding: "utf8" }).stdout.split("\n");
  symlinkSync(git!, join(folder, "bin/git"));
  const env = { PATH: process.env["PATH"], HOME: folder };
  const commit =
    "git init -q -b main && git add . && git -c user.name=Ada -c user.email=ada@example.org commit -q -m shop";
  expect(spawnSync("sh", ["-c", commit], { cwd: join(folder, "shop"), env }).status).toBe(0);
  // Some commands are about a run that is there already.
  expect(await paste("proctor run").ended).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A line as a person pastes it into a shell, in a library, on a machine that has no agent. */
function paste(line: string): { process: ChildProcess; said: () => string; ended: Promise<number | null> } {
  const env = { PATH: join(folder, "bin"), HOME: folder };
  const child = spawn("/bin/sh", ["-c", `exec ${line}`], {
    cwd: join(folder, "shop"),
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  return { process: child, said: () => said, ended: new Promise((resolve) => child.on("close", resolve)) };
}

test("there are commands in it, and each is one of these kinds", () => {
  expect(commands.length).toBeGreaterThanOrEqual(9);
  for (const line of lines) expect(line).toMatch(/^(?:proctor|npm) /);
});

test.each(commands.filter((line) => !/^[^#]*(?:--watch|view |-t claude)/.test(line)))("%s", async (line) => {
  const { said, ended } = paste(line);
  expect(await ended, said()).toBe(0);
  expect(said().length).toBeGreaterThan(0);
});

test.each(commands.filter((line) => /^[^#]*-t claude/.test(line)))(
  "without the agent it says what to install: %s",
  async (line) => {
    const { said, ended } = paste(line);
    expect(await ended).toBe(2);
    expect(said()).toMatch(/Claude Code is not installed[\s\S]*npm install -g/);
  },
);

test.each(commands.filter((line) => /^[^#]*(?:--watch|view )/.test(line)))("goes on until Ctrl-C: %s", async (line) => {
  const { process: child, said, ended } = paste(line);
  while (!/[Pp]ress Ctrl-C to stop/.test(said()) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill("SIGINT");
  expect(await ended, said()).toBe(/^[^#]*--watch/.test(line) ? 130 : 0);
});

test("the scripts of npm that it names are there", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = lines.flatMap((line) =>
    [...line.split("#")[0]!.matchAll(/npm (?:run )?(?!ci\b)([\w:]+)/g)].map((match) => match[1]!),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(scripts).toHaveProperty(name);
});

test("every page that it names is there", () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1]!);
  for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
});
