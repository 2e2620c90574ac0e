import { expect, test } from "vitest";
import { nextMessage } from "../../src/exam/ask/attempts/next-message.ts";
import type { JudgeRequest } from "../../src/graders/index.ts";
import type { Ask } from "../../src/model/index.ts";

const ask = (parts: Partial<Ask>): Ask =>
  ({ key: "k", prompt: "Plan my trip", messages: [], files: [], limits: {}, ...parts }) as unknown as Ask;

test("a case of one message has no next one", () => {
  expect(nextMessage(ask({}), undefined)).toBeUndefined();
});

test("follow-ups are said in their order, and then nothing", async () => {
  const next = nextMessage(ask({ followUps: ["By train", "In May"] }), undefined)!;
  expect([await next("How?", 1), await next("When?", 2), await next("Done", 3)]).toEqual([
    "By train",
    "In May",
    undefined,
  ]);
});

test("a responder with rules gives the first reply whose pattern is in the answer, as often as it may", async () => {
  const rules = [
    { pattern: "how many", reply: "Two" },
    { pattern: "where", reply: "Oslo" },
  ];
  const next = nextMessage(ask({ responder: { rules, mostReplies: 2 } }), undefined)!;
  expect(await next("Tell me where, and how many of you travel", 1)).toBe("Two");
  expect(await next("And where to?", 2)).toBe("Oslo");
  expect(await next("And where from?", 3)).toBeUndefined();
});

test("an answer that no rule knows ends the conversation", async () => {
  const next = nextMessage(
    ask({ responder: { rules: [{ pattern: "where", reply: "Oslo" }], mostReplies: 5 } }),
    undefined,
  )!;
  expect(await next("Here is your plan.", 1)).toBeUndefined();
});

test("a responder that is a model is told the instructions and the whole conversation, after the follow-ups", async () => {
  const asked: JudgeRequest[] = [];
  const replies = ["To Oslo\n", "DONE."];
  let kept = 0;
  const judge = async (request: JudgeRequest) => {
    asked.push(request);
    return { text: replies.shift() ?? "", keep: () => kept++ };
  };
  const responder = { instructions: "You want to go to Oslo.", model: "small", mostReplies: 3 };
  const next = nextMessage(ask({ followUps: ["By train"], responder }), judge)!;
  expect([await next("How?", 1), await next("Where to?", 2), await next("Booked.", 3)]).toEqual([
    "By train",
    "To Oslo",
    undefined,
  ]);
  expect(asked.map(({ model }) => model)).toEqual(["small", "small"]);
  expect(asked[1]?.prompt).toBe(
    "INSTRUCTIONS:\nYou want to go to Oslo.\n\nCONVERSATION:\nUSER:\nPlan my trip\n\nAGENT:\nHow?\n\nUSER:\nBy train\n\nAGENT:\nWhere to?\n\nUSER:\nTo Oslo\n\nAGENT:\nBooked.",
  );
  expect(kept).toBe(2);
});

test("without a model such a case cannot go on, and says why", async () => {
  const next = nextMessage(ask({ responder: { instructions: "Answer.", mostReplies: 1 } }), undefined)!;
  await expect(next("Where to?", 1)).rejects.toThrow("its responder is a model, and none is set");
});
