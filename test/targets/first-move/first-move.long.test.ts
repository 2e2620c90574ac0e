import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Loopback, type ScriptedFault, type ScriptedMove, startLoopback } from "../../../src/loopback/index.ts";
import type { Ask, Library } from "../../../src/model/index.ts";
import { foldEvents } from "../../../src/model/index.ts";
import { loadAgents, resolveTarget, type Target } from "../../../src/targets/index.ts";
import { type RunOptions, run as runExam } from "../../../src/verbs/index.ts";
import { found, writeLibrary, writeSkill } from "../../agents/library.ts";
import { writeFakeCli } from "./fake-cli.ts";

const skill = (name: string) => ({ tool: "Skill", input: { skill: name } });
const replies: Record<string, ScriptedMove | ScriptedFault> = {
  alpha: { text: "Let me look.", calls: [skill("alpha")] },
  slash: { calls: [skill("/alpha")] },
  part: { calls: [skill("alph"), skill("alpha-ext"), { tool: "Bash", input: { command: "echo alpha" } }] },
  two: { calls: [skill("alpha"), skill("beta")] },
  hidden: { calls: [skill("hidden")] },
  none: { text: "The alpha skill would be fine, but I shall not use it." },
  limited: { fault: "status", status: 429, retryAfterSeconds: 3 },
  overloaded: { fault: "status", status: 529 },
  denied: { fault: "status", status: 401 },
  wrong: { fault: "status", status: 400 },
  cut: { fault: "cut", move: { calls: [skill("alpha")] } },
  garbage: { fault: "garbage" },
  hang: { fault: "hang" },
  codex: { calls: [{ tool: "shell", input: { command: ["bash", "-lc", "cat .agents/skills/alpha/SKILL.md"] } }] },
  gemini: { calls: [{ tool: "activate_skill", input: { name: "alpha" } }] },
  copilot: { calls: [{ tool: "skill", input: { skill: "alpha" } }] },
};

