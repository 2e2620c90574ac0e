import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openRecord } from "../../src/exam/record/index.ts";
import { startRawModel } from "../targets/models/raw-model.ts";
import { readSat, World } from "../world.ts";
import { type Built, buildCommand, runCommand, startCommand } from "./run-built.ts";

let built: Built;
let world: World;
beforeAll(async () => {
  built = await buildCommand();
});
afterAll(() => built.remove());
beforeEach(() => {
  world = new World();
  world.skill(
    "alpha",
    Array.from({ length: 30 }, (_, index) => ({ query: `Question ${index}`, should_trigger: true })),
  );
});
afterEach(() => world.remove());

const args = ["run", "-t", "script:answers.yaml", "--jobs", "3", "--runs", "1"];

/** Waits until the record has so many trials: the command is in the middle of its work. */
async function trialsInRecord(count: number): Promise<void> {
  for (;;) {
    const runs = join(world.dir, ".proctor", "runs");
    const file = existsSync(runs) ? join(runs, readdirSync(runs)[0] ?? "", "record.jsonl") : "";
    if (existsSync(file) && readFileSync(file, "utf8").split('"type":"trial"').length > count) return;
    await sleep(20);
  }
}

test.skipIf(process.platform === "win32")(
  "Ctrl-C once finishes what runs, ends with 130, and the run can be resumed",
  async () => {
    world.script({ default: { skills: ["alpha"], latency: 150 } });
    const { process: child, ended } = startCommand(built, world.dir, args);
    await trialsInRecord(2);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Ctrl-C again to stop now/);
    const run = /proctor run --resume (\S+)/.exec(stderr)![1]!;
    const cut = await readSat(await openRecord(world.dir, run));
    expect(cut.trials.length).toBeLessThan(30);
    expect(cut.trials.every((trial) => trial.error === undefined)).toBe(true);
    expect(cut.scores.run.how).toBe("interrupted");

    const resumed = await runCommand(built, world.dir, ["run", "--resume", run]);
    expect(resumed.code).toBe(0);
    expect((await readSat(await openRecord(world.dir, run))).trials).toHaveLength(30);
  },
);

test.skipIf(process.platform === "win32")("Ctrl-C twice stops now, and the record is whole", async () => {
  world.script({ answers: [{ query: ["Question 0", "Question 1"], skills: ["alpha"] }], default: { fault: "deaf" } });
  const { process: child, ended } = startCommand(built, world.dir, args);
  await trialsInRecord(2);
  child.kill("SIGINT");
  await sleep(100);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  const { trials, scores } = await readSat(await openRecord(world.dir));
  expect(trials).toHaveLength(2);
  expect(scores.run).toMatchObject({ how: "interrupted", notAsked: { interrupted: 28 } });
});

test.skipIf(process.platform === "win32")("Ctrl-C twice ends a run whose judge of text keeps it waiting", async () => {
  let stopWhenAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    stopWhenAsked = resolve;
  });
  const server = await startRawModel(() => {
    stopWhenAsked();
    return { status: 429, headers: { "retry-after": "3000" }, body: {} };
  });
  try {
    world.write("skills/alpha/evals/evals.json", {
      evals: [{ prompt: "p", graders: [{ type: "rubric", config: { rubric: "r" } }] }],
    });
    world.script({ default: { text: "Hello." } });
    const judged = [
      "run",
      "-t",
      "script:answers.yaml",
      "--only",
      "cases",
      "--judge",
      "ollama/qwen3",
      "--timeout",
      "3600",
    ];
    const { process: child, ended } = startCommand(built, world.dir, judged, { OLLAMA_BASE_URL: `${server.url}/v1` });
    await asked;
    await sleep(200);
    child.kill("SIGINT");
    await sleep(100);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  } finally {
    await server.close();
  }
});

test.skipIf(process.platform === "win32")("a full disk is a clear error, and what was measured is kept", async () => {
  world.script({ default: { skills: ["alpha"], text: "words ".repeat(50) } });
  writeFileSync(join(world.dir, "limited.sh"), `ulimit -f 12\nexec "$@"\n`);
  const { spawn } = await import("node:child_process");
  const child = spawn("bash", ["limited.sh", process.execPath, built.main, ...args], {
    cwd: world.dir,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  let stderr = "";
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/no space left/)]);
  expect(stderr).toMatch(/--resume/);
  expect((await runCommand(built, world.dir, ["run", "--resume"])).code).toBe(0);
  expect((await readSat(await openRecord(world.dir))).trials).toHaveLength(30);
});

