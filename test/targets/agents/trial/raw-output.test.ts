import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { AgentAdapter } from "../../../../src/hosts/adapter.ts";
import { StagedSkills } from "../../../../src/hosts/reading/staged-skills.ts";
import { RawOutput } from "../../../../src/targets/agents/trial/raw-output.ts";
import { rereadTrial } from "../../../../src/targets/agents/trial/reread.ts";
import { factsIn, sessionFiles } from "../../../../src/targets/agents/trial/session-files.ts";
import { adapterOf } from "../../../hosts/adapters.ts";

const home = mkdtempSync(join(tmpdir(), "raw-test-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const session: NonNullable<AgentAdapter["session"]> = { files: ["*.jsonl"], read: () => ({}) };
const noRun = () => {
  throw new Error("nothing is to be started");
};

test("more output than is kept loses whole lines, never how the trial ended, and says that it is not whole", async () => {
  const raw = new RawOutput(200);
  raw.note("trial", { adapter: "claude", skills: [] });
  for (let line = 0; line < 50; line++) raw.line(JSON.stringify({ line }));
  raw.line("x".repeat(1000));
  raw.endOfLines();
  raw.note("exit", { code: 0 });
  raw.note("file", { path: "a", text: "b" });
  const lines = raw.toString().trimEnd().split("\n");
  const types = lines.map((line) => (JSON.parse(line) as { type?: string }).type).filter((type) => type !== undefined);
  expect(types).toEqual(["proctor.trial", "proctor.cut", "proctor.exit", "proctor.file"]);
  const kept = lines.length - types.length;
  expect(JSON.parse(lines.at(-3)!)).toEqual({ type: "proctor.cut", lines: 51 - kept });
  expect(await rereadTrial(raw.toString(), { skills: [], decided: () => false })).toEqual({
    status: "unread",
    why: "it wrote more than is kept",
  });
});

test("a session file of 100 MB is read in its first whole lines only", async () => {
  const path = join(home, "huge.jsonl");
  writeFileSync(path, `${'{"text":"grüße"}\n'.repeat(100)}{"half":"`);
  truncateSync(path, 100_000_000);
  const before = process.memoryUsage().rss;
  const [file] = await sessionFiles(session, home, { start: noRun }, 10_000_000);
  expect(file).toEqual({ path: path.replaceAll("\\", "/"), text: '{"text":"grüße"}\n'.repeat(100), cut: true });
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  rmSync(path);
});

test("all session files together are limited, and what fits is whole", async () => {
  for (const name of ["a", "b", "c"]) writeFileSync(join(home, `${name}.jsonl`), `{"in":"${name}"}\n`.repeat(100));
  const files = await sessionFiles(session, home, { start: noRun }, 1_500);
  expect(files.map(({ text, cut }) => [text.split("\n").length - 1, cut])).toEqual([
    [100, undefined],
    [36, true],
    [0, true],
  ]);
});

test("half a session file does not replace what stdout told", () => {
  const text = JSON.stringify({
    type: "response_item",
    payload: { type: "message", role: "assistant", content: [{ text: "Hello." }] },
  });
  const staged = new StagedSkills("/w", []);
  expect(factsIn([{ path: "rollout-1.jsonl", text }], adapterOf("codex"), staged).events).toHaveLength(1);
  expect(factsIn([{ path: "rollout-1.jsonl", text, cut: true }], adapterOf("codex"), staged).events).toBeUndefined();
});
