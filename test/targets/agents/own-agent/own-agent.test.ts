import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrialEvent } from "../../../../src/model/index.ts";
import { resolveTarget } from "../../../../src/targets/index.ts";
import { writeLibrary } from "../../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "own-agent-"));
const library = await writeLibrary(root);
const env = { PATH: [join(root, "bin"), process.env["PATH"]].join(delimiter), MY_AGENT_KEY: "k" };

/** A tiny agent: it does as it is told, and speaks the events that docs/agents.md reads. */
const tiny = `#!${process.execPath}
if (process.argv[2] === "--version") { console.log("my-agent 0.3.1"); process.exit(0); }
const fs = require("node:fs");
const say = (event) => console.log(JSON.stringify(event));
const prompt = fs.readFileSync(0, "utf8");
const skill = /load ([\\w-]+)/.exec(prompt)?.[1] ?? (prompt.includes("exam-canary") ? "exam-canary" : undefined);
say({ type: "text", text: "model " + process.argv[process.argv.indexOf("--model") + 1] + ", key " + process.env.MY_AGENT_KEY });
if (skill) {
  say({ type: "tool_call", id: 1, tool: "skill", skill });
  say({ type: "tool_result", id: 1, ok: fs.existsSync(".my-agent/skills/" + skill + "/SKILL.md") });
}
say({ type: "done", error: prompt.includes("fail") ? "overloaded" : undefined });
`;

beforeAll(() => {
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin", "my-agent"), tiny);
  chmodSync(join(root, "bin", "my-agent"), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the example of docs/agents.md, as it stands", () => {
  beforeAll(() => writeFileSync(join(root, "my-agent.ts"), example()));

  test("passes its canary and loads a skill", async () => {
    const events = await ask("agent:./my-agent.ts", "load alpha", { canary: true });
    expect(events).toContainEqual({ type: "activation", skill: "alpha", turn: 1, evidence: "loaded" });
    expect(events.at(-1)).toMatchObject({ type: "end", how: "completed" });
  });

  test("an error it tells of is an error", async () => {
    expect((await ask("agent:./my-agent.ts", "fail")).at(-1)).toMatchObject({
      how: "error",
      error: { reason: "overloaded" },
    });
  });

  test.each([
    ["agent:./my-agent.ts", "default"],
    ["agent:./my-agent.ts:big", "big"],
    ["agent:./my-agent.ts:local/llama:8b", "local/llama:8b"],
  ])("%s asks the model %s", async (spec, model) => {
    const target = await resolve(spec);
    expect(target.id).toBe(spec);
    expect(await target.identify()).toMatchObject({ host: "my-agent", version: "0.3.1", model });
    expect(await ask(spec, "look")).toContainEqual(
      expect.objectContaining({ type: "text", text: `model ${model}, key k` }),
    );
  });

  test("a file whose name has a colon is a file", async () => {
    writeFileSync(join(root, "my:agent.ts"), example());
    expect(await (await resolve("agent:my:agent.ts")).identify()).toMatchObject({ model: "default" });
    expect(await (await resolve("agent:my:agent.ts:big")).identify()).toMatchObject({ model: "big" });
  });

  test("a command that is missing is told with a variable that a shell can set, and nothing about doctor", async () => {
    const opening = resolveTarget("agent:./my-agent.ts", { cwd: root, env: { PATH: root } });
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining('no "my-agent" on PATH'),
      hint: "Install it, or set PROCTOR_MY_AGENT_PATH.",
    });
  });

  test("a command that tells no version is not said to be outside a range", async () => {
    const silent = join(root, "bin", "silent");
    writeFileSync(silent, tiny.replace("my-agent 0.3.1", "seven"));
    chmodSync(silent, 0o755);
    const context = { cwd: root, env: { PATH: root, PROCTOR_MY_AGENT_PATH: silent } };
    expect((await resolveTarget("agent:./my-agent.ts", context)).note).not.toContain("range");
  });

  test("that variable is heeded", async () => {
    const context = { cwd: root, env: { PATH: root, PROCTOR_MY_AGENT_PATH: join(root, "bin", "my-agent") } };
    expect(await (await resolveTarget("agent:./my-agent.ts", context)).identify()).toMatchObject({ version: "0.3.1" });
  });
});

const whole = {
  name: '"mine"',
  command: '"my-agent"',
  skillsDir: '".skills"',
  readOnly: "true",
  launch: "(trial) => ({ args: [], env: {}, stdin: trial.prompt })",
  events: '(line) => line.type === "done" ? [{ type: "end" }] : []',
};
const write = (members: Record<string, string>, more = "") => {
  const text = Object.entries({ ...whole, ...members }).map(([name, value]) => `  ${name}: ${value},`);
  writeFileSync(
    join(root, "mine.ts"),
    `import { defineAgent } from "proctor";\n${more}\nexport default defineAgent({\n${text.join("\n")}\n});\n`,
  );
};

