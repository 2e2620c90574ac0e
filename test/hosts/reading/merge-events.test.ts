import { describe, expect, test } from "vitest";
import { eventsInOrder } from "../../../src/hosts/reading/merge-events.ts";
import { type StagedSkill, StagedSkills } from "../../../src/hosts/reading/staged-skills.ts";
import type { TrialEvent } from "../../../src/model/index.ts";
import { adapterOf } from "../adapters.ts";

const call = (id: string, turn: number, prompt?: string): TrialEvent => ({
  type: "call",
  turn,
  id,
  tool: "agent",
  input: { prompt },
});
const result = (id: string): TrialEvent => ({ type: "result", id, ok: true });
const loaded = (skill: string, turn: number, agent?: string): TrialEvent => ({
  type: "activation",
  skill,
  turn,
  evidence: "loaded",
  ...(agent !== undefined && { agent }),
});
const staged = new StagedSkills("/ws", ["alpha", "beta"].map(skill));
const told = [
  call("1", 1),
  result("1"),
  call("2", 2, "the part"),
  result("2"),
  call("3", 3),
  result("3"),
  loaded("beta", 3),
];

describe("what a sub-agent did", () => {
  test.each([{ call: "2" }, { task: "the part" }])(
    "stands before the result of the call that started it, on its turn: %j",
    (by) => {
      const all = eventsInOrder(told, { agents: [{ ...by, events: [loaded("alpha", 1, "sub")] }] });
      expect(said(all)).toEqual(["alpha 2 sub", "beta 3"]);
      expect(all[3]).toMatchObject({ skill: "alpha" });
    },
  );

  test("comes last, and is no first move, where nothing tells what started it", () => {
    expect(said(eventsInOrder(told, { agents: [{ call: "9", events: [loaded("alpha", 1, "sub")] }] }))).toEqual([
      "beta 3",
      "alpha 3 sub",
    ]);
  });

  test("is told of each of two with the same task", () => {
    const twice = [call("1", 1, "it"), result("1"), call("2", 2, "it"), result("2")];
    const agents = ["a", "b"].map((agent) => ({ task: "it", events: [loaded("alpha", 1, agent)] }));
    expect(said(eventsInOrder(twice, { agents }))).toEqual(["alpha 1 sub", "alpha 2 sub"]);
  });

  test("comes after all that was told, when its call has no result", () => {
    const cut = [call("2", 2), loaded("beta", 2)];
    expect(said(eventsInOrder(cut, { agents: [{ call: "2", events: [loaded("alpha", 1, "sub")] }] }))).toEqual([
      "beta 2",
      "alpha 2 sub",
    ]);
  });
});

test("a skill that the prompt was replaced by comes first", () => {
  expect(said(eventsInOrder([loaded("beta", 1)], { before: [loaded("alpha", 1)] }))).toEqual(["alpha 1", "beta 1"]);
});

test("Codex: by the times of both rollouts", () => {
  const main = rollout("main", undefined, [
    ["10", command("1", "ls")],
    ["11", output("1", "")],
    ["20", { type: "function_call", call_id: "2", name: "spawn_agent", arguments: "{}" }],
    ["21", output("2", "{}")],
    ["30", command("3", "cat .agents/skills/beta/SKILL.md")],
    ["31", output("3", body("beta"))],
  ]);
  const sub = rollout("sub", "main", [
    ["22", command("4", "ls")],
    ["23", output("4", "")],
    ["24", command("5", "cat .agents/skills/alpha/SKILL.md")],
    ["25", output("5", body("alpha"))],
  ]);
  const nested = rollout("nested", "sub", [
    ["35", command("6", "cat .agents/skills/alpha/SKILL.md")],
    ["36", output("6", body("alpha"))],
  ]);
  const { events } = adapterOf("codex").session!.read([sub, nested, main], staged);
  expect(said(events!)).toEqual(["alpha 2 sub", "beta 3", "alpha 2 sub"]);
});

test("Claude Code: a sub-agent in the background stays on the turn of its call", () => {
  const reader = adapterOf("claude").reader(staged);
  const events = [
    claude("m1", "1", "Task", {}),
    claudeResult("1"),
    claude("m2", "2", "Skill", { skill: "beta" }),
    claudeResult("2"),
    claude("s1", "3", "Skill", { skill: "alpha" }, "1"),
    claudeResult("3", "1"),
  ].flatMap((event) => reader.read(event));
  expect(said(events)).toEqual(["beta 2", "alpha 1 sub"]);
});

