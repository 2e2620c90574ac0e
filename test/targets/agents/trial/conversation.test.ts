import { expect, test } from "vitest";
import { foldEvents, type TrialEvent } from "../../../../src/model/index.ts";
import { converse, type Turn } from "../../../../src/targets/agents/trial/conversation.ts";

const end = (more: object = {}): TrialEvent => ({
  type: "end",
  how: "completed",
  costUsd: 0.1,
  usage: { inputTokens: 10 },
  ...more,
});
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
  expect({ turns, finalText, costUsd, usage }).toEqual({
    turns: 3,
    finalText: "Done",
    costUsd: 0.2,
    usage: { inputTokens: 20 },
  });
  expect(calls[0]?.turn).toBe(2);
  expect(asked).toEqual(["s1: you said Which? (1)"]);
  expect(trial.raw()).toBe("raw\nraw\n");
});

test("a session that is told once more from its start is not counted twice", async () => {
  const first: TrialEvent[] = [{ type: "text", turn: 1, text: "Which?" }];
  const { transcript } = told([...first, end()], [...first, { type: "text", turn: 2, text: "Done" }, end()]);
  expect((await transcript).texts).toEqual([
    { turn: 1, text: "Which?", agent: undefined },
    { turn: 2, text: "Done", agent: undefined },
  ]);
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

test("where the CLI tells the tokens of the whole session, they are not added up again", async () => {
  const spent = (inputTokens: number) =>
    end({ usage: { inputTokens }, resources: { peakMemoryBytes: inputTokens, cpuMs: 5 } });
  const conversation = (totals: boolean) =>
    converse({
      first: turn([spent(10)], "s"),
      next: async (_said, answers) => (answers < 3 ? "more" : undefined),
      resume: async (_session, _prompt, used) => turn([spent(used === 0 ? 30 : 0)], "s"),
      totals,
    });
  expect(await foldEvents(conversation(true).events)).toMatchObject({ usage: { inputTokens: 30 }, costUsd: 0.1 });
  expect(await foldEvents(conversation(false).events)).toMatchObject({
    usage: { inputTokens: 70 },
    resources: { peakMemoryBytes: 30, cpuMs: 15 },
  });
});

test("tokens and a cost of which one message's part is not known are not known", async () => {
  const { transcript } = told([end()], [end({ costUsd: undefined, usage: undefined })]);
  expect(await transcript).toMatchObject({ costUsd: undefined, usage: undefined });
});
