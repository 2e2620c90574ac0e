import { type ChildProcess, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Built, buildCommand, type Ended, startCommand } from "../cli/run-built.ts";
import { runMain } from "../cli/run-main.ts";
import { World } from "../world.ts";

let built: Built;
beforeAll(async () => {
  built = await buildCommand();
});
afterAll(() => built.remove());

let world: World;
let running: ChildProcess | undefined;
beforeEach(() => {
  world = new World();
  world.skill("refund", [{ query: "I want my money back", should_trigger: true }]);
  world.script({ default: { skills: ["refund"] } });
});
afterEach(() => {
  running?.kill("SIGKILL");
  running = undefined;
  world.remove();
});

/** A FIFO gets a process of its own: one that waits for it could not even be timed out in this one. */
async function proctor(kind: Kind, ...args: string[]): Promise<Ended> {
  if (kind !== "a FIFO") return { ...(await runMain(world.dir, args)), signal: null };
  const started = startCommand(built, world.dir, args);
  running = started.process;
  return started.ended;
}

type Kind = "a FIFO" | "a socket" | "a device" | "a folder";
const kinds: Kind[] = ["a FIFO", "a socket", "a device", "a folder"];

async function make(kind: Kind, path: string): Promise<void> {
  const file = join(world.dir, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  if (kind === "a FIFO") execFileSync("mkfifo", [file]);
  else if (kind === "a device") symlinkSync("/dev/zero", file);
  else if (kind === "a folder") mkdirSync(file);
  else {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    server.unref();
  }
}

const evals = (grader: object) => ({ evals: [{ id: "one", prompt: "Do it", graders: [grader] }] });

describe("what is not a regular file is named at once", () => {
  test.each(kinds)("%s as a configuration", async (kind) => {
    await make(kind, "proctor.config.yaml");
    const { code, stderr } = await proctor(kind, "run");
    expect(code).toBe(2);
    expect(stderr).toContain(`proctor.config.yaml cannot be read as a configuration: it is ${kind}, not a`);
  });

  test.each(kinds)("%s as a configuration that is code", async (kind) => {
    await make(kind, "proctor.config.ts");
    const { code, stderr } = await proctor(kind, "check");
    expect(code).toBe(2);
    expect(stderr).toContain(`it is ${kind}, not a`);
  });

  test.each(kinds)("%s named with --config", async (kind) => {
    await make(kind, "other.json");
    const { code, stderr } = await proctor(kind, "run", "--config", "other.json");
    expect(code).toBe(2);
    expect(stderr).toContain(`it is ${kind}, not a`);
  });

  test.each(kinds)("%s as a script", async (kind) => {
    await make(kind, "answers.yaml");
    const { code, stderr } = await proctor(kind, "run", "-t", "script:answers.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot read the script answers.yaml: it is ${kind}, not a`);
  });

  test.each(kinds)("%s as a record", async (kind) => {
    await make(kind, "record.jsonl");
    expect(await proctor(kind, "report", "record.jsonl")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/record\.jsonl/),
    });
  });

  test("a FIFO as the record of the newest run, and as its transcripts", async () => {
    const kind = "a FIFO";
    world.script({ default: { skills: [], text: "Nothing." } });
    expect((await runMain(world.dir, ["run", "-t", "script:answers.yaml", "--quiet"])).code).toBe(1);
    const [run = ""] = readdirSync(join(world.dir, ".proctor/runs"));
    for (const name of readdirSync(join(world.dir, `.proctor/runs/${run}/segments`)))
      await make(kind, `.proctor/runs/${run}/segments/${name}`);
    const { code, stderr } = await proctor(kind, "report", "--trials");
    expect(code).toBe(2);
    expect(stderr).toMatch(/segments.*cannot be read: it is a FIFO/);
    await make(kind, `.proctor/runs/${run}/record.jsonl`);
    expect((await proctor(kind, "report")).code).toBe(2);
    expect((await proctor(kind, "run", "-t", "script:answers.yaml", "--resume", run)).code).toBe(2);
  });

  test.each<Kind>(["a FIFO", "a device"])(
    "%s in the place of what is kept: nothing waits for it, and nothing is written to it",
    async (kind) => {
      const run = ["run", "-t", "script:answers.yaml", "--quiet"];
      expect((await runMain(world.dir, [...run, "--update-lock"])).code).toBe(0);
      const [first = ""] = readdirSync(join(world.dir, ".proctor/runs"));
      for (const name of readdirSync(join(world.dir, ".proctor/cache/v2")))
        await make(kind, `.proctor/cache/v2/${name}`);
      for (const name of ["lock", "notes.jsonl"]) await make(kind, `.proctor/runs/${first}/${name}`);
      expect((await proctor(kind, ...run)).code).toBe(0);
      expect((await proctor(kind, "report", first)).code).toBe(0);
      expect(await proctor(kind, "note", "money", "yes", "--run", first)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("notes.jsonl"),
      });
      await make(kind, "proctor.lock.json");
      expect(await proctor(kind, ...run, "--lock")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("proctor.lock.json"),
      });
      expect(await proctor(kind, ...run, "--update-lock")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("proctor.lock.json"),
      });
    },
  );

  test.each(kinds)("%s among the files of a question", async (kind) => {
    await make(kind, "skills/refund/evals/files/data.csv");
    world.write("skills/refund/evals/triggers.json", [
      { query: "one", should_trigger: true, files: ["files/data.csv"] },
    ]);
    const { code, stderr } = await proctor(kind, "run", "-t", "script:answers.yaml");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      kind === "a device" ? /leads outside the examined folder/ : /"files\/data\.csv" is not a regular file/,
    );
  });

  test.each(kinds)("%s as a schema", async (kind) => {
    await make(kind, "skills/refund/evals/reply.json");
    world.write("skills/refund/evals/evals.json", evals({ type: "json_schema", config: { value: "reply.json" } }));
    const { code } = await proctor(kind, "run", "-t", "script:answers.yaml", "--only", "cases");
    expect([2, 3]).toContain(code);
    const [run = ""] = readdirSync(join(world.dir, ".proctor/runs"));
    const record = readFileSync(join(world.dir, `.proctor/runs/${run}/record.jsonl`), "utf8");
    expect(record).toMatch(
      kind === "a device" ? /reply\.json cannot be used: it is outside/ : new RegExp(`cannot be used: it is ${kind}`),
    );
  });

  test.each(kinds)("%s as a prompt's template and as its inputs", async (kind) => {
    world.write("prompts/hello/meta.yml", "id: hello\ndescription: Says hello to people who come in.\n");
    world.write(
      "prompts/hello/eval.yml",
      "cases:\n  - name: one\n    inputs_from: data\n    assert:\n      - contains: Hello\n",
    );
    await make(kind, "prompts/hello/prompt.xml");
    await make(kind, "prompts/hello/data/inputs.yml");
    const { code, stdout } = await proctor(kind, "check");
    expect(code).toBe(1);
    expect(stdout).toMatch(/prompt\.xml, (?:which is not a regular file|a link that leads out)/);
    expect(stdout).toMatch(/inputs\.yml|inputs_from/);
    expect((await proctor(kind, "run", "-t", "script:answers.yaml")).code).toBe(2);
  });

  test.each(kinds)("%s as a skill and as a suite", async (kind) => {
    await make(kind, "skills/odd/SKILL.md");
    await make(kind, "skills/odd/evals/triggers.json");
    expect((await proctor(kind, "run", "-t", "script:answers.yaml")).code).toBe(0);
    expect([0, 1]).toContain((await proctor(kind, "check")).code);
    const named = await proctor(kind, "run", "-t", "script:answers.yaml", "skills/odd/evals/triggers.json");
    expect([2, 3]).toContain(named.code);
  });

  test.each(kinds)("%s as a file of a skill", async (kind) => {
    await make(kind, "skills/refund/references/more.md");
    expect((await proctor(kind, "run", "-t", "script:answers.yaml")).code).toBe(0);
    expect([0, 1]).toContain((await proctor(kind, "check")).code);
  });
});

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s ends a run that is still being prepared", async (signal) => {
    // The definition of an agent is code, and this one never ends.
    world.write(
      "agent.mjs",
      'console.error("loading"); setInterval(() => {}, 1000); await new Promise(() => {}); export default {};\n',
    );
    const started = startCommand(built, world.dir, ["run", "-t", "agent:agent.mjs"]);
    running = started.process;
    await new Promise((resolve) => started.process.stderr?.once("data", resolve));
    started.process.kill(signal);
    const { code, signal: by } = await started.ended;
    expect([code, by]).toEqual([null, signal]);
  });

  test("SIGTERM twice ends a run that does not listen", async () => {
    world.script({ default: { fault: "deaf" } });
    const started = startCommand(built, world.dir, ["run", "-t", "script:answers.yaml"]);
    running = started.process;
    while (!existsSync(join(world.dir, ".proctor/runs"))) await sleep(20);
    started.process.kill("SIGTERM");
    started.process.kill("SIGTERM");
    const { code, signal } = await started.ended;
    expect(code === 130 || signal === "SIGTERM").toBe(true);
  });
});