test.each([
  [
    { skillsDir: "undefined" },
    '`skillsDir` is missing: it should be a folder inside the workspace, like ".my-agent/skills".',
  ],
  [
    { skillsDir: '"/etc"' },
    '`skillsDir` should be a folder inside the workspace, like ".my-agent/skills", but is "/etc".',
  ],
  [
    { name: '"my agent"' },
    '`name` should be a name of letters, digits, "-", "_" and ".", like "my-agent", but is "my agent".',
  ],
  [{ keys: '"KEY"' }, '`keys` should be a list of names of variables, like ["MY_AGENT_KEY"], but is "KEY".'],
  [
    { events: "undefined" },
    "`events` is missing: it should be a function (line) => [ … ] that says what a line of its output shows.",
  ],
  [{ skilsDir: '"x"' }, "it has no member `skilsDir`. Did you mean `skillsDir`?"],
  [{ sources: '["nowhere/*.txt"]' }, "sources: there is no file nowhere/*.txt in "],
])("a definition with %o is refused in words", async (members, words) => {
  write(members);
  await expect(resolve("agent:./mine.ts")).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining(words),
  });
});

test.each([
  ["export const nothing = 1;", "./bad.ts exports no agent."],
  [`export default { name: "x", skillsDir: "y" };`, "./bad.ts exports a bare definition."],
  [`import "./not-there.ts";`, "./bad.ts cannot be loaded: Cannot find module './not-there.ts' (in "],
  ["const x = ;", "bad.ts:1 is not valid: Unexpected token."],
  ["\nnull.x;", "./bad.ts cannot be loaded: Cannot read properties of null (reading 'x') ("],
  ['throw "up";', "./bad.ts cannot be loaded: up"],
])("a file that holds %s is refused in one line", async (text, words) => {
  writeFileSync(join(root, "bad.ts"), text);
  const error = await resolve("agent:./bad.ts").catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({ name: "UsageError", message: expect.stringContaining(words) });
  expect((error as Error).message).not.toMatch(/\n|Require stack/);
});

test.each([
  ["agent:nowhere.ts", "There is no file nowhere.ts.", /agent:FILE:MODEL/],
  ["agent:./mine", "There is no file ./mine.", /Did you mean agent:\.\/mine\.ts\?/],
  ["agent:", "agent: needs a file", /my-agent\.ts/],
])("%s is refused", async (spec, message, hint) => {
  write({});
  await expect(resolve(spec)).rejects.toMatchObject({ name: "UsageError", message, hint: expect.stringMatching(hint) });
});

test("a name of a host that Proctor knows is refused: its output would be read as that host's", async () => {
  write({ name: '"claude"' });
  await expect(resolve("agent:./mine.ts")).rejects.toMatchObject({
    message: expect.stringContaining("the name of one that Proctor knows: claude"),
  });
});

test.each([
  [
    { launch: "(trial) => trial.nothing.there" },
    "crash",
    /^`launch` of mine failed at .*mine\.ts:8: Cannot read properties of undefined/,
  ],
  [
    { launch: "() => ({ args: '--json', env: {} })" },
    "crash",
    /returned is not a plan: `args` should be a list of strings, but is "--json"\. Fix the file that defines it\.$/,
  ],
  [
    { launch: "async () => ({ args: [], env: {} })" },
    "crash",
    /it should be an object, but is a promise: it must not be async\. Fix the file that defines it\.$/,
  ],
  [
    { events: "(line) => line.missing.split('/')" },
    "unparseable",
    /^`events` of mine failed at .*mine\.ts:9: Cannot read properties of undefined \(reading 'split'\)\. Fix the file that defines it\.$/,
  ],
  [
    { events: "() => undefined" },
    "unparseable",
    /it should return a list, \[\] for nothing, but returned nothing\. Fix the file that defines it\.$/,
  ],
  [
    { events: '() => [{ type: "tool" }]' },
    "unparseable",
    /`type` should be one of text, call, result, end\. Fix the file that defines it\.$/,
  ],
  [
    { events: '() => [{ type: "call", id: 1, tool: "x" }]' },
    "unparseable",
    /a `call`: `id` should be the text that its call and its result share, but is 1\. Fix the file that defines it\.$/,
  ],
  [
    { events: '() => [{ type: "call", id: "1", tool: "x", skil: "alpha" }]' },
    "unparseable",
    /no member `skil`\. Did you mean `skill`\? Fix the file that defines it\.$/,
  ],
  [{ events: "() => []" }, "crash", /reported no \{ type: "end" \}/],
])("%o is an error of the trial, in words and with its place", async (members, reason, words) => {
  write(members);
  const end = (await ask("agent:./mine.ts", "look")).at(-1);
  expect(end).toMatchObject({
    type: "end",
    how: "error",
    error: { reason, message: expect.stringMatching(words), retryable: false },
  });
});

