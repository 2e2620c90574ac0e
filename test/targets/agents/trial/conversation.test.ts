import { expect, test } from "vitest";
import { converse, type Turn } from "../../../../src/targets/agents/trial/conversation.ts";
import { SessionSoFar } from "../../../../src/targets/agents/trial/session-so-far.ts";
import { foldEvents, type TrialEvent } from "../../../../src/transcripts/index.ts";

const end = (more: object = {}): TrialEvent => ({ type: "end", how: "completed", costUsd: 0.1, usage: { inputTokens: 10 }, ...more });
const turn = (events: TrialEvent[], session?: string): Turn => ({
  trial: {
    events: (async function* () {
      yield* events;
    })(),
    raw: () => "raw\n",
    stop: async () => {},
  },
  session: () => session,
});
const told = (first: TrialEvent[], second: TrialEvent[], session: string | undefined = "s1") => {
  const asked: string[] = [];
  const trial = converse({
    first: turn(first, session),
    next: async (said, answers) => (answers === 1 ? `you said ${said}` : undefined),
    resume: async (id, prompt, used) => {
      asked.push(`${id}: ${prompt} (${used})`);
      return turn(second, session);
    },
  });
  return { asked, transcript: foldEvents(trial.events), trial };
};

test("several messages are one trial: turns are counted on, costs added up", async () => {
  const { asked, transcript, trial } = told(
    [{ type: "text", turn: 1, text: "Which?" }, end()],
    [{ type: "call", turn: 1, id: "c", tool: "Bash", input: {} }, { type: "text", turn: 2, text: "Done" }, end()],
  );
  const { turns, finalText, costUsd, usage, calls } = await transcript;
  expect({ turns, finalText, costUsd, usage }).toEqual({ turns: 3, finalText: "Done", costUsd: 0.2, usage: { inputTokens: 20 } });
  expect(calls[0]?.turn).toBe(2);
  expect(asked).toEqual(["s1: you said Which? (1)"]);
  expect(trial.raw()).toBe("raw\nraw\n");
});

test("a CLI that counts on is charged once for each message, and not for all before it", async () => {
  const session = new SessionSoFar();
  const first = session.ownShare({ type: "end", how: "completed", costUsd: 0.1, usage: { inputTokens: 10, outputTokens: 2 } });
  const second = session.ownShare({ type: "end", how: "completed", costUsd: 0.3, usage: { inputTokens: 25, outputTokens: 6 } });
  const { transcript } = told([first], [second]);
  const { costUsd, usage } = await transcript;
  expect(costUsd).toBeCloseTo(0.3);
  expect(usage).toEqual({ inputTokens: 25, outputTokens: 6 });
});

test("of a session file only what is new is read after the next message, with its first line beside it", () => {
  const session = new SessionSoFar();
  const [main, agent] = [
    { path: "main", text: "meta\none\n" },
    { path: "agent", text: "sub\n" },
  ];
  expect(session.newIn([main, agent])).toEqual([main, agent]);
  expect(session.newIn([{ path: "main", text: "meta\none\ntwo\n" }, agent, { path: "other", text: "new\n" }])).toEqual([
    { path: "main", text: "two\n", head: "meta" },
    { path: "other", text: "new\n" },
  ]);
});

test("where nobody knows what one of two messages cost, nobody knows what both did", async () => {
  const { transcript } = told([end()], [end({ costUsd: undefined })]);
  expect((await transcript).costUsd).toBeUndefined();
});

test.each([
  ["failed", { how: "error", error: { reason: "auth", message: "no", retryable: false } }, "error"],
  ["ran out of turns", { how: "max_turns" }, "max_turns"],
])("what %s is not gone on with", async (_what, how, ends) => {
  const { asked, transcript } = told([end(how)], [end()]);
  expect((await transcript).how).toBe(ends);
  expect(asked).toEqual([]);
});

test("a CLI that names no session is an error, not half an answer", async () => {
  const { transcript } = told([{ type: "text", turn: 1, text: "Which?" }, end()], [end()], "");
  const trial = converse({ first: turn([end()]), next: async () => "more", resume: async () => turn([end()]) });
  expect((await foldEvents(trial.events)).outcome).toMatchObject({
    status: "error",
    error: { message: expect.stringContaining("which session") },
  });
  await transcript;
});
