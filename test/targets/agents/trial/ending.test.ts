import { describe, expect, test } from "vitest";
import type { Exit } from "../../../../src/hosts/reading/index.ts";
import { finished, seenIn } from "../../../../src/targets/agents/trial/ending.ts";
import type { TrialEvent } from "../../../../src/transcripts/index.ts";
import { adapterOf } from "../../../hosts/adapters.ts";

const exit: Exit = { code: 0, signal: null, stderr: "", ms: 1_000, resources: { peakMemoryBytes: 0, cpuMs: 0 } };
const said: TrialEvent = { type: "text", turn: 2, text: "I could not use it." };

/** The hosts' own words: Gemini CLI's stand in its code, the others' were seen in trials. */
describe("a skill that the host's permissions refused", () => {
  test.each([
    ["claude", "Skill execution blocked by permission rules"],
    ["qwen", 'This "skill" invocation was denied by permission rules. Matching deny rule: "Skill(alpha)".'],
    ["opencode", "The user has specified a rule which prevents you from using this specific tool call."],
    ["opencode", "The user rejected permission to use this specific tool call."],
    ["gemini", "Tool execution denied by policy."],
    ["copilot", "Permission denied because no interactive user response was available."],
  ])("by %s makes the trial an error, not a miss", (cli, words) => {
    const end = ended(cli, [...refusal(words), said]);
    expect(end).toMatchObject({ how: "error", error: { reason: "denied", retryable: false } });
    expect(end.error!.message).toContain("kept the model from alpha");
  });

  test("and loaded later is a load", () => {
    const loaded: TrialEvent = { type: "activation", skill: "alpha", turn: 2, evidence: "loaded" };
    expect(ended("claude", [...refusal("blocked by permission rules"), loaded, said])).toMatchObject({ how: "completed" });
  });

  test.each([
    "Unknown skill: alpha",
    "Skill alpha cannot be used with Skill tool due to disable-model-invocation",
    "No such file or directory",
  ])("is something else than: %s", (words) => {
    expect(ended("claude", [...refusal(words), said])).toMatchObject({ how: "completed" });
  });
});

describe("an answer of not one word and not one call", () => {
  test("is an error, not a miss", () => {
    expect(ended("copilot", [])).toMatchObject({ how: "error", error: { reason: "unparseable" } });
    expect(ended("copilot", [{ type: "text", turn: 1, text: " \n" }])).toMatchObject({ how: "error" });
  });

  test("is none where the agent need not tell what the model says", () => {
    const own = { ...adapterOf("copilot"), silent: true };
    expect(
      finished(
        { adapter: own, setup: { model: "m" }, decided: () => false },
        exit,
        { end: { type: "end", how: "completed" } },
        {},
        seenIn([]),
      ),
    ).toMatchObject({
      how: "completed",
    });
  });
});

test("the reason that a CLI wrote down counts where it names none itself", () => {
  const crash = { reason: "crash" as const, message: "ended without a result", retryable: true };
  const written = { reason: "overloaded" as const, message: "the provider is overloaded", retryable: true };
  const request = { adapter: adapterOf("qwen"), setup: { model: "m" }, decided: () => false };
  const end = finished(
    request,
    { ...exit, stopped: "failing" },
    { end: { type: "end", how: "error", error: crash } },
    { error: written },
    seenIn([]),
  );
  expect(end).toMatchObject({ how: "error", error: written });
});

function refusal(words: string): TrialEvent[] {
  return [
    { type: "call", turn: 1, id: "1", tool: "skill", input: { skill: "alpha" } },
    { type: "result", id: "1", ok: false, text: words },
    { type: "activation", skill: "alpha", turn: 1, evidence: "refused" },
  ];
}

function ended(cli: string, events: TrialEvent[]) {
  const request = { adapter: adapterOf(cli), setup: { model: "m" }, decided: () => false };
  return finished(request, exit, { end: { type: "end", how: "completed" } }, {}, seenIn(events));
}