test.each(["mjs", "cjs", "js", "mts"])("a definition may be written in .%s", async (ending) => {
  const esm = `import { defineAgent } from "proctor";\nconst name = ${ending === "mjs" ? 'await Promise.resolve("mine")' : '"mine"'};\nexport default defineAgent({ name,`;
  const head =
    ending === "cjs"
      ? `const { defineAgent } = require("proctor");\nmodule.exports = defineAgent({ name: "mine",`
      : esm;
  writeFileSync(
    join(root, `one.${ending}`),
    `${head} command: "my-agent", skillsDir: "x", launch: () => ({ args: [], env: {} }), events: () => [] });`,
  );
  expect(await (await resolve(`agent:one.${ending}`)).identify()).toMatchObject({ host: "mine" });
});

function example(): string {
  const docs = readFileSync(join(import.meta.dirname, "../../../../docs/agents.md"), "utf8");
  return /## An agent of your own[\s\S]*?```ts\n([\s\S]*?)```/.exec(docs)![1]!;
}

function resolve(spec: string) {
  return resolveTarget(spec, { cwd: root, env, settings: { options: { canary: false, sandbox: "off" } } });
}

describe("a case of several messages", () => {
  const session = "session: (line) => line.type === 'done' ? 'one' : undefined,";
  const resume =
    "resume: (trial, session) => ({ args: ['--json', '--model', trial.model + '/' + session], env: trial.keys, stdin: trial.prompt }),";
  const write = (members: string) =>
    writeFileSync(join(root, "talks.ts"), example().replace("  events:", `  ${members}\n  events:`));
  const told = (said: string[]) => ({ kind: "case" as const, next: async () => said.shift() });

  test("goes on with the session that it names, in one trial", async () => {
    write(`${session}\n${resume}`);
    expect((await resolve("agent:./talks.ts")).converses).toBe(true);
    const events = await ask("agent:./talks.ts", "load alpha", {}, told(["load beta", "thanks"]));
    expect(events.flatMap((event) => (event.type === "text" ? [event.text] : []))).toEqual([
      "model default, key k",
      "model default/one, key k",
      "model default/one, key k",
    ]);
    expect(
      events.flatMap((event) => (event.type === "activation" ? [`${event.skill} on turn ${event.turn}`] : [])),
    ).toEqual(["alpha on turn 1", "beta on turn 2"]);
    expect(events.filter(({ type }) => type === "end")).toMatchObject([{ how: "completed" }]);
  });

  test.each([
    [
      "session: () => { throw new Error('no line like this') },",
      resume,
      "unparseable",
      "`session` of my-agent failed at",
    ],
    ["session: () => 7,", resume, "unparseable", "it should return a string, or undefined where there is none"],
    [session, "resume: () => ({ args: 'x' }),", "crash", "`resume` of my-agent failed"],
    ["session: () => undefined,", resume, "unparseable", "the CLI did not say which session to continue"],
  ])("with %s and %s is an error that says what is wrong", async (first, second, reason, message) => {
    write(`${first}\n${second}`);
    const end = (await ask("agent:./talks.ts", "load alpha", {}, told(["load beta"]))).at(-1);
    expect(end).toMatchObject({ how: "error", error: { reason, message: expect.stringContaining(message) } });
  });

  test("needs both functions; without them it is not asked, and says why", async () => {
    write(session);
    await expect(resolve("agent:./talks.ts")).rejects.toThrow(
      "there is `session` and no `resume`: a case of several messages needs both",
    );
    expect((await resolve("agent:./my-agent.ts")).converses).toContain("has no `session` and `resume`");
  });
});

async function ask(
  spec: string,
  prompt: string,
  options: Record<string, unknown> = {},
  { kind = "trigger", next }: { kind?: "trigger" | "case"; next?: () => Promise<string | undefined> } = {},
): Promise<TrialEvent[]> {
  const cacheOff = { canary: false, sandbox: "off", ...options };
  const target = await resolveTarget(spec, { cwd: root, env, settings: { options: cacheOff } });
  const sitting = await target.open(library);
  const question = { key: prompt, kind, prompt, files: [], messages: [], library: "", limits: {} };
  const answer = await sitting.ask(question, {
    run: 1,
    signal: new AbortController().signal,
    decided: () => false,
    ...(next !== undefined && { next }),
  });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await sitting.close();
  return events;
}
