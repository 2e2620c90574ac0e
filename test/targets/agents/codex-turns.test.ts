import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TrialEvent } from "../../../src/model/index.ts";
import { resolveTarget } from "../../../src/targets/index.ts";
import { writeLibrary } from "../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "codex-turns-"));
const library = await writeLibrary(root);

/**
 * Codex, as far as turns go: it tells every command on stdout as if it were a turn of its own, and in its rollout file which of them the
 * model gave together. The prompt says how many commands to a turn, and in how many turns; the skill is read on the last.
 */
const cli = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("codex-cli 0.166.0"); process.exit(0); }
const [, commands, turns] = /(\\d+) commands in each of (\\d+) turns/.exec(process.argv.join(" ") + fs.readFileSync(0, "utf8")).map(Number);
const dir = process.env.CODEX_HOME + "/sessions/2026";
fs.mkdirSync(dir, { recursive: true });
const write = (payload) => fs.appendFileSync(dir + "/rollout-1.jsonl", JSON.stringify({ timestamp: new Date().toISOString(), type: "response_item", payload }) + "\\n");
const say = (event) => fs.writeSync(1, JSON.stringify(event) + "\\n");
for (let turn = 1; turn <= turns; turn++) {
  const ids = Array.from({ length: commands }, (_, index) => "c" + turn + "-" + index);
  const command = turn === turns ? "cat .agents/skills/alpha/SKILL.md" : "true";
  for (const call_id of ids) write({ type: "function_call", name: "exec_command", call_id, arguments: JSON.stringify({ cmd: command }) });
  for (const call_id of ids) {
    write({ type: "function_call_output", call_id, output: "Process exited with code 0\\nname: alpha" });
    say({ type: "item.completed", item: { id: call_id, type: "command_execution", command, exit_code: 0, aggregated_output: "name: alpha" } });
  }
}
write({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] });
say({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } });
`;

beforeAll(() => {
  writeFileSync(join(root, "codex"), cli);
  chmodSync(join(root, "codex"), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("commands that the model gave together are one turn, however many stdout makes of them", async () => {
  const { end, loaded } = await ask("2 commands in each of 3 turns", 4);
  expect(loaded).toEqual([3]);
  expect(end).toMatchObject({ how: "completed" });
});

test("steps have the times of the rollout file", async () => {
  const before = Date.now();
  const { events } = await ask("1 commands in each of 2 turns", 4);
  const times = events.flatMap((event) =>
    event.type === "call" || event.type === "result" || event.type === "text" ? [event.at] : [],
  );
  expect(times).toHaveLength(5);
  for (const at of times) {
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  }
});

test("what is read after the last turn does not count", async () => {
  const { end, loaded } = await ask("1 commands in each of 4 turns", 3);
  expect(loaded).toEqual([]);
  expect(end).toMatchObject({ how: "max_turns" });
});

async function ask(prompt: string, maxTurns: number) {
  const target = await resolveTarget("codex:m", {
    cwd: root,
    env: { PATH: process.env["PATH"], PROCTOR_CODEX_PATH: join(root, "codex"), CODEX_API_KEY: "dummy-key" },
    settings: { options: { canary: false, sandbox: "off", max_turns: maxTurns } },
  });
  const sitting = await target.open(library);
  const question = { key: prompt, kind: "trigger" as const, prompt, files: [], messages: [], library: "", limits: {} };
  const answer = await sitting.ask(question, { run: 1, signal: new AbortController().signal, decided: () => false });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await answer.dispose();
  await sitting.close();
  const loads = events.filter(
    (event) => event.type === "activation" && event.skill === "alpha" && event.evidence !== "mentioned",
  );
  return {
    events,
    end: events.at(-1),
    loaded: [...new Set(loads.map((event) => event.type === "activation" && event.turn))],
  };
}