let server: Loopback;
let root: string;
let library: Library;
beforeAll(async () => {
  server = await startLoopback({
    ...Object.fromEntries(Object.entries(replies).map(([name, reply]) => [name, { steps: [reply] }])),
    // The path as the host told it: in the workspace of the capture.
    read: {
      steps: [
        () => ({
          calls: [
            { tool: "Read", input: { file_path: join(captureIn(root).workspace, ".claude/skills/beta/SKILL.md") } },
          ],
        }),
      ],
    },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "first-move-"));
  library = await writeLibrary(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the model's one turn", () => {
  test.each([
    ["alpha", [{ skill: "alpha", turn: 1, evidence: "called" }]],
    ["slash", [{ skill: "alpha", turn: 1, evidence: "called" }]],
    ["two", ["alpha", "beta"].map((name) => ({ skill: name, turn: 1, evidence: "called" }))],
    ["read", [{ skill: "beta", turn: 1, evidence: "read" }]],
    ["part", []],
    ["none", []],
    ["hidden", [{ skill: "hidden", turn: 1, evidence: "refused" }]],
  ])("%s is read by the adapter's rules", async (scenario, activations) => {
    const transcript = await ask(await claude(scenario));
    expect(transcript.activations).toEqual(activations);
    expect(transcript.end).toMatchObject({ how: "completed" });
  });

  test("carries usage, the model that answered, and dollars from the price table", async () => {
    const { end } = await ask(await claude("alpha"));
    expect(end).toMatchObject({
      usage: { inputTokens: 1000, outputTokens: 20 },
      model: "claude-haiku-4-5",
      costUsd: 0.0011,
      costEstimated: true,
    });
  });

  test.each([
    ["limited", "rate_limit", true],
    ["overloaded", "overloaded", true],
    ["denied", "auth", false],
    ["wrong", "api", false],
    ["cut", "cut_stream", true],
    ["garbage", "unparseable", true],
    ["hang", "interrupted", false],
  ])("%s is an error, never a silent model", async (scenario, reason, retryable) => {
    const { end } = await ask(await claude(scenario), "hello", scenario === "hang" ? 300 : 20_000);
    expect(end).toMatchObject({ how: "error", error: { reason, retryable } });
    if (scenario === "limited") expect(end).toMatchObject({ error: { retryAfterMs: 3000 } });
  });
});

describe("the request", () => {
  test("is the CLI's own, with the query wherever the placeholder stood and the marks for the cache left in place", async () => {
    const target = await claude("none");
    const start = server.requests.length;
    const query = 'Say "hi" \\ $& $1 to\nme, {{x}}';
    await ask(target, query);
    const { body, headers } = server.requests[start]!;
    const captured = captureIn(root);
    const text = JSON.stringify(captured.body);
    expect(JSON.stringify(body)).toBe(text.replaceAll(captured.placeholder, () => JSON.stringify(query).slice(1, -1)));
    expect(text).toContain('"cache_control":{"type":"ephemeral"}');
    expect(headers).toEqual({ "anthropic-beta": "skills-1", "anthropic-version": "2023-06-01" });
  });

  test("delivers any query unharmed", async () => {
    const target = await claude("none");
    const sitting = await target.open(library);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 1 }), async (query) => {
        const start = server.requests.length;
        await sitting.ask(question(query), asking());
        const { messages } = server.requests[start]!.body as { messages: [{ content: [{ text: string }] }] };
        expect(messages[0].content[0].text).toBe(query);
      }),
      { numRuns: 30 },
    );
  });

  test("is captured once: the next target needs no CLI, and no key is in what is stored", async () => {
    await ask(await claude("none"));
    const [file] = readdirSync(join(root, ".proctor", "first-requests"));
    expect(readFileSync(join(root, ".proctor", "first-requests", file!), "utf8")).not.toMatch(
      /never-kept|dummy-key|loopback"/,
    );
    const target = await claude("alpha", { PROCTOR_CLAUDE_PATH: join(root, "gone") });
    expect(await target.identify()).toMatchObject({
      host: "claude",
      version: "9.9.9",
      provider: "anthropic",
      model: "haiku",
      options: { adapter: expect.any(Number) },
    });
    expect((await ask(target)).activations).toMatchObject([{ skill: "alpha" }]);
  });

  test("is captured anew when a description changes, when the CLI does, and when the file is broken", async () => {
    const captures = () => readdirSync(join(root, ".proctor", "first-requests")).length;
    await ask(await claude("none"));
    writeSkill(root, "beta", "Something else.");
    library = await found(root);
    await ask(await claude("none"));
    expect(captures()).toBe(2);
    mkdirSync(join(root, "newer"));
    await ask(await claude("none", { PROCTOR_CLAUDE_PATH: writeFakeCli(join(root, "newer"), "claude", "9.9.10") }));
    expect(captures()).toBe(3);
    for (const name of readdirSync(join(root, ".proctor", "first-requests")))
      writeFileSync(join(root, ".proctor", "first-requests", name), "{");
    expect((await ask(await claude("alpha"))).activations).toHaveLength(1);
    expect(captures()).toBe(3);
  });

  test("of `proctor see` serves as well", async () => {
    const { seeSkills } = await loadAgents();
    const env = { PATH: process.env["PATH"], PROCTOR_CLAUDE_PATH: writeFakeCli(root, "claude") };
    await seeSkills("claude", library, { env, model: "haiku", hermetic: true, root, cacheDir: join(root, "cache") });
    const target = await claude("alpha", { PROCTOR_CLAUDE_PATH: join(root, "gone") });
    expect((await ask(target)).activations).toMatchObject([{ skill: "alpha" }]);
  });

  test("of the first question goes ahead alone, so that the others find the provider's cache filled", async () => {
    const sitting = await (await claude("hang")).open(library);
    const start = server.requests.length;
    const arrived = (count: number) => vi.waitFor(() => expect(server.requests.length - start).toBe(count), 10_000);
    const [first, rest] = [new AbortController(), new AbortController()];
    const answers = [first, rest, rest].map(({ signal }, index) =>
      sitting.ask(question(`number ${index}`), { ...asking(), signal }),
    );
    await arrived(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await arrived(1);
    first.abort();
    await arrived(3);
    rest.abort();
    await Promise.all(answers);
  });
});

