import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentAdapter, SessionFacts } from "../../src/hosts/adapter.ts";
import type { Exit } from "../../src/hosts/index.ts";
import { jsonLines } from "../../src/hosts/reading/json.ts";
import { type StagedSkill, StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import type { TrialEvent } from "../../src/model/index.ts";
import { adapterOf } from "./adapters.ts";

const exited: Exit = { code: 0, signal: null, stderr: "", ms: 1 };
const ALPHA = "Draws alpha charts from CSV files. Use when the user asks for an alpha chart.";
const BETA = "Formats beta invoices as PDF. Use when the user mentions invoices.";

/** Recorded from the real CLIs, against scripted models, in a workspace called /ws. */
describe.each([
  { cli: "claude", file: "skill-invoked", says: ["alpha loaded 1"], how: "completed" },
  { cli: "claude", file: "read-skillmd", says: ["alpha read 1"], how: "completed" },
  { cli: "claude", file: "bash-cat-skillmd", says: ["alpha read 1"], how: "completed" },
  { cli: "claude", file: "no-skill", says: [], how: "completed" },
  { cli: "claude", file: "skill-hook-stop", says: ["alpha loaded 1"], how: "stopped" },
  { cli: "claude", file: "skill-max-turns-1", says: ["alpha loaded 1"], how: "max_turns" },
  { cli: "claude", file: "error", says: [], how: "auth" },
  { cli: "claude", file: "error-overloaded", says: [], how: "overloaded" },
  { cli: "codex", file: "skill-read-gpt-6.1-sol", says: ["alpha read 1"], how: "completed" },
  { cli: "codex", file: "skill-read-gpt-5.5", says: ["alpha read 1"], how: "completed" },
  { cli: "codex", file: "skill-read-workdir", says: ["alpha read 1"], how: "completed" },
  { cli: "codex", file: "skill-killed", says: ["alpha called 1"], how: "crash" },
  { cli: "codex", file: "no-skill", says: [], how: "completed" },
  { cli: "codex", file: "error", says: [], how: "auth" },
  { cli: "codex", file: "timeout", says: [], how: "crash" },
  { cli: "copilot", file: "skill", says: ["pdf-github-skills loaded 1"], how: "completed" },
  {
    cli: "copilot",
    file: "misc",
    says: ["pdf-agents-skills loaded 1", "pdf-claude-skills read 1", "pdf-github-skills read 1"],
    how: "completed",
  },
  { cli: "copilot", file: "error-400", says: [], how: "api" },
  { cli: "copilot", file: "rate-limit", says: [], how: "rate_limit" },
  { cli: "copilot", file: "filtered", says: [], how: "filtered" },
  { cli: "gemini", file: "skill-and-read", says: ["pdf-gemini-skills loaded 1"], how: "completed" },
  { cli: "gemini", file: "misc", says: ["pdf-agents-skills read 1", "pdf-gemini-skills read 1"], how: "completed" },
  { cli: "gemini", file: "error-400", says: [], how: "api" },
  { cli: "gemini", file: "filtered", says: [], how: "filtered" },
  { cli: "opencode", file: "retries", says: [], how: "cut_stream" },
  { cli: "opencode", file: "garbage", says: [], how: "unparseable" },
  { cli: "opencode", file: "skill", says: ["pdf-claude-skills loaded 1"], how: "completed" },
  {
    cli: "opencode",
    file: "misc",
    says: ["pdf-agents-skills loaded 1", "pdf-agents-skills read 1", "pdf-claude-skills read 1"],
    how: "denied",
  },
  { cli: "opencode", file: "error-400", says: [], how: "api" },
  { cli: "qwen", file: "skill", says: ["pdf-qwen-skills loaded 1"], how: "completed" },
])("$cli: $file", ({ cli, file, says, how }) => {
  test("is read as what happened", () => {
    const events = replay(adapterOf(cli), fixture(cli, `${file}.jsonl`));
    const end = events.at(-1)!;
    expect(events.flatMap(spoken)).toEqual(says);
    expect(end.type === "end" && (end.error?.reason ?? end.how)).toBe(how);
  });

  test("is an error and no miss when the stream stops before its end", () => {
    const lines = fixture(cli, `${file}.jsonl`).trim().split("\n");
    const end = replay(adapterOf(cli), lines.slice(0, 1).join("\n"), { ...exited, code: 1 }).at(-1)!;
    expect(end).toMatchObject({ type: "end", how: "error" });
  });
});

describe("codex: the rollout", () => {
  test.each([
    ["skill-read-gpt-6.1-sol", ["alpha read 1"]],
    ["skill-read-gpt-5.5", ["alpha read 1"]],
    ["skill-read-workdir", ["alpha read 1"]],
    ["skill-read-sandbox-denied", ["alpha read 1"]],
    ["skill-killed", ["alpha read 1"]],
    ["no-skill", []],
  ])("of %s tells what stdout may not", (file, says) => {
    expect(rollout(file).events?.flatMap(spoken)).toEqual(says);
  });

  test("has the listing the model was shown", () => {
    expect(rollout("no-skill").listing).toEqual(
      expect.arrayContaining([
        { skill: "alpha", shown: "whole" },
        { skill: "beta", shown: "whole" },
      ]),
    );
  });
});

test("usage and cost are the CLI's own", () => {
  const end = replay(adapterOf("claude"), fixture("claude", "skill-invoked.jsonl")).at(-1);
  expect(end).toMatchObject({
    usage: { inputTokens: 2000, outputTokens: 45 },
    costUsd: 0.008900000000000002,
    model: "claude-opus-5-5",
  });
});

test("a killed copilot that reports success is still one that we ended", () => {
  const end = replay(adapterOf("copilot"), fixture("copilot", "skill.jsonl"), { ...exited, stopped: "timeout" }).at(-1);
  expect(end).toMatchObject({ how: "error" });
});

test.each([
  ["opencode", "retries"],
  ["opencode", "garbage"],
  ["copilot", "rate-limit"],
])("%s: what it still tries after two failures in a row is not awaited (%s)", (cli, file) => {
  const reader = adapterOf(cli).reader(staged(adapterOf(cli)));
  const failed = jsonLines(fixture(cli, `${file}.jsonl`)).map((line) => {
    reader.read(line);
    return reader.enough!();
  });
  expect(failed.filter(Boolean).length).toBeGreaterThan(0);
  expect(failed.indexOf(true)).toBeGreaterThan(0);
});

describe("codex: what it still tries is not awaited", () => {
  const broken = { type: "error", message: "stream disconnected before completion: Transport error" };
  const limited = {
    type: "error",
    message: "Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)",
  };
  const offline = { type: "error", message: "Reconnecting... waiting for network" };
  const speaks = { type: "item.completed", item: { id: "1", type: "agent_message", text: "Hello" } };

  test.each([
    ["once the provider has limited the rate", [limited], true],
    ["once it waits for the network", [offline], true],
    ["after three failures in a row", [broken, broken, broken], true],
    ["but for two it is", [broken, broken], false],
    ["but for failures with an answer between them it is", [broken, broken, speaks, broken, broken], false],
  ])("%s", (_when, lines, enough) => {
    const codex = adapterOf("codex");
    const reader = codex.reader(staged(codex));
    for (const line of lines) reader.read(line);
    expect(reader.enough!()).toBe(enough);
  });
});

function spoken(event: TrialEvent): string[] {
  return event.type === "activation" && event.evidence !== "refused"
    ? [`${event.skill} ${event.evidence} ${event.turn}`]
    : [];
}

function replay(adapter: AgentAdapter, text: string, exit: Exit = exited): TrialEvent[] {
  const reader = adapter.reader(staged(adapter));
  const events = jsonLines(text).flatMap((line) => reader.read(line));
  const { events: last, end } = reader.end(exit);
  return [...events, ...last, end];
}

function rollout(file: string): SessionFacts {
  const codex = adapterOf("codex");
  const text = fixture("codex", `${file}.rollout.jsonl`);
  return codex.session!.read([{ path: "rollout.jsonl", text }], staged(codex));
}

function staged(adapter: AgentAdapter): StagedSkills {
  const own = adapter.id === "claude" || adapter.id === "codex";
  const places = own
    ? { alpha: adapter.skillsDir, beta: adapter.skillsDir }
    : {
        "pdf-agents-skills": ".agents/skills",
        "pdf-claude-skills": ".claude/skills",
        "pdf-github-skills": ".github/skills",
        "pdf-gemini-skills": ".gemini/skills",
        "pdf-qwen-skills": ".qwen/skills",
      };
  return new StagedSkills(
    "/ws",
    Object.entries(places).map(([name, dir]) => skill(name, `/ws/${dir}/${name}`)),
  );
}

function skill(name: string, dir: string): StagedSkill {
  const description = name === "alpha" ? ALPHA : BETA;
  return {
    id: name,
    folder: name,
    name,
    dir,
    file: `${dir}/SKILL.md`,
    description,
    body: `# ${name}\n\nBODY-OF-${name}\n`,
  };
}

function fixture(cli: string, file: string): string {
  return readFileSync(join(import.meta.dirname, "fixtures", cli, file), "utf8");
}
