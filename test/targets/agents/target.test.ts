import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Activation, Ask, TrialEvent } from "../../../src/model/index.ts";
import { defineAgent } from "../../../src/targets/agents/own-agent/index.ts";
import { loadAgents, type OpenTarget, resolveTarget, type Target } from "../../../src/targets/index.ts";
import { found, writeLibrary, writeSkill } from "../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "agent-target-"));
const library = await writeLibrary(root);
const cli = join(root, "fake-agent");
const file = join(root, "fake.mjs");

/** A CLI that does what its prompt says, so that everything around it can be tested without one. */
const script = `#!${process.execPath}
const prompt = require("node:fs").readFileSync(0, "utf8");
const fs = require("node:fs");
const say = (event) => console.log(JSON.stringify(event));
if (process.argv[2] === "--version") { console.log("1.2.3"); process.exit(0); }
say({ type: "env", env: process.env, cwd: process.cwd(), files: fs.readdirSync(process.cwd(), { recursive: true }).map(String) });
const load = (skill, id = skill) => { say({ type: "tool", id, skill }); const ok = fs.existsSync(".skills/" + skill + "/SKILL.md"); say({ type: "done", id, ok }); };
if (prompt.includes("exam-canary") && process.env.NO_CANARY !== "1") load("exam-canary");
if (prompt.includes("exam-canary") && process.env.SLOW_CANARY === "1") setInterval(() => {}, 1000);
else if (prompt.includes("load alpha")) load("alpha");
if (prompt.includes("load nothing-like-it")) load("nothing-like-it");
if (prompt.includes("fail 401")) { say({ type: "end", status: 401 }); process.exit(1); }
if (prompt.includes("crash")) process.exit(9);
if (prompt.includes("wait")) setInterval(() => {}, 1000);
else if (process.env.SLOW_CANARY !== "1" || !prompt.includes("exam-canary")) say({ type: "end" });
`;