describe("an answer in the cache", () => {
  const env = (more: NodeJS.ProcessEnv = {}) => ({
    PATH: process.env["PATH"],
    ANTHROPIC_API_KEY: "dummy-key",
    ANTHROPIC_BASE_URL: `${server.url}/alpha`,
    PROCTOR_CLAUDE_PATH: writeFakeCli(root, "claude"),
    ...more,
  });
  const sat = async (more: Partial<RunOptions> = {}) => {
    const [run] = await runExam({ cwd: root, targets: ["firstmove:claude:haiku"], runs: 1, env: env(), ...more });
    const lines = readFileSync(run!.record.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const trials = lines.filter(({ type }) => type === "trial");
    return {
      identity: lines[0].targets[0].identity,
      note: lines[0].targets[0].note,
      asked: trials.filter(({ cached }) => !cached).length,
    };
  };
  beforeEach(() => {
    const rows = [{ query: "An alpha chart, please.", should_trigger: true }];
    writeFileSync(join(root, "skills", "alpha", "evals", "triggers.json"), JSON.stringify(rows));
  });

  test("holds while the captured request is the same, and not for a new one", async () => {
    const first = await sat();
    expect(first).toMatchObject({
      asked: 1,
      identity: { version: "9.9.9", options: { realistic: false, captured: expect.any(String) } },
    });
    expect(await sat()).toMatchObject({ asked: 0, identity: first.identity });
    const { seeSkills } = await loadAgents();
    mkdirSync(join(root, "other"));
    const other = writeFakeCli(join(root, "other"), "claude", "9.9.9", "You are an agent, and the day is another.");
    const see = { env: env({ PROCTOR_CLAUDE_PATH: other }), model: "haiku", root, cacheDir: join(root, "cache") };
    // With the host's own skills: not what this run is asked with.
    await seeSkills("claude", await found(root), { ...see, hermetic: false });
    expect(await sat()).toMatchObject({ asked: 0, identity: first.identity });
    await seeSkills("claude", await found(root), { ...see, hermetic: true });
    const third = await sat();
    expect(third.asked).toBe(1);
    expect(third.identity.options.captured).not.toBe(first.identity.options.captured);
  });

  test("is not the one of a run with the host's own skills, and the note says with which it was", async () => {
    expect((await sat()).note).toContain("without its own skills");
    const realistic = await sat({ agentOptions: { realistic: true } });
    expect(realistic).toMatchObject({ asked: 1, identity: { options: { realistic: true } } });
    expect(realistic.note).toContain("with its own skills");
  });

  test("needs no CLI, and what is stored of the other variant is named when that is all there is", async () => {
    const { seeSkills } = await loadAgents();
    await seeSkills("claude", await found(root), {
      env: env(),
      model: "haiku",
      root,
      hermetic: false,
      cacheDir: join(root, "cache"),
    });
    const gone = { env: env({ PROCTOR_CLAUDE_PATH: join(root, "gone") }) };
    await expect(sat(gone)).rejects.toMatchObject({
      message: expect.stringMatching(/not installed/),
      hint: expect.stringMatching(/--realistic.*proctor see claude --hermetic/s),
    });
    expect(await sat({ ...gone, agentOptions: { realistic: true } })).toMatchObject({ asked: 1 });
  });
});

test.each([
  [
    "claude:haiku",
    { ANTHROPIC_AUTH_TOKEN: "gateway-token" },
    { authorization: "Bearer gateway-token", "x-api-key": undefined },
  ],
  [
    "claude:haiku",
    { ANTHROPIC_API_KEY: "api-key", ANTHROPIC_AUTH_TOKEN: "t" },
    { authorization: undefined, "x-api-key": "api-key" },
  ],
  ["codex:gpt-5", { CODEX_API_KEY: "codex-key" }, { authorization: "Bearer codex-key" }],
  ["codex:gpt-5", { CODEX_API_KEY: "codex-key", OPENAI_API_KEY: "other" }, { authorization: "Bearer codex-key" }],
] as const)("firstmove:%s takes the keys that the agent takes: %o", async (name, keys, wanted) => {
  const host = name.split(":")[0] as "claude" | "codex";
  let sent: NodeJS.Dict<string | string[]> = {};
  const provider = createServer((request, response) => {
    sent = request.headers;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const path = { [`PROCTOR_${host.toUpperCase()}_PATH`]: writeFakeCli(root, host) };
  await ask(await open(name, { ...keys, ...path, ANTHROPIC_BASE_URL: base, OPENAI_BASE_URL: base }));
  provider.close();
  for (const [header, value] of Object.entries(wanted)) expect(sent[header]).toBe(value);
});

test.each([
  ["codex:gpt-5", "called", (base: string) => ({ OPENAI_API_KEY: "dummy-key", OPENAI_BASE_URL: `${base}/v1` })],
  [
    "gemini:gemini-2.5-pro",
    "called",
    (base: string) => ({ GEMINI_API_KEY: "dummy-key", GOOGLE_GEMINI_BASE_URL: base }),
  ],
  [
    "copilot:gpt-4.1",
    "called",
    (base: string) => ({ GITHUB_TOKEN: "not-for-others", COPILOT_PROVIDER_BASE_URL: `${base}/v1` }),
  ],
] as const)("firstmove:%s speaks its provider's protocol", async (name, evidence, env) => {
  const host = name.split(":")[0] as "codex" | "gemini" | "copilot";
  const path = { [`PROCTOR_${host.toUpperCase()}_PATH`]: writeFakeCli(root, host) };
  const target = await open(name, { ...env(`${server.url}/${host}`), ...path });
  const transcript = await ask(target, "Draw it.");
  expect(transcript.activations).toEqual([{ skill: "alpha", turn: 1, evidence }]);
  expect(transcript.end).toMatchObject({ how: "completed", usage: { inputTokens: 1000, outputTokens: 20 } });
});

describe("before anything is spent", () => {
  const key = { ANTHROPIC_API_KEY: "dummy-key" };
  test.each([
    ["", {}, /Whose first move/, /firstmove:claude:haiku/],
    ["clude:haiku", key, /There is no agent "clude"/, /claude/],
    ["claude:haiku", {}, /needs a key/, /ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN/],
    ["claude:haiku", { CLAUDE_CODE_OAUTH_TOKEN: "t" }, /needs a key/, /a subscription's token is not one/],
    [
      "claude:haiku",
      { ...key, PROCTOR_CLAUDE_PATH: "/nowhere/claude" },
      /not installed/,
      /npm install -g @anthropic-ai\/claude-code/,
    ],
    ["copilot:gpt-4.1", {}, /needs an endpoint/, /COPILOT_PROVIDER_BASE_URL/],
  ])("firstmove:%s is refused with what to do", async (name, env, message, hint) => {
    const refused = await open(name, env).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) });
  });

  test("a library whose request is not stored says how to get the CLI", async () => {
    await ask(await claude("none"));
    const target = await claude("none", { PROCTOR_CLAUDE_PATH: join(root, "gone") });
    writeSkill(root, "beta", "Something else.");
    await expect(target.open(await found(root))).rejects.toThrowError(
      /no first request of it is stored for the skills as they are now/,
    );
  });

  test("cases are not its business", async () => {
    expect((await claude("none")).answers).toEqual({
      trigger: true,
      case: expect.stringContaining("a case needs the agent itself"),
    });
  });
});

function claude(scenario: string, env: NodeJS.ProcessEnv = {}): Promise<Target> {
  const path = { PROCTOR_CLAUDE_PATH: writeFakeCli(root, "claude") };
  return open("claude:haiku", {
    ANTHROPIC_API_KEY: "dummy-key",
    ANTHROPIC_BASE_URL: `${server.url}/${scenario}`,
    ...path,
    ...env,
  });
}

function open(name: string, env: NodeJS.ProcessEnv): Promise<Target> {
  return resolveTarget(`firstmove:${name}`, { cwd: root, env: { PATH: process.env["PATH"], ...env } });
}

async function ask(target: Target, query = "Please make an alpha chart.", timeoutMs = 20_000) {
  const sitting = await target.open(library);
  const answer = await sitting.ask(question(query), asking(timeoutMs));
  const events = [...(answer.events as Iterable<never>)];
  const { activations } = await foldEvents(events);
  return { activations, end: events.at(-1) };
}

function question(prompt: string): Ask {
  return { key: "k", kind: "trigger", prompt, files: [], messages: [], library: "fp", limits: {} };
}

function asking(timeoutMs = 20_000) {
  return { run: 1, signal: AbortSignal.timeout(timeoutMs), decided: () => false };
}

function captureIn(folder: string): { workspace: string; placeholder: string; body: unknown } {
  const stored = join(folder, ".proctor", "first-requests");
  return JSON.parse(readFileSync(join(stored, readdirSync(stored)[0]!), "utf8"));
}
