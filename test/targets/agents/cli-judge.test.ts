import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ask } from "../../../src/model/index.ts";
import { foldEvents } from "../../../src/model/index.ts";
import { loadModels, resolveTarget, type Target } from "../../../src/targets/index.ts";
import { writeLibrary } from "../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "cli-judge-"));
const library = await writeLibrary(root);
const seen = join(root, "seen.jsonl");

/** Replies with what stands after "reply:" in its prompt, in the words of Claude Code or of Codex, and notes what it was given. */
const script = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
if (args[0] === "--version") { console.log("2.1.300"); process.exit(0); }
const prompt = fs.readFileSync(0, "utf8");
const say = (event) => console.log(JSON.stringify(event));
const codex = args[0] === "exec";
const instructions = codex && fs.readFileSync(process.env.CODEX_HOME + "/instructions.md", "utf8");
fs.appendFileSync(${JSON.stringify(seen)}, JSON.stringify({ args, prompt, instructions, cwd: process.cwd(), files: fs.readdirSync(".") }) + "\\n");
if (prompt.includes("crash")) process.exit(9);
const status = /status (\\d+)/.exec(prompt)?.[1];
const text = /reply: ([^]*)/.exec(prompt)?.[1].trim() ?? "";
const usage = { input_tokens: 100, output_tokens: 5 };
if (codex) {
  say({ type: "item.completed", item: { id: "1", type: "agent_message", text } });
  say(status ? { type: "turn.failed", error: { message: "status " + status } } : { type: "turn.completed", usage });
} else {
  say({ type: "system", subtype: "init", model: "claude-haiku-4-5" });
  if (!status) say({ type: "assistant", message: { id: "m1", content: [{ type: "text", text }] } });
  say({ type: "result", subtype: "success", is_error: status !== undefined, api_error_status: Number(status), result: text, usage, total_cost_usd: 0.25 });
}
`;

beforeAll(() => {
  for (const name of ["claude", "codex"]) {
    writeFileSync(join(root, name), script);
    chmodSync(join(root, name), 0o755);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each(["claude:haiku", "codex"])("judge:cli/%s", (name) => {
  test("a yes is a predicted activation of the judged skill, and a no is none", async () => {
    const yes = await judge(name, "reply: DECISION=YES REASON=It fits.");
    expect(yes.outcome).toEqual({
      status: "activations",
      activations: [{ skill: "alpha", turn: 1, evidence: "predicted" }],
    });
    expect(yes.usage).toMatchObject({ inputTokens: 100, outputTokens: 5 });
    expect((await judge(name, "reply: DECISION=NO REASON=It does not.")).outcome).toEqual({
      status: "activations",
      activations: [],
    });
  });

  test("a reply without a decision is asked for once more, then it is an error", async () => {
    const before = calls().length;
    const { outcome, usage } = await judge(name, "reply: Perhaps.");
    expect(outcome).toMatchObject({
      status: "error",
      error: { reason: "unparseable", message: expect.stringContaining("Perhaps.") },
    });
    expect(calls().length - before).toBe(2);
    expect(usage?.inputTokens).toBe(200);
  });

  test.each([
    ["status 401", "auth", false],
    ["status 429", "rate_limit", true],
    ["status 529", "overloaded", true],
    ["crash", "crash", true],
  ])("%s is the error %s, never a no", async (query, reason, retryable) => {
    expect((await judge(name, query)).outcome).toMatchObject({ status: "error", error: { reason, retryable } });
  });

  test("sees the card and the query in an empty workspace, which is gone afterwards", async () => {
    await judge(name, "reply: DECISION=YES");
    const { args, prompt, cwd, files, instructions } = calls().at(-1)!;
    expect(prompt).toMatch(/^DESCRIPTION:\nDraws alpha charts[\s\S]*USER QUERY:\nreply: DECISION=YES$/);
    expect(instructions || args[args.indexOf("--system-prompt") + 1]).toMatch(
      /^You decide whether a skill should be loaded/,
    );
    expect(files).toEqual([".git"]);
    expect(existsSync(cwd)).toBe(false);
    if (name === "codex")
      expect(args).toEqual(expect.arrayContaining(["read-only", "features.shell_tool=false", 'web_search="disabled"']));
    else expect(args[args.indexOf("--tools") + 1]).toBe("");
  });

  test("its identity has the CLI's version, and says that it judges", async () => {
    expect(await (await open(name)).identify()).toMatchObject({
      host: name.split(":")[0],
      version: "2.1.300",
      options: { role: "judge", promptVersion: 3 },
      deterministic: false,
    });
  });

  test("judges free text too", async () => {
    const { textJudges } = await loadModels();
    const found = await textJudges([], { env: environment(), always: `cli/${name}` });
    const ask = (prompt: string) =>
      found(undefined)!.ask(
        { system: "Judge it.", prompt },
        { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 },
      );
    expect(await ask("reply: SCORE=5 REASON=Fine.")).toMatchObject({ status: "text", text: "SCORE=5 REASON=Fine." });
    expect(await ask("status 401")).toMatchObject({
      status: "error",
      message: expect.stringMatching(/the judge cli\/.* did not answer: .*not logged in/),
    });
  });
});

test("dollars are the CLI's own, of both tries", async () => {
  expect(await judge("claude", "reply: hm")).toMatchObject({ costUsd: 0.5, costEstimated: false });
});

test("without a key nothing is started", async () => {
  const before = calls().length;
  const { outcome } = await judge("claude", "reply: DECISION=YES", { PATH: root });
  expect(outcome).toMatchObject({ status: "error", error: { reason: "auth", retryable: false } });
  expect(calls()).toHaveLength(before);
});

test.each([
  ["gemini", { PATH: root }, /no judge cli\/gemini/, /cli\/claude and cli\/codex/],
  ["claude", { PATH: tmpdir() }, /not installed/, /npm install/],
])("judge:cli/%s that cannot be asked is a usage error", async (name, env, message, hint) => {
  const refusal = { name: "UsageError", message: expect.stringMatching(message), hint: expect.stringMatching(hint) };
  await expect(open(name, env)).rejects.toMatchObject(refusal);
  const { textJudges } = await loadModels();
  await expect(textJudges([], { env, always: `cli/${name}` })).rejects.toMatchObject(refusal);
});

test("no workspace is left", () => {
  expect(
    readdirSync(tmpdir()).filter((name) => name.startsWith(`prw-${process.pid}-`) && !name.endsWith("-gone")),
  ).toEqual([]);
});

function environment(): NodeJS.ProcessEnv {
  return { PATH: root, ANTHROPIC_API_KEY: "dummy-key", OPENAI_API_KEY: "dummy-key" };
}

function open(name: string, env = environment()): Promise<Target> {
  return resolveTarget(`judge:cli/${name}`, { cwd: root, env });
}

async function judge(name: string, prompt: string, env = environment()) {
  const sitting = await (await open(name, env)).open(library);
  const ask: Ask = {
    key: prompt,
    kind: "trigger",
    skill: "alpha",
    prompt,
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  const answer = await sitting.ask(ask, { run: 1, signal: AbortSignal.timeout(20_000), decided: () => false });
  const transcript = await foldEvents(answer.events, { skills: new Set(library.skills.map(({ id }) => id)) });
  await sitting.close();
  return transcript;
}

function calls(): { args: string[]; prompt: string; instructions: string | false; cwd: string; files: string[] }[] {
  if (!existsSync(seen)) return [];
  return readFileSync(seen, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.each(["claude:haiku", "codex"])("model:cli/%s", (name) => {
  const open = () =>
    resolveTarget(`model:cli/${name}`, {
      cwd: root,
      env: { PATH: `${root}:${process.env["PATH"]}`, ANTHROPIC_API_KEY: "sk-dummy", CODEX_API_KEY: "sk-dummy" },
      settings: { options: { sandbox: "off" } },
    });
  const answered = async (prompt: string) => {
    const sitting = await (await open()).open(library);
    const ask: Ask = { key: prompt, kind: "case", prompt, files: [], messages: [], library: "", limits: {} };
    const answer = await sitting.ask(ask, { run: 1, signal: new AbortController().signal, decided: () => false });
    const transcript = await foldEvents(answer.events);
    await sitting.close();
    return transcript;
  };

  test("answers a case's prompt in one turn without tools, and no trigger", async () => {
    const target = await open();
    expect(target).toMatchObject({
      kind: "model",
      answers: { trigger: expect.stringContaining("only cases"), case: true },
    });
    expect(await answered("Write. reply: Dear Ada")).toMatchObject({
      finalText: "Dear Ada",
      how: "completed",
      usage: { inputTokens: 100 },
    });
  });

  test("what goes wrong is an error, never an empty answer", async () => {
    expect((await answered("status 401")).outcome).toMatchObject({ status: "error", error: { reason: "auth" } });
  });
});
