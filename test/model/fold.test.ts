import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countedActivations, firstMove, foldEvents, type TrialEvent } from "../../src/model/index.ts";
import { inPassingTime } from "../passing-time.ts";

const end: TrialEvent = { type: "end", how: "completed" };
const loaded = (skill: string, turn = 1): TrialEvent => ({ type: "activation", skill, turn, evidence: "loaded" });
const errorOf = async (...args: Parameters<typeof foldEvents>) => {
  const { outcome, how } = await foldEvents(...args);
  expect(how === "error").toBe(outcome.status === "error");
  return outcome.status === "error" ? outcome.error : undefined;
};
async function* stream(...events: unknown[]): AsyncGenerator<TrialEvent> {
  for (const event of events) yield event as TrialEvent;
}

test("events fold into what was said, called and activated, turn by turn", async () => {
  const transcript = await foldEvents(
    stream(
      { type: "text", turn: 1, text: "Let me " },
      { type: "text", turn: 1, text: "look." },
      { type: "call", turn: 1, id: "c1", tool: "Skill", input: { skill: "go-docs" } },
      { type: "result", id: "c1", ok: true, text: "Launching" },
      loaded("go-docs"),
      { type: "text", turn: 2, text: "sub", agent: "helper" },
      { type: "text", turn: 2, text: "Done." },
      { type: "text", turn: 2, text: "sub again", agent: "helper" },
      { type: "end", how: "max_turns", usage: { inputTokens: 10 }, costUsd: 0.01, model: "m" },
    ),
  );
  expect(transcript).toEqual({
    outcome: { status: "activations", activations: [{ skill: "go-docs", turn: 1, evidence: "loaded" }] },
    activations: [{ skill: "go-docs", turn: 1, evidence: "loaded" }],
    calls: [{ turn: 1, id: "c1", tool: "Skill", input: { skill: "go-docs" }, ok: true, result: "Launching" }],
    texts: [
      { turn: 1, text: "Let me look." },
      { turn: 2, text: "sub", agent: "helper" },
      { turn: 2, text: "Done." },
      { turn: 2, text: "sub again", agent: "helper" },
    ],
    finalText: "Done.",
    turns: 2,
    how: "max_turns",
    usage: { inputTokens: 10 },
    costUsd: 0.01,
    model: "m",
  });
});

describe("what goes wrong is an error, and never 'no activation'", () => {
  test.each<[string, unknown[], string, RegExp]>([
    ["a stream without an end", [loaded("a")], "cut_stream", /without an end/],
    ["an empty stream", [], "cut_stream", /without an end/],
    ["half a line", ['{"type":"activ', end], "unparseable", /not an event/],
    ["text that is no Unicode", [{ type: "text", turn: 1, text: "caf\udce9" }, end], "unparseable", /Unicode/],
    ["an unknown event", [{ type: "party" }, end], "unparseable", /unknown type \(party\)/],
    [
      "an activation nobody can vouch for",
      [{ type: "activation", skill: "a", turn: 1, evidence: "sworn" }, end],
      "unparseable",
      /sworn/,
    ],
    [
      "an activation before the first turn",
      [{ type: "activation", skill: "a", turn: 0, evidence: "loaded" }, end],
      "unparseable",
      /turn/,
    ],
    ["a stream that goes on after its end", [end, loaded("a")], "unparseable", /after its end/],
    [
      "an end with an error",
      [{ type: "end", how: "error", error: { reason: "auth", message: "x", retryable: false } }],
      "auth",
      /x/,
    ],
    [
      "an error that calls itself completed",
      [{ type: "end", how: "completed", error: { reason: "api", message: "x", retryable: true } }],
      "api",
      /x/,
    ],
    ["an error without a reason", [{ type: "end", how: "error" }], "unknown", /without a reason/],
    ["a negative cost", [{ type: "end", how: "completed", costUsd: -1 }], "unparseable", /cost/],
  ])("%s", async (_name, events, reason, message) => {
    expect(await errorOf(events as TrialEvent[])).toMatchObject({ reason, message: expect.stringMatching(message) });
    expect(await errorOf(stream(...events))).toMatchObject({ reason });
  });

  test("a target that throws has crashed", async () => {
    async function* crash(): AsyncGenerator<TrialEvent> {
      yield loaded("a");
      throw new Error("boom");
    }
    const transcript = await foldEvents(crash());
    expect(transcript.outcome).toMatchObject({ status: "error", error: { reason: "crash", retryable: true } });
    expect(transcript.activations).toHaveLength(1);
  });

  test("a skill that is not in the library cannot have been activated", async () => {
    const skills = new Set(["a"]);
    expect(await errorOf([loaded("b"), end], { skills })).toMatchObject({
      reason: "unparseable",
      message: expect.stringContaining("`b`"),
    });
    expect(
      await errorOf([{ type: "activation", skill: "b", turn: 1, evidence: "refused" }, end], { skills }),
    ).toBeUndefined();
    expect(await errorOf([loaded("a"), end], { skills })).toBeUndefined();
  });

  test("an answer from another model than was asked is no answer", async () => {
    const from = (model: string): TrialEvent[] => [{ type: "end", how: "completed", model }];
    expect(await errorOf(from("gpt-9"), { model: "haiku" })).toMatchObject({ reason: "unparseable" });
    expect(await errorOf(from("claude-haiku-4-5-20251001"), { model: "haiku" })).toBeUndefined();
  });
});

