import { describe, expect, test } from "vitest";
import { gradeQuestion, type Judge } from "../../src/graders/index.ts";
import { foldEvents } from "../../src/model/index.ts";

const transcript = await foldEvents([
  { type: "call", turn: 1, id: "1", tool: "Bash", input: { command: "ls" } },
  { type: "text", turn: 2, text: "Dear Ada, we are sorry." },
  { type: "end", how: "completed" },
]);

/** A judge that says these things, one after the other, and remembers what it was asked. */
function judge(...replies: string[]) {
  const asked: Parameters<Judge>[0][] = [];
  const speak: Judge = async (request) => {
    asked.push(request);
    return { text: replies[asked.length - 1] ?? replies.at(-1)! };
  };
  return { asked, speak };
}

const byRubric = (config: object, speak?: Judge) =>
  gradeQuestion([{ type: "rubric", config: { rubric: "Warm and short.", ...config } }], transcript, {
    prompt: "Write it.",
    ...(speak && { judge: speak }),
  });
const byStatement = (speak?: Judge) =>
  gradeQuestion([{ type: "llm", config: { text: "It apologises." } }], transcript, {
    prompt: "Write it.",
    ...(speak && { judge: speak }),
  });

describe("a rubric", () => {
  test("needs no reason from its judge", async () => {
    expect((await byRubric({}, judge("SCORE=4").speak)).message).toBe("rubric 4 of 5, needs 4");
  });

  test.each([
    ["SCORE=4 REASON=Warm.", {}, true],
    ["SCORE=3 REASON=Cool.", {}, false],
    ["SCORE=3 REASON=Cool.", { pass_threshold: 3 }, true],
    ["Let me think.\nSCORE=5 REASON=Fine.", {}, true],
    ["**SCORE=4** REASON=Warm.", {}, true],
    ["- `SCORE = 3`, REASON=Cool.", {}, false],
    ["1. SCORE=4/5\n   REASON=Warm.", {}, true],
  ])("%s with %o passes: %s", async (reply, config, passed) => {
    expect((await byRubric(config, judge(reply).speak)).passed).toBe(passed);
  });

  test.each([
    "A fine reply!",
    "SCORE=6 REASON=Great.",
    "SCORE=0 REASON=Bad.",
    "SCORE=4 REASON=a\nSCORE=2 REASON=b",
    "I would say SCORE=5",
    "SCORE=4.5 REASON=Nearly.",
    "SCORE=4/10 REASON=So so.",
    "**SCORE=4** REASON=a\n**SCORE=2** REASON=b",
    "",
  ])(
    "%j is asked for once more, then the check is skipped with the reply, never failed and never passed",
    async (reply) => {
      const { asked, speak } = judge(reply);
      const graded = await byRubric({}, speak);
      expect(asked).toHaveLength(2);
      expect(graded.passed).toBeNull();
      expect(graded.message).toContain("could not be read, twice");
    },
  );

  test("a second reply that can be read decides", async () => {
    expect((await byRubric({}, judge("hm", "SCORE=5 REASON=Yes.").speak)).passed).toBe(true);
  });

  test.each(["**SCORE=2** REASON=Cold.", "- **SCORE=2 REASON=Cold.**", "SCORE=2\nREASON=`Cold.`"])(
    "%j is read with its reason",
    async (reply) => {
      expect((await byRubric({}, judge(reply).speak)).message).toBe("rubric 2 of 5, needs 4: Cold.");
    },
  );

  test("several votes: the median decides, and the spread is said", async () => {
    const graded = await byRubric(
      { votes: 3 },
      judge("SCORE=5 REASON=a", "SCORE=2 REASON=b", "SCORE=4 REASON=c").speak,
    );
    expect(graded).toMatchObject({ passed: true, message: "rubric 4 of 5, needs 4, votes 2–5: c" });
  });

  test("the judge sees task, rubric and reply, and nothing of who wrote it", async () => {
    const { asked, speak } = judge("SCORE=5 REASON=Yes.");
    await byRubric({ model: "claude-haiku-4-5" }, speak);
    expect(asked[0]).toMatchObject({
      model: "claude-haiku-4-5",
      prompt: "TASK:\nWrite it.\n\nRUBRIC:\nWarm and short.\n\nREPLY:\nDear Ada, we are sorry.",
    });
  });
});

describe("an expectation in plain words", () => {
  test.each([
    ["VERDICT=TRUE REASON=It says sorry.", true],
    ["VERDICT=FALSE REASON=It does not.", false],
    ["**VERDICT=TRUE** REASON=It says sorry.", true],
    ["> VERDICT: FALSE, so VERDICT=TRUE", null],
    ["VERDICT=TRUE\nVERDICT=FALSE", null],
    ["Sure, it holds.", null],
  ])("%j passes: %s", async (reply, passed) => {
    expect((await byStatement(judge(reply).speak)).passed).toBe(passed);
  });

  test("the judge sees what was done, not only what was said", async () => {
    const { asked, speak } = judge("VERDICT=TRUE REASON=.");
    await byStatement(speak);
    expect(asked[0]?.prompt).toContain('- Bash (shell) {"command":"ls"}');
  });
});

test("without a judge a check is skipped and says how to get one", async () => {
  for (const graded of [await byRubric({}), await byStatement()]) {
    expect(graded.passed).toBeNull();
    expect(graded.message).toContain("--judge");
  }
});
