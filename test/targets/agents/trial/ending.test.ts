import { describe, expect, test } from "vitest";
import type { Exit } from "../../../../src/hosts/index.ts";
import type { TrialEvent } from "../../../../src/model/index.ts";
import { finished, seenIn } from "../../../../src/targets/agents/trial/ending.ts";
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
    expect(ended("claude", [...refusal("blocked by permission rules"), loaded, said])).toMatchObject({
      how: "completed",
    });
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

describe("a tool call and then an answer of not one word", () => {
  const called: TrialEvent[] = [
    { type: "text", turn: 1, text: "I look." },
    { type: "call", turn: 1, id: "1", tool: "read", input: {} },
    { type: "result", id: "1", ok: true, text: "a,b" },
  ];

  test.each(["claude", "codex", "copilot", "gemini", "opencode", "qwen"])(
    "is an error of %s, with words of its own",
    (cli) => {
      const { error } = ended(cli, called);
      expect(error).toMatchObject({
        reason: "unparseable",
        retryable: true,
        message: expect.stringContaining("after its last tool call was empty"),
      });
      expect(ended(cli, [...called, said])).toMatchObject({ how: "completed" });
    },
  );

  test("is one too where a sub-agent goes on speaking", () => {
    expect(ended("claude", [...called, { ...said, agent: "sub" }])).toMatchObject({ how: "error" });
  });
});

describe("a prompt that a command of the CLI took the place of", () => {
  const setup = { model: "m", prompt: "/init the charts" };
  const end = (heard: string, stopped?: Exit["stopped"]) =>
    finished(
      { adapter: adapterOf("gemini"), setup, decided: () => false },
      { ...exit, stopped },
      { end: { type: "end", how: "completed" } },
      { heard },
      seenIn([said]),
    );

  test("is an error, however the trial ended", () => {
    expect(end("You are Gemini CLI. Analyze this folder.").error).toMatchObject({
      reason: "not_asked",
      retryable: false,
    });
    expect(end("You are Gemini CLI. Analyze this folder.", "max_turns").error).toMatchObject({ reason: "not_asked" });
  });

  test("is none where the model heard it", () => {
    expect(end("<context>\n/init the charts")).toMatchObject({ how: "completed" });
  });
});

test("an answer that the session files know to be cut is an error, not a miss", () => {
  const request = { adapter: adapterOf("gemini"), setup: { model: "m" }, decided: () => false };
  const spoilt = { reason: "cut_answer" as const, message: "too long", retryable: true };
  expect(finished(request, exit, { end: { type: "end", how: "completed" } }, { spoilt }, seenIn([said]))).toMatchObject(
    { error: spoilt },
  );
});

test("a forbidden command that may have opened a skill is an error, unless a skill was used all the same", () => {
  const request = { adapter: adapterOf("claude"), setup: { model: "m" }, decided: () => false };
  const end = {
    end: { type: "end" as const, how: "completed" as const },
    keptFrom: [{ skill: undefined, words: "This command requires approval" }],
  };
  const loaded: TrialEvent = { type: "activation", skill: "alpha", turn: 2, evidence: "loaded" };
  expect(finished(request, exit, end, {}, seenIn([said])).error).toMatchObject({ reason: "denied" });
  expect(finished(request, exit, end, {}, seenIn([loaded, said])).error).toBeUndefined();
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