test("Copilot CLI: a sub-agent in the background stays on the turn of its call", () => {
  const reader = adapterOf("copilot").reader(staged);
  const load = (id: string, skill: string, more = {}) => [
    {
      type: "tool.execution_start",
      data: { toolCallId: id, toolName: "skill", arguments: { skill }, ...more },
      agentId: "parentToolCallId" in more ? "sub" : "",
    },
    { type: "tool.execution_complete", data: { toolCallId: id, success: true } },
  ];
  const events = [
    { type: "assistant.turn_start" },
    { type: "tool.execution_start", data: { toolCallId: "1", toolName: "task", arguments: {} } },
    { type: "tool.execution_complete", data: { toolCallId: "1", success: true } },
    { type: "assistant.turn_start" },
    ...load("2", "beta"),
    ...load("3", "alpha", { parentToolCallId: "1" }),
  ].flatMap((event) => reader.read(event));
  expect(said(events)).toEqual(["beta 2", "alpha 1 sub"]);
});

test("Gemini CLI: by the task it was given", () => {
  const lines = [
    { sessionId: "s", startTime: "2026-01-01T00:00:00Z", kind: "subagent" },
    { type: "user", content: [{ text: "the part" }] },
    {
      type: "gemini",
      toolCalls: [{ id: "s#0", name: "activate_skill", args: { name: "alpha" }, status: "success", result: [] }],
    },
  ];
  const { agents } = adapterOf("gemini").session!.read([file("chats/x/s.jsonl", lines)], staged);
  expect(said(eventsInOrder(told, { agents: agents! }))).toEqual(["alpha 2 sub", "beta 3"]);
});

test("Qwen Code: by the call in its id", () => {
  const lines = [
    {
      type: "user",
      agentId: "general-purpose-2",
      agentName: "general-purpose",
      message: { parts: [{ text: "with more words" }] },
    },
    { type: "assistant", message: { parts: [{ functionCall: { id: "x", name: "skill", args: { skill: "alpha" } } }] } },
    {
      type: "tool_result",
      message: { parts: [{ functionResponse: { id: "x", name: "skill", response: { output: "What alpha does." } } }] },
    },
  ];
  const { agents } = adapterOf("qwen").session!.read(
    [file("subagents/x/agent-general-purpose-2.jsonl", lines)],
    staged,
  );
  expect(said(eventsInOrder(told, { agents: agents! }))).toEqual(["alpha 2 sub", "beta 3"]);
});

test("OpenCode: by the task it was given, once, however often it was called", () => {
  const part = {
    type: "tool",
    tool: "skill",
    callID: "x",
    state: { status: "completed", input: { name: "alpha" }, output: "" },
  };
  const exported = {
    messages: [
      { info: { role: "user" }, parts: [{ type: "text", text: "the part" }] },
      { info: { role: "assistant" }, parts: [part] },
    ],
  };
  const files = [file("export ses_1", [exported]), file("export ses_1", [exported])];
  const { agents } = adapterOf("opencode").session!.read(files, staged);
  expect(said(eventsInOrder(told, { agents: agents! }))).toEqual(["alpha 2 sub", "beta 3"]);
});

function said(events: TrialEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "activation" ? [`${event.skill} ${event.turn}${event.agent === undefined ? "" : " sub"}`] : [],
  );
}

function file(path: string, lines: unknown[]) {
  return { path, text: lines.map((line) => JSON.stringify(line)).join("\n") };
}

function rollout(id: string, parent: string | undefined, items: [at: string, payload: object][]) {
  const first = {
    timestamp: items[0]![0],
    type: "session_meta",
    payload: { id, ...(parent !== undefined && { parent_thread_id: parent }) },
  };
  return file(`rollout-${id}.jsonl`, [
    first,
    ...items.map(([timestamp, payload]) => ({ timestamp, type: "response_item", payload })),
  ]);
}

function command(id: string, cmd: string) {
  return { type: "function_call", call_id: id, name: "exec_command", arguments: JSON.stringify({ cmd }) };
}

function output(id: string, words: string) {
  return { type: "function_call_output", call_id: id, output: words };
}

function claude(message: string, id: string, name: string, input: object, parent?: string) {
  return {
    type: "assistant",
    parent_tool_use_id: parent ?? null,
    message: { id: message, content: [{ type: "tool_use", id, name, input }] },
  };
}

function claudeResult(id: string, parent?: string) {
  return {
    type: "user",
    parent_tool_use_id: parent ?? null,
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "" }] },
  };
}

function body(name: string): string {
  return `# ${name}\n\nThe body of ${name} is so long that nobody takes it for another's.\nAnd ${name} has one more line.\n`;
}

function skill(name: string): StagedSkill {
  const dir = `/ws/.agents/skills/${name}`;
  return {
    id: name,
    folder: name,
    name,
    dir,
    file: `${dir}/SKILL.md`,
    description: `What ${name} does.`,
    body: body(name),
  };
}