describe("a flood", () => {
  test("of text is cut off, and little of it is kept", async () => {
    const chunk = "x".repeat(64_000);
    let sent = 0;
    async function* flood(): AsyncGenerator<TrialEvent> {
      for (; sent < 1e9; sent += chunk.length) yield { type: "text", turn: (sent % 100) + 1, text: chunk };
      yield end;
    }
    const transcript = await foldEvents(flood());
    expect(transcript.outcome).toMatchObject({ status: "error", error: { reason: "flood" } });
    expect(sent).toBeLessThan(70_000_000);
    expect(transcript.texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8_000_000);
  });

  test("of tiny events is cut off too", async () => {
    function* flood(): Generator<TrialEvent> {
      for (;;) yield { type: "text", turn: 1, text: "" };
    }
    expect(await errorOf(flood())).toMatchObject({ reason: "flood" });
  });

  test("a long result is kept in part, and is no error", async () => {
    const transcript = await foldEvents([
      { type: "call", turn: 1, id: "1", tool: "Bash", input: { command: "y".repeat(100_000) } },
      { type: "result", id: "1", ok: true, text: "z".repeat(1_000_000) },
      end,
    ]);
    expect(transcript.outcome.status).toBe("activations");
    expect(transcript.calls[0]!.result!.length).toBe(32_000);
    expect(JSON.stringify(transcript.calls[0]!.input).length).toBeLessThan(33_000);
  });
});

describe("a signal", () => {
  async function* deaf(): AsyncGenerator<TrialEvent> {
    yield loaded("a");
    await new Promise(() => {});
  }

  test("ends a trial whose target does not listen, with the reason it was given", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort({ reason: "timeout", message: "No end within 5 s", retryable: true }), 10);
    const transcript = await inPassingTime(() => foldEvents(deaf(), { signal: controller.signal }));
    expect(transcript.outcome).toEqual({
      status: "error",
      error: { reason: "timeout", message: "No end within 5 s", retryable: true },
    });
    expect(transcript.activations).toHaveLength(1);
  });

  test("without a reason of ours is an interruption", async () => {
    expect(await errorOf(deaf(), { signal: AbortSignal.abort() })).toMatchObject({ reason: "interrupted" });
  });

  test("of a time limit is a timeout", async () => {
    expect(await inPassingTime(() => errorOf(deaf(), { signal: AbortSignal.timeout(5) }))).toMatchObject({
      reason: "timeout",
    });
  });
});

test("no stream makes folding throw", async () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constantFrom("text", "call", "result", "activation", "prediction", "end"),
      turn: fc.anything(),
      how: fc.anything(),
      error: fc.anything(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { maxLength: 5 }), async (events) => {
      const { outcome } = await foldEvents(events as TrialEvent[]);
      expect(["activations", "error"]).toContain(outcome.status);
    }),
    { numRuns: 500 },
  );
});

test("steps are timed from the start of the trial, and a call until its result; what no host has timed has no time", async () => {
  const timed = await foldEvents(
    stream(
      { type: "text", turn: 1, text: "Let me ", at: 1_250 },
      { type: "text", turn: 1, text: "look.", at: 1_400 },
      { type: "call", turn: 1, id: "slow", tool: "Bash", input: {}, at: 1_400 },
      { type: "call", turn: 1, id: "at once", tool: "Bash", input: {}, at: 1_500 },
      { type: "result", id: "at once", ok: true, at: 1_500 },
      { type: "result", id: "slow", ok: true, at: 3_000 },
      { type: "text", turn: 2, text: "Before it began.", at: 900 },
      { type: "text", turn: 3, text: "No number.", at: "soon" },
      { type: "text", turn: 4, text: "Not told." },
      end,
    ),
    { began: 1_000 },
  );
  expect(timed.texts.map(({ ms }) => ms)).toEqual([250, undefined, undefined, undefined]);
  expect(timed.calls.map(({ id, ms, tookMs }) => ({ id, ms, tookMs }))).toEqual([
    { id: "slow", ms: 400, tookMs: 1_600 },
    { id: "at once", ms: 500, tookMs: undefined },
  ]);
  const { texts } = await foldEvents(stream({ type: "text", turn: 1, text: "a", at: 1_250 }, end));
  expect(texts).toEqual([{ turn: 1, text: "a" }]);
});

test("refused and mentioned skills never count, and only confirmed ones under the stricter rule", () => {
  const all = (["loaded", "read", "called", "refused", "mentioned", "predicted"] as const).map((evidence) => ({
    skill: evidence,
    turn: 1,
    evidence,
  }));
  const names = (rule?: "any" | "loaded") => countedActivations(all, rule).map((activation) => activation.skill);
  expect(names()).toEqual(["loaded", "read", "called", "predicted"]);
  expect(names("loaded")).toEqual(["loaded", "predicted"]);
});

test("the first move is a counted activation on turn 1", () => {
  expect(firstMove([{ skill: "a", turn: 2, evidence: "loaded" }])).toBeUndefined();
  const moves = [
    { skill: "a", turn: 1, evidence: "refused" as const },
    { skill: "b", turn: 1, evidence: "read" as const },
  ];
  expect(firstMove(moves)?.skill).toBe("b");
  expect(firstMove(moves, "loaded")).toBeUndefined();
});