beforeAll(() => {
  writeFileSync(cli, script);
  chmodSync(cli, 0o755);
  const definition = `
    import { defineAgent } from "proctor";
    export default defineAgent({
      name: "fake", command: ${JSON.stringify(cli)}, skillsDir: ".skills", readOnly: true,
      launch: (trial) => ({ args: [], env: {}, stdin: trial.prompt }),
      events: (line) => line.type === "tool" ? [{ type: "call", id: line.id, tool: "skill", skill: line.skill }]
        : line.type === "done" ? [{ type: "result", id: line.id, ok: line.ok }]
        : line.type === "end" ? [{ type: "end", ...(line.status && { error: { status: line.status, message: "" } }) }]
        : line.type === "env" ? [{ type: "text", text: JSON.stringify(line) }] : [],
    });`;
  writeFileSync(file, definition);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("an agent of one's own, defined in a file", () => {
  test("loads a skill, and nothing is left of the workspace", async () => {
    const { events, workspace } = await ask("load alpha");
    expect(activations(events)).toEqual([{ skill: "alpha", turn: 1, evidence: "loaded" }]);
    expect(events.at(-1)).toMatchObject({ how: "completed" });
    expect(existsSync(workspace!)).toBe(false);
  });

  test("sees its skills, the question's files, and neither the exam nor the machine's environment", async () => {
    const { events } = await ask("look", {
      env: { PATH: process.env["PATH"], SECRET_TOKEN: "x", ANTHROPIC_API_KEY: "x" },
    });
    const seen = JSON.parse((events.find((event) => event.type === "text") as { text: string }).text) as {
      env: Record<string, string>;
      cwd: string;
      files: string[];
    };
    expect(seen.files).toEqual(
      expect.arrayContaining([
        ".git",
        "sales.csv",
        join(".skills", "alpha", "SKILL.md"),
        join(".skills", "alpha", "references", "steps.md"),
      ]),
    );
    expect(seen.files.filter((path) => path.includes("evals"))).toEqual([]);
    expect(Object.keys(seen.env).filter((name) => /SECRET|ANTHROPIC/.test(name))).toEqual([]);
    expect(seen.env["HOME"]).not.toBe(process.env["HOME"]);
  });

  test("tells when each step was told, in the order of the steps", async () => {
    const before = Date.now();
    const { events } = await ask("load alpha");
    const times = events.flatMap((event) => ("at" in event ? [event.at!] : []));
    expect(times).toHaveLength(
      events.filter(({ type }) => type === "text" || type === "call" || type === "result").length,
    );
    expect(times.length).toBeGreaterThanOrEqual(3);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(before);
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
  });

  test("a skill that does not exist is no activation", async () => {
    expect(activations((await ask("load nothing-like-it")).events)).toEqual([]);
  });

  test.each([
    ["fail 401", "auth"],
    ["crash", "crash"],
    ["wait", "timeout"],
  ])("%s is the error %s, never a miss", async (prompt, reason) => {
    const { events } = await ask(prompt, { timeoutMs: reason === "timeout" ? 900 : 60_000 });
    expect(events.at(-1)).toMatchObject({ type: "end", how: "error", error: { reason } });
  });

  test("stops when everything is decided", async () => {
    const { events } = await ask("load alpha, then wait", { decided: (all) => all.length > 0 });
    expect(events.at(-1)).toMatchObject({ how: "stopped" });
  });

  test("a cell whose canary does not load is invalid, not 0 %", async () => {
    const { events } = await ask("load alpha", { settings: { env: { NO_CANARY: "1" }, options: { canary: true } } });
    expect(events).toMatchObject([{ type: "end", error: { reason: "invalid_cell", retryable: false } }]);
  });

  describe("with a HOME that nobody can write to, not even root", () => {
    const env = { PATH: process.env["PATH"], HOME: join(cli, "no-folder") };

    test("is measured: what is kept of its canary is no reason to fail", async () => {
      const { events } = await ask("load alpha", { env, settings: { options: { canary: true } } });
      expect(activations(events)).toEqual([{ skill: "alpha", turn: 1, evidence: "loaded" }]);
      expect(events.at(-1)).toMatchObject({ how: "completed" });
    });

    test("is told why it is invalid, without naming a file that is not there", async () => {
      const { events } = await ask("load alpha", {
        env,
        settings: { env: { NO_CANARY: "1" }, options: { canary: true } },
      });
      const message = expect.stringMatching(/would mean nothing\.$/) as unknown as string;
      expect(events).toMatchObject([{ type: "end", error: { reason: "invalid_cell", message } }]);
    });
  });

  test("keeps its canary's raw output below XDG_CACHE_HOME, read when it is used", async () => {
    const env = { PATH: process.env["PATH"], XDG_CACHE_HOME: join(root, "xdg"), HOME: join(root, "home") };
    await ask("load alpha", { env, settings: { options: { canary: true } } });
    expect(readdirSync(join(root, "xdg", "proctor", "canary"))).toContain("fake-last.jsonl");
    expect(existsSync(env.HOME)).toBe(false);
  });
});

test("a canary that hangs ends with the run, and nothing is asked after it", async () => {
  const target = await fake({ env: { SLOW_CANARY: "1", NO_CANARY: "1" }, options: { canary: true } });
  const sitting = await target.open(library);
  const controller = new AbortController();
  const ready = sitting.ready!({ signal: controller.signal });
  setTimeout(() => controller.abort(), 200);
  await ready;
  const answer = await sitting.ask(question("load alpha"), { run: 1, signal: controller.signal, decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await sitting.close();
  expect(events).toMatchObject([{ type: "end", error: { reason: "interrupted" } }]);
});

test("an interrupted trial leaves no process and no folder behind", async () => {
  const controller = new AbortController();
  const target = await fake();
  const sitting = await target.open(library);
  const answer = await sitting.ask(question("wait"), { run: 1, signal: controller.signal, decided: () => false });
  setTimeout(() => controller.abort(), 200);
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await sitting.close();
  expect(events.at(-1)).toMatchObject({ error: { reason: "interrupted" } });
  expect(existsSync(answer.workspace!)).toBe(false);
});

test("what a crashed run left behind is swept at the next start", async () => {
  const left = join(tmpdir(), `prw-${2 ** 22 + 1}-left`);
  mkdirSync(join(left, "project"), { recursive: true });
  await (await (await fake()).open(library)).close();
  expect(existsSync(left)).toBe(false);
});

test("a CLI that is missing is a usage error that says how to install it", async () => {
  const opening = resolveTarget("claude:haiku", { cwd: root, env: { PATH: root } });
  await expect(opening).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining("not installed"),
    hint: expect.stringContaining("npm install -g @anthropic-ai/claude-code"),
  });
});

test("where a variable names the CLI, and wrongly, the message is about that", async () => {
  const env = { PATH: root, PROCTOR_CLAUDE_PATH: "/nowhere/claude" };
  await expect(resolveTarget("claude:haiku", { cwd: root, env })).rejects.toThrow(
    "Claude Code is not installed: PROCTOR_CLAUDE_PATH names /nowhere/claude, and that is no program.",
  );
});

test("an option it does not know is a usage error", async () => {
  await expect(fake({ options: { sandbox: "maybe" } })).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining("sandbox"),
  });
});

test("the identity has everything that can change an answer", async () => {
  const identity = await (await fake()).identify();
  expect(identity).toMatchObject({
    host: "fake",
    version: "1.2.3",
    model: "default",
    options: { adapter: 1, max_turns: 6, tools: { trigger: "read", case: "work" } },
    deterministic: false,
  });
});

