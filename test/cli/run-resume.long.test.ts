import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openRecord } from "../../src/exam/record/index.ts";
import { readSat, World } from "../world.ts";
import { type Built, buildCommand, startCommand } from "./run-built.ts";
import { runMain } from "./run-main.ts";

let built: Built;
let world: World;
beforeAll(async () => {
  built = await buildCommand();
});
afterAll(() => built.remove());
beforeEach(() => {
  world = new World();
  const rows = (name: string) =>
    Array.from({ length: 8 }, (_, index) => ({ query: `Load ${name}, number ${index}`, should_trigger: true }));
  world.skill("alpha", rows("alpha"));
  world.skill("beta", rows("beta"));
});
afterEach(() => world.remove());

async function killedAfter(count: number, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { process: child, ended } = startCommand(built, world.dir, ["run", ...args], env);
  const runs = join(world.dir, ".proctor", "runs");
  for (;;) {
    const file = existsSync(runs) ? join(runs, readdirSync(runs)[0] ?? "", "record.jsonl") : "";
    if (existsSync(file) && readFileSync(file, "utf8").split('"type":"trial"').length > count) break;
    if (child.exitCode !== null) throw new Error((await ended).stderr);
    await sleep(20);
  }
  child.kill("SIGKILL");
  await ended;
  return readdirSync(runs)[0]!;
}

async function stored() {
  const sat = await readSat(await openRecord(world.dir));
  return { ...sat, asked: new Set(sat.trials.map(({ ask, run }) => `${ask} ${run}`)).size };
}

describe.skipIf(process.platform === "win32")("a run that was killed", () => {
  test("goes on with what it was asked to do, and none of it has to be said again", async () => {
    world.script({ default: { skills: ["alpha"], latency: 20 } });
    const flags = [
      "--skill",
      "alpha",
      "--runs",
      "2",
      "--jobs",
      "1",
      "--no-early-stop",
      "--threshold",
      "0.75",
      "--max-turns",
      "3",
    ];
    await killedAfter(3, [
      "-t",
      "script:answers.yaml",
      ...flags,
      "--gate",
      "recall>=0.5",
      "--budget",
      "9",
      "--no-cache",
    ]);
    const { code, stderr } = await runMain(world.dir, ["run", "--resume"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Resuming run")]);
    const { asked, header, scores } = await stored();
    expect(asked).toBe(16);
    expect(header.options).toMatchObject({ gates: ["recall>=0.5"], limits: { usd: 9 } });
    expect(scores.run.how).toBe("complete");
    expect(existsSync(join(world.dir, ".proctor", "cache"))).toBe(false);
  });

  test("cannot be made another one", async () => {
    world.script({ default: { skills: ["alpha"], latency: 50 } });
    await killedAfter(2, [
      "-t",
      "script:answers.yaml",
      "--skill",
      "alpha",
      "--runs",
      "1",
      "--jobs",
      "1",
      "--gate",
      "recall>=0.5",
    ]);
    const before = readFileSync((await openRecord(world.dir)).file, "utf8");
    for (const [more, message] of [
      [["-t", "embedded"], /it asked script:answers.yaml, not embedded/],
      [["--runs", "5"], /--runs 1 → 5/],
      [["--skill", "beta"], /--skill alpha → beta/],
      [["--threshold", "0.9"], /--threshold 0.5 → 0.9/],
      [["--judge", "gpt-5"], /--judge none → gpt-5/],
      [["--gate", "recall>=0.9"], /--gate recall>=0.5 → recall>=0.9/],
      [["--allow-predicted"], /--allow-predicted off → on/],
    ] as const) {
      const { code, stderr } = await runMain(world.dir, ["run", "--resume", ...more]);
      expect([code, stderr], more.join(" ")).toEqual([2, expect.stringMatching(message)]);
    }
    expect(readFileSync((await openRecord(world.dir)).file, "utf8")).toBe(before);
  });

  test("of an agent keeps its options; keys come from the environment, and other options are refused by name", async () => {
    const others = new World();
    others.skill("gamma");
    others.skill("delta");
    const beside = (name: string) => ["--with-skills", join(others.dir, "skills", name)];
    const env = { ...fakeClaude(), HOME: world.dir, ANTHROPIC_API_KEY: "dummy-key" };
    const flags = [
      ...beside("gamma"),
      "--realistic",
      "--max-turns",
      "3",
      "--no-sandbox",
      "--skill",
      "alpha",
      "--runs",
      "1",
    ];
    await killedAfter(2, ["-t", "claude:haiku", ...flags, "--jobs", "1"], env);
    const before = (await stored()).header;
    const refused = await runMain(world.dir, ["run", "--resume", ...beside("delta")], env);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/\(with_skills .*; --with-skills \S*gamma → \S*delta\./),
    ]);
    const { code, stderr } = await runMain(world.dir, ["run", "--resume"], env);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Resuming run")]);
    const { asked, header } = await stored();
    expect(asked).toBe(8);
    expect(header).toEqual(before);
    expect(header.targets[0]!.identity.options).toMatchObject({
      realistic: true,
      sandbox: "off",
      with_skills: expect.any(String),
    });
    expect(JSON.stringify(header)).not.toContain("dummy-key");
    others.remove();
  }, 120_000);
});

/** A Claude Code that loads the skill its prompt names. */
function fakeClaude(): Record<string, string> {
  const file = join(world.dir, "fake-claude");
  const script = `#!${process.execPath}
    if (process.argv[2] === "--version") { console.log("2.1.325"); process.exit(0); }
    const prompt = require("node:fs").readFileSync(0, "utf8");
    const say = (event) => console.log(JSON.stringify(event));
    const skill = prompt.includes("exam-canary") ? "exam-canary" : /Load (\\w+)/.exec(prompt)?.[1];
    say({ type: "system", subtype: "init", model: "claude-haiku-4-5" });
    if (skill) {
      say({ type: "assistant", message: { id: "m1", content: [{ type: "tool_use", id: "t1", name: "Skill", input: { skill } }] } });
      say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "Launching skill: " + skill }] }, tool_use_result: { success: true, commandName: skill } });
    }
    say({ type: "assistant", message: { id: "m2", content: [{ type: "text", text: "Done." }] } });
    setTimeout(() => say({ type: "result", subtype: "success", is_error: false, result: "Done.", usage: { input_tokens: 9, output_tokens: 5 }, total_cost_usd: 0.01 }), 100);
  `;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return { PROCTOR_CLAUDE_PATH: file };
}
