import { expect, test } from "vitest";
import type { Exit } from "../../src/hosts/reading/index.ts";
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
  reader.read({ type: "result", status: "error", error: { type: "unknown", message: "[API Error: An unknown error occurred.]" } });
  expect(reader.end({ ...exited, stderr }).end.error?.reason).toBe(reason);
});

/** Seen with Gemini CLI 0.61.0, which calls the end a success. */
test("a session that Gemini CLI ends because the model repeats itself is an answer that was cut, not an empty one", () => {
  const reader = readerOf("gemini");
  reader.read({ type: "error", severity: "warning", message: "Loop detected, stopping execution" });
  reader.read({ type: "result", status: "success", stats: {} });
  expect(reader.end({ ...exited, code: 0 }).end.error).toMatchObject({
    reason: "cut_answer",
    message: expect.stringContaining("repeated itself"),
  });
});

/** Seen with Codex 0.166.0 where no user namespace could be made. */
test.each([
  ["bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n", "blocked"],
  ["cat: nowhere.md: No such file or directory\n", undefined],
])("a Codex whose sandbox cannot start is blocked, one whose command fails is not: %s", (output, reason) => {
  const reader = readerOf("codex");
  const item = { id: "item_1", type: "command_execution", command: "/bin/sh -lc 'cat a.md'", aggregated_output: output, exit_code: 1 };
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
  reader.read({ type: "result", subtype: "success", is_error: false, num_turns: 1, result, usage: { input_tokens: 0 } });
  expect(reader.end({ ...exited, code: 0 }).end.error?.reason).toBe(reason);
});

function readerOf(id: string) {
  return adapterOf(id).reader(new StagedSkills("/ws", []));
}