test("without a sandbox, a CLI that could write anywhere is not asked, unless one says so", async () => {
  const open = join(root, "open.mjs");
  writeFileSync(open, readFileSync(file, "utf8").replace("readOnly: true", "readOnly: false"));
  const answers = async (sandbox: string) =>
    (await resolveTarget(`agent:${open}`, { cwd: root, env: { PATH: root }, settings: { options: { sandbox } } }))
      .answers;
  expect((await answers("auto")).trigger).toContain("--no-sandbox");
  expect(await answers("off")).toEqual({ trigger: true, case: true });
  expect((await fake({}, { PATH: root })).answers).toMatchObject({
    trigger: true,
    case: expect.stringContaining("sandbox"),
  });
});

test("what a CLI shows is worked out from its rules where it is not installed", async () => {
  const { seeSkills } = await loadAgents();
  const seen = await seeSkills("claude", library, { env: { PATH: root }, model: "claude-sonnet-4-5" });
  expect(seen.version).toBe("2.1.325");
  expect(seen.budget?.characters).toBe(8000);
  expect(seen.entries.map(({ skill, shown }) => `${skill} ${shown}`)).toEqual([
    "alpha whole",
    "alpha-extended whole",
    "beta whole",
    "gamma whole",
    "hidden absent",
  ]);
  expect(seen.elsewhere).toEqual([]);
});

test("a host's short name for a model is told with the model it stands for, and what other models would be shown", async () => {
  for (let at = 0; at < 7; at++)
    writeSkill(join(root, "many"), `skill-${at}`, `About ${at}. ${"Words ".repeat(50)}end.`);
  const { seeSkills } = await loadAgents();
  const seen = await seeSkills("claude", await found(join(root, "many")), { env: { PATH: root } });
  expect(seen).toMatchObject({ model: "sonnet", requestModel: "claude-sonnet-5-5" });
  expect(seen.entries.every(({ shown }) => shown === "whole")).toBe(true);
  expect(seen.elsewhere).toEqual([{ model: "claude-sonnet-4-5", characters: 8_000, whole: 5, cut: 0, bare: 2 }]);
});

test("a survey of the machine tells names of keys, never their values", async () => {
  const { surveyAgents } = await loadAgents();
  const survey = await surveyAgents({ PATH: root, ANTHROPIC_API_KEY: "sk-very-secret" });
  expect(survey.agents.map(({ id }) => id)).toEqual(["claude", "codex", "copilot", "gemini", "opencode", "qwen"]);
  expect(survey.agents[0]!.keys[0]).toEqual({ name: "ANTHROPIC_API_KEY", present: true });
  expect(survey.agents[0]!.needs).toEqual([expect.stringContaining("npm install -g @anthropic-ai/claude-code")]);
  expect(JSON.stringify(survey)).not.toContain("sk-very-secret");
});

test("a definition is an adapter like every other", () => {
  const adapter = defineAgent({
    name: "mine",
    command: "mine",
    skillsDir: "skills",
    launch: () => ({ args: [], env: {} }),
    events: () => [],
  });
  expect(adapter.readOnlyProfile).toBe(false);
});

interface Ways {
  env?: NodeJS.ProcessEnv;
  settings?: { env?: Record<string, string>; options?: Record<string, unknown> };
  timeoutMs?: number;
  decided?: (activations: readonly Activation[]) => boolean;
}

function fake(
  settings: Ways["settings"] = {},
  env: NodeJS.ProcessEnv = { PATH: process.env["PATH"] },
): Promise<Target> {
  return resolveTarget(`agent:${file}`, {
    cwd: root,
    env,
    settings: { ...settings, options: { canary: false, ...settings.options } },
  });
}

async function ask(prompt: string, ways: Ways = {}): Promise<{ events: TrialEvent[]; workspace: string | undefined }> {
  const target = await fake(ways.settings, ways.env);
  const sitting: OpenTarget = await target.open(library);
  const answer = await sitting.ask(question(prompt), {
    run: 1,
    signal: new AbortController().signal,
    decided: ways.decided ?? (() => false),
    ...(ways.timeoutMs && { timeoutMs: ways.timeoutMs }),
  });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await answer.dispose();
  await sitting.close();
  return { events, workspace: answer.workspace };
}

function question(prompt: string): Ask {
  return {
    key: prompt,
    kind: "trigger",
    prompt,
    files: [{ path: "sales.csv", content: "a,b\n" }],
    messages: [],
    library: "",
    limits: {},
  };
}

function activations(events: TrialEvent[]): Activation[] {
  return events.filter((event) => event.type === "activation").map(({ type: _, ...activation }) => activation);
}

test("the library is copied, not changed", () => {
  expect(readdirSync(join(root, "skills", "alpha")).sort()).toEqual(["SKILL.md", "evals", "references"]);
  expect(readFileSync(join(root, "skills", "alpha", "SKILL.md"), "utf8")).toContain("name: alpha");
});
