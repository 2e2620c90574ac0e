import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecord } from "../../src/exam/record/index.ts";
import type { Ask, Library, TrialLine } from "../../src/model/index.ts";
import { type Activation, foldEvents, type Transcript } from "../../src/model/index.ts";
import { resolveTarget } from "../../src/targets/index.ts";
import { footer, header, transcript, trial } from "../record/sample-lines.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "proctor-replay-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const library = { root: "/", name: "l", skills: [], fingerprint: "f", problems: [] } satisfies Library;
const ask: Ask = { key: "k1", kind: "trigger", prompt: "q", files: [], messages: [], library: "f", limits: {} };

async function record(
  trials: { line: TrialLine; transcript?: Transcript }[],
  targets = header.targets,
): Promise<string> {
  const writer = await createRecord(root, { ...header, targets }, { mask: (text) => text });
  for (const { line, transcript } of trials) await writer.trial(line, transcript ? { transcript } : {});
  await writer.close(footer);
  return writer.run;
}

async function replay(
  name: string,
  run: number,
  decided: (activations: readonly Activation[]) => boolean = () => false,
) {
  const target = await resolveTarget(`replay:${name}`, { cwd: root, env: {} });
  const sitting = await target.open(library);
  const answer = await sitting.ask(ask, { run, signal: new AbortController().signal, decided });
  return foldEvents(answer.events);
}

test("a stored trial is answered again, by ask and run", async () => {
  const told = transcript("Done.");
  told.calls.push({ turn: 1, id: "c", tool: "Skill", input: { skill: "a" }, ok: true, result: "ok" });
  const run = await record([
    { line: trial(1), transcript: told },
    { line: trial(2, { activations: [], how: "max_turns", costUsd: 3, listing: [{ skill: "a", shown: "cut" }] }) },
  ]);
  expect(await replay(run, 1)).toEqual({ ...told, costUsd: 0 });
  expect(await replay(run, 2)).toMatchObject({
    activations: [],
    how: "max_turns",
    costUsd: 0,
    listing: [{ skill: "a", shown: "cut" }],
  });
});

test("a stored error stays an error, and what was never asked is one too", async () => {
  const error = { reason: "rate_limit" as const, message: "slow down", retryable: true };
  const run = await record([{ line: trial(1, { how: "error", error, activations: [], checks: [] }) }]);
  expect((await replay(run, 1)).outcome).toEqual({ status: "error", error: { ...error, retryable: false } });
  expect((await replay(run, 2)).outcome).toMatchObject({
    status: "error",
    error: { message: expect.stringContaining("no answer") },
  });
});

test("where a trial was asked again, its last answer counts", async () => {
  const run = await record([{ line: trial(1, { activations: [] }) }, { line: trial(1) }]);
  expect((await replay(run, 1)).activations).toHaveLength(1);
});

test("a replayed trial stops when it is decided", async () => {
  const activations = ["a", "b"].map((skill) => ({ skill, turn: 1, evidence: "loaded" as const }));
  const run = await record([{ line: trial(1, { activations }) }]);
  expect(await replay(run, 1, () => true)).toMatchObject({ how: "stopped", activations: [{ skill: "a" }] });
});

test("a trial that was stopped early answers only questions it still decides", async () => {
  const run = await record([{ line: trial(1, { how: "stopped" }) }]);
  expect(await replay(run, 1, () => true)).toMatchObject({ how: "stopped", outcome: { status: "activations" } });
  expect((await replay(run, 1, () => false)).outcome).toMatchObject({
    status: "error",
    error: { message: expect.stringContaining("stopped early") },
  });
});

test("a run with several targets needs to be told which", async () => {
  const second = {
    ...header.targets[0]!,
    id: "claude:haiku",
    identity: { provider: "anthropic", model: "haiku", options: {}, deterministic: false },
  };
  const run = await record([{ line: trial(1, { target: "claude:haiku" }) }], [...header.targets, second]);
  await expect(replay(run, 1)).rejects.toThrow(/several targets/);
  await expect(replay(`${run}@codex`, 1)).rejects.toThrow(/no target `codex`/);
  expect((await replay(`${run}@claude:haiku`, 1)).activations).toHaveLength(1);
  const target = await resolveTarget(`replay:${run}@claude:haiku`, { cwd: root, env: {} });
  expect(await target.identify()).toMatchObject({ provider: "anthropic", model: "haiku", options: { replay: run } });
});

test("a run that is not there is refused", async () => {
  await expect(replay("2020-01-01-a", 1)).rejects.toThrow(/no run/);
});
