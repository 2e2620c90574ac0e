import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentHosts } from "../../../src/hosts/index.ts";
import { foldEvents } from "../../../src/model/index.ts";
import { rereadTrial } from "../../../src/targets/agents/index.ts";
import { resolveTarget } from "../../../src/targets/index.ts";
import { writeLibrary } from "../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "follow-ups-"));
const library = await writeLibrary(root);

const common = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("1.0.102"); process.exit(0); }
const say = (event) => fs.writeSync(1, JSON.stringify(event) + "\\n");
const prompt = fs.readFileSync(0, "utf8").trim();
const write = (file, ...lines) => {
  fs.mkdirSync(require("node:path").dirname(file), { recursive: true });
  fs.appendFileSync(file, lines.map((line) => JSON.stringify(line) + "\\n").join(""));
};
`;

/** Copilot, as far as sessions go: one file, to which every message adds what its requests used. */
const copilot = `${common}
const resumed = process.argv.find((word) => word.startsWith("--resume="));
const id = resumed ? resumed.slice("--resume=".length) : "session-1";
write(process.env.COPILOT_HOME + "/session-state/" + id + "/events.jsonl",
  { type: "user.message", data: { content: prompt } },
  { type: "session.usage_record", data: { usage: { inputTokens: 100, outputTokens: 1 } } });
say({ type: "assistant.turn_start", data: {} });
say({ type: "assistant.message", data: { content: (resumed ? "again: " : "first: ") + prompt } });
say({ type: "result", sessionId: id, exitCode: 0 });
`;

/** Codex: its file is the account of the whole session, and so are the tokens on stdout. Each message takes two turns. */
const codex = `${common}
const resumed = process.argv.includes("resume");
const file = process.env.CODEX_HOME + "/sessions/2026/rollout-1.jsonl";
const item = (payload) => ({ timestamp: new Date().toISOString(), type: "response_item", payload });
say({ type: "thread.started", thread_id: "t1" });
write(file,
  item({ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }),
  item({ type: "function_call", name: "exec_command", call_id: prompt, arguments: JSON.stringify({ cmd: "true" }) }),
  item({ type: "function_call_output", call_id: prompt, output: "Process exited with code 0" }),
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text: (resumed ? "again: " : "first: ") + prompt }] }));
const messages = fs.readFileSync(file, "utf8").split('"role":"user"').length - 1;
say({ type: "turn.completed", usage: { input_tokens: 100 * messages, output_tokens: messages } });
`;

beforeAll(() => {
  for (const [name, script] of Object.entries({ copilot, codex })) {
    writeFileSync(join(root, name), script);
    chmodSync(join(root, name), 0o755);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function converse(id: "copilot" | "codex", messages: string[], maxTurns?: number) {
  const target = await resolveTarget(`${id}:m`, {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      [`PROCTOR_${id.toUpperCase()}_PATH`]: join(root, id),
      CODEX_API_KEY: "dummy-key",
      COPILOT_GITHUB_TOKEN: "dummy-key",
    },
    settings: { options: { canary: false, sandbox: "off" } },
  });
  const sitting = await target.open(library);
  const [prompt = "", ...more] = messages;
  const ask = {
    key: prompt,
    kind: "case" as const,
    prompt,
    files: [],
    messages: [],
    library: "",
    limits: { maxTurns },
  };
  const answer = await sitting.ask(ask, {
    run: 1,
    signal: new AbortController().signal,
    decided: () => false,
    next: async (_said, answers) => more[answers - 1],
  });
  const transcript = await foldEvents(answer.events);
  const raw = answer.raw?.() ?? "";
  await answer.dispose();
  await sitting.close();
  return { transcript, raw };
}

describe.skipIf(process.platform === "win32").each(["copilot", "codex"] as const)("follow-ups on %s", (id) => {
  test("go on with the session; what each message used counts once; and its raw output tells the same again", async () => {
    const { transcript, raw } = await converse(id, ["one", "two", "three"]);
    expect(transcript.texts.map(({ text }) => text)).toEqual(["first: one", "again: two", "again: three"]);
    expect(transcript).toMatchObject({ how: "completed", usage: { inputTokens: 300, outputTokens: 3 } });
    const again = await rereadTrial(raw, { skills: [], decided: () => false });
    if (again.status !== "read") throw new Error(again.why);
    const { texts, turns, usage } = await foldEvents(again.events);
    expect({ texts, turns, usage }).toEqual({
      texts: transcript.texts,
      turns: transcript.turns,
      usage: transcript.usage,
    });
  });
});

test.skipIf(process.platform === "win32")(
  "the turn limit is the conversation's: what was told before does not count again",
  async () => {
    const enough = await converse("codex", ["one", "two"], 4);
    expect(enough.transcript).toMatchObject({ how: "completed", turns: 4, finalText: "again: two" });
    const tooFew = await converse("codex", ["one", "two"], 3);
    expect(tooFew.transcript).toMatchObject({ how: "max_turns", turns: 3, finalText: "first: one" });
  },
);

test("every CLI can be told more", async () => {
  const adapters = await Promise.all(agentHosts.map(async ({ agent }) => [agent.id, await agent.load()] as const));
  expect(adapters.filter(([, { conversation }]) => conversation === undefined).map(([id]) => id)).toEqual([]);
});
