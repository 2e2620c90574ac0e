import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TrialEvent } from "../../../src/model/index.ts";
import { resolveTarget } from "../../../src/targets/index.ts";
import { writeLibrary } from "../../agents/library.ts";

const root = mkdtempSync(join(tmpdir(), "codex-stopped-"));
const library = await writeLibrary(root);
const body = library.skills.find(({ name }) => name === "alpha")!.body;

/** Codex, as it is when it is ended early: stdout has what a command printed, its rollout file has the command alone. */
const cli = `#!${process.execPath}
const fs = require("node:fs");
if (process.argv[2] === "--version") { console.log("codex-cli 0.166.0"); process.exit(0); }
const dir = process.env.CODEX_HOME + "/sessions/2026";
fs.mkdirSync(dir, { recursive: true });
const command = "for f in $(ls -d .agents/skills/al*); do cat $f/SKILL.md; done";
const payload = { type: "function_call", name: "exec_command", call_id: "c1", arguments: JSON.stringify({ cmd: command }) };
fs.appendFileSync(dir + "/rollout-1.jsonl", JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload }) + "\\n");
const item = { id: "item_1", type: "command_execution", command, exit_code: 0, aggregated_output: "name: alpha\\n" + ${JSON.stringify(body)} };
fs.writeSync(1, JSON.stringify({ type: "item.completed", item }) + "\\n");
setInterval(() => {}, 1000);
`;

beforeAll(() => {
  writeFileSync(join(root, "codex"), cli);
  chmodSync(join(root, "codex"), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a trial that was stopped because a skill fired says that it fired", async () => {
  const target = await resolveTarget("codex:m", {
    cwd: root,
    env: { PATH: process.env["PATH"], PROCTOR_CODEX_PATH: join(root, "codex"), CODEX_API_KEY: "dummy-key" },
    settings: { options: { canary: false, sandbox: "off" } },
  });
  const sitting = await target.open(library);
  const ask = { key: "1", kind: "trigger" as const, prompt: "Go.", files: [], messages: [], library: "", limits: {} };
  const answer = await sitting.ask(ask, {
    run: 1,
    signal: new AbortController().signal,
    decided: (all) => all.length > 0,
  });
  const events: TrialEvent[] = [];
  for await (const event of answer.events) events.push(event);
  await sitting.close();
  expect(events.filter(({ type }) => type === "activation")).toMatchObject([
    { skill: "alpha", turn: 1, evidence: "read" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "end", how: "stopped" });
});
