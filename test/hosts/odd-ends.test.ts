import { describe, expect, test } from "vitest";
import type { Exit } from "../../src/hosts/index.ts";
import { StagedSkills } from "../../src/hosts/reading/staged-skills.ts";
import { adapterOf } from "./adapters.ts";

const exited: Exit = { code: 1, signal: null, stderr: "", ms: 1 };

/** Seen with Gemini CLI 0.51.0. */
test.each([
  ["rate_limit", 'Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429}}\n'],
  [
    "cut_stream",
    "Error when talking to Gemini API Full report available at: /ws/tmp/gemini-client-error.json TypeError: terminated\n    at x\n",
  ],
  ["unknown", "Ripgrep is not available. Falling back to GrepTool.\n"],
])("an unknown error of Gemini CLI is %s when stderr says so", (reason, stderr) => {
  const reader = readerOf("gemini");
  reader.read({
    type: "result",
    status: "error",
    error: { type: "unknown", message: "[API Error: An unknown error occurred.]" },
  });
  expect(reader.end({ ...exited, stderr }).end.error?.reason).toBe(reason);
});

/** Seen with Gemini CLI 0.61.0, which calls the end a success. */
test("a session that Gemini CLI ends because the model repeats itself is an answer that was cut, not an empty one", () => {
  const reader = readerOf("gemini");
  reader.read({ type: "error", severity: "warning", message: "Loop detected, stopping execution" });
  reader.read({ type: "result", status: "success", stats: {} });
  expect(reader.end({ ...exited, code: 0 }).end.error).toMatchObject({
    reason: "cut_answer",
    message: expect.stringContaining("repeating itself"),
  });
});

/** Seen with Codex 0.166.0 where no user namespace could be made. */
test.each([
  [
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n",
    "blocked",
  ],
  ["cat: nowhere.md: No such file or directory\n", undefined],
])("a Codex whose sandbox cannot start is blocked, one whose command fails is not: %s", (output, reason) => {
  const reader = readerOf("codex");
  const item = {
    id: "item_1",
    type: "command_execution",
    command: "/bin/sh -lc 'cat a.md'",
    aggregated_output: output,
    exit_code: 1,
  };
  reader.read({ type: "item.completed", item });
  reader.read({ type: "turn.completed", usage: {} });
  expect(reader.end({ ...exited, code: 0 }).end.error?.reason).toBe(reason);
});

/** `unknown`: seen with OpenCode 1.17.0 before an endpoint that answers garbage. */
test.each([
  ["unknown", "unparseable"],
  ["tool-calls", "denied"],
  ["stop", undefined],
])("an OpenCode session that ended with %s after its last step", (last, reason) => {
  const reader = readerOf("opencode");
  reader.read({ type: "step_start", part: {} });
  reader.read({ type: "step_finish", part: { reason: last, tokens: {} } });
  expect(reader.end({ ...exited, code: 0 }).end.error?.reason).toBe(reason);
});

/** Seen with Qwen Code 0.21.10. */
test.each([
  ["[API Error: 401 scripted 401]", "auth"],
  ["[API Error: terminated]", "cut_stream"],
  ["There was an API Error: 401 in your log.", undefined],
])("Qwen Code's success is an error where it says so: %s", (result, reason) => {
  const reader = readerOf("qwen");
  reader.read({
    type: "result",
    subtype: "success",
    is_error: false,
    num_turns: 1,
    result,
    usage: { input_tokens: 0 },
  });
  expect(reader.end({ ...exited, code: 0 }).end.error?.reason).toBe(reason);
});

/** Seen with Claude Code 2.1.325, whose words for it differ from command to command. */
describe("a command that Claude Code's permissions forbade", () => {
  const command = "python3 -c \"print(open('.claude/skills/alpha/SKILL.md').read())\"";
  const call = {
    type: "assistant",
    message: { id: "m", content: [{ type: "tool_use", id: "c", name: "Bash", input: { command } }] },
  };
  const result = {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "c", is_error: true, content: "No." }] },
  };
  const end = { type: "result", subtype: "success", num_turns: 2, result: "I could not.", usage: { input_tokens: 1 } };

  test.each([
    [
      "by the event",
      [call, { type: "system", subtype: "permission_denied", tool_use_id: "c", message: "No." }, result, end],
    ],
    ["by the result", [call, result, { ...end, permission_denials: [{ tool_name: "Bash", tool_use_id: "c" }] }]],
  ])("is known %s alone", (_, events) => {
    const reader = readerOf("claude");
    for (const event of events) reader.read(event);
    expect(reader.end({ ...exited, code: 0 }).keptFrom).toHaveLength(1);
  });

  test("is none where neither says so", () => {
    const reader = readerOf("claude");
    for (const event of [call, result, end]) reader.read(event);
    expect(reader.end({ ...exited, code: 0 }).keptFrom).toEqual([]);
  });
});

/** Claude Code 2.1.197 tells what a process has spent; 2.1.325 what all messages of the session have, and since when. */
test.each([
  [
    {
      modelUsage: {
        a: { inputTokens: 5, outputTokens: 1, cacheReadInputTokens: 4, costUSD: 0.1 },
        b: { inputTokens: 2, outputTokens: 1 },
      },
    },
    0.4,
  ],
  [
    {
      modelUsage: { a: { inputTokens: 99, outputTokens: 99 } },
      model_usage_since_last_result: { a: { inputTokens: 11, outputTokens: 2, costUSD: 0.3 } },
    },
    0.3,
  ],
])("what Claude Code spent is what all its models did, sub-agents' too, in this process: %o", (told, costUsd) => {
  const reader = readerOf("claude");
  reader.read({
    type: "result",
    num_turns: 1,
    result: "x",
    usage: { input_tokens: 1, output_tokens: 1 },
    total_cost_usd: 0.4,
    ...told,
  });
  const { end } = reader.end({ ...exited, code: 0 });
  expect([end.usage?.inputTokens, end.usage?.outputTokens, end.costUsd]).toEqual([11, 2, costUsd]);
});

function readerOf(id: string) {
  return adapterOf(id).reader(new StagedSkills("/ws", []));
}