test.skipIf(process.platform === "win32")(
  "a folder that cannot be written is a clear error before anything is asked",
  async ({ skip }) => {
    world.script({ default: { skills: ["alpha"] } });
    chmodSync(world.dir, 0o555);
    // Nothing is read-only for root, so it becomes nobody, who must at least be able to read the command.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if ((await startCommand(built, world.dir, ["--version"], {}, nobody).ended).code !== 0) skip();
    const { code, stderr } = await startCommand(built, world.dir, args, {}, nobody).ended;
    chmodSync(world.dir, 0o755);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Cannot write .*read-only/)]);
    expect(existsSync(join(world.dir, ".proctor"))).toBe(false);
  },
);

test.skipIf(process.platform === "win32")(
  "--watch runs again after an edit of a skill or a suite, and ends with Ctrl-C",
  async () => {
    world.script({ default: { skills: ["alpha"] } });
    const { process: child, ended, waiting } = watched();
    await waiting(1);
    world.write("notes.txt", "no skill, no suite");
    await sleep(600);
    world.skill("alpha", [{ query: "Another one", should_trigger: true }]);
    await waiting(2);
    world.write("skills/alpha/triggers.tmp", [{ query: "A third one", should_trigger: true }]);
    renameSync(join(world.dir, "skills/alpha/triggers.tmp"), join(world.dir, "skills/alpha/evals/triggers.json"));
    await waiting(3);
    world.skill("alpha", [{ query: "In place again", should_trigger: true }]);
    await waiting(4);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringMatching(/Stopped watching\.\n$/)]);
    expect(stdout).toMatch(/30 questions/);
    expect(stdout).toMatch(/1 question/);
    expect(stderr).toMatch(/^skills\/alpha\/evals\/triggers\.json changed$/m);
    expect(stderr.match(/ changed$/gm)).toHaveLength(3);
  },
);

test.skipIf(process.platform === "win32")(
  "Ctrl-C during the last trials of a watched run ends the watching",
  async () => {
    world.skill("alpha", [{ query: "The only one", should_trigger: true }]);
    world.script({ default: { skills: ["alpha"], latency: 1_500 } });
    const { process: child, ended } = watched();
    while (!existsSync(join(world.dir, ".proctor", "runs"))) await sleep(20);
    await sleep(200);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.not.stringContaining("Waiting for a skill or a suite to change")]);
  },
);

test.skipIf(process.platform === "win32")("Ctrl-C ends --watch with 130, whatever the last run came to", async () => {
  world.write("skills/alpha/evals/triggers.json", "[{");
  world.script({ default: { skills: ["alpha"] } });
  const { process: child, ended, waiting } = watched();
  await waiting(1);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([130, expect.stringMatching(/Stopped watching\.\n$/)]);
});

test.skipIf(process.platform === "win32")("--watch ends when nobody reads its output", async () => {
  world.script({ default: { skills: ["alpha"] } });
  const before = watched();
  before.process.stdout!.destroy();
  expect((await before.ended).code).toBe(0);

  const between = watched();
  await between.waiting(1);
  between.process.stdout!.destroy();
  world.skill("alpha", [{ query: "Another one", should_trigger: true }]);
  expect((await between.ended).code).toBe(0);
});

test.skipIf(process.platform === "win32")(
  "--watch | head ends when head has seen enough, without any edit",
  async () => {
    world.script({ default: { skills: ["alpha"] } });
    const command = [process.execPath, built.main, ...args, "--watch"].map((word) => `'${word}'`).join(" ");
    const { spawn } = await import("node:child_process");
    const child = spawn("bash", ["-c", `${command} | head -2; echo "\${PIPESTATUS[0]}"`], {
      cwd: world.dir,
      env: { PATH: process.env["PATH"] ?? "" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(stdout.split("\n").at(-2)).toBe("0");
  },
);

test.skipIf(process.platform === "win32")("a run whose messages nobody reads goes on to its end", async () => {
  world.script({ default: { skills: ["alpha"] } });
  const { process: child, ended } = startCommand(built, world.dir, [...args, "--verbose"]);
  child.stdout!.destroy();
  child.stderr!.destroy();
  expect((await ended).code).toBe(0);
  expect((await readSat(await openRecord(world.dir))).trials).toHaveLength(30);
});

function watched() {
  const started = startCommand(built, world.dir, [...args, "--watch"]);
  let seen = "";
  started.process.stderr!.on("data", (data) => {
    seen += data;
  });
  const waiting = async (times: number) => {
    while (seen.split("Waiting for a skill or a suite to change").length <= times) await sleep(20);
  };
  return { ...started, waiting };
}
