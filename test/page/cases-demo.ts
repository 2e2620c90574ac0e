import type { RunSettings } from "../../src/base/options/index.ts";
import { scoreStored } from "../../src/exam/score/index.ts";
import { addNote } from "../../src/history/index.ts";
import { environmentOf, replyOf, startRawModel } from "../targets/models/raw-model.ts";
import { World } from "../world.ts";
import type { Demo } from "./demo.ts";

/**
 * Cases of a skill that writes letters, with and without it: what it says, files that it creates, changes and deletes, and what people noted.
 * With a judge where tests run; the SDK that asks one cannot be loaded by what runs the scripts.
 */
export async function casesDemo({ judged }: { judged: boolean }): Promise<Demo> {
  const world = new World("letters");
  const judge = await startRawModel((_path, body) => ({
    body: replyOf("anthropic", body.includes("Dear Ada") ? GOOD : POOR),
  }));
  try {
    world.env = environmentOf("anthropic", judge.url) as Record<string, string>;
    world.skill(
      "letters",
      [],
      "Writes letters to customers. Use when somebody wants a letter, an answer or an apology written.",
    );
    world.skill("reports", [], "Writes reports. Use when somebody wants numbers summed up in a report.");
    world.write("skills/letters/evals/evals.json", {
      skill_name: "letters",
      evals: judged ? EVALS : EVALS.map(unjudged),
    });
    world.script(SCRIPT);
    const flags: RunSettings = { runs: 5, baseline: "without", earlyStop: false };
    const { place, scores } = await world.sit(judged ? { ...flags, judge: "anthropic/claude-haiku-4-5" } : flags);
    addNote(place, scores, { question: "Write to Ada", verdict: "right", text: "It does name the order." });
    addNote(place, await scoreStored(place), {
      question: "Thank a customer",
      verdict: "wrong",
      text: "A thank-you needs no refund in it: the rubric asks too much.",
    });
    return { dir: world.dir, runs: [place], remove: () => world.remove() };
  } finally {
    await judge.close();
  }
}

function unjudged({ graders, ...one }: (typeof EVALS)[number]) {
  const rest = graders.filter(({ type }) => type !== "rubric");
  return { ...one, graders: rest.length > 0 ? rest : [{ type: "contains", config: { value: "refund" } }] };
}

const GOOD = "SCORE=5 REASON=It names her order and says what happens next.";
const POOR = "SCORE=2 REASON=It is polite, but says nothing about the refund.";

const DRAFT = [
  "# To Ada",
  "",
  "Dear customer,",
  "",
  "we received your message.",
  "Your refund is late.",
  "",
  "Regards",
  "The shop",
  "",
];

const EVALS: { id: string; prompt: string; files?: object[]; graders: { type: string; config: object }[] }[] = [
  {
    id: "answers-ada",
    prompt: "Write to Ada about her refund, order SH-2290417",
    graders: [
      { type: "contains", config: { value: "SH-2290417" } },
      { type: "rubric", config: { rubric: "Warm, names the order, says what happens next." } },
    ],
  },
  {
    id: "finishes-the-draft",
    prompt: "Finish the letter in ada.md, put it under sent/ and throw the old draft away",
    files: [
      { path: "ada.md", content: DRAFT.join("\n") },
      { path: "old.md", content: "An older draft.\nNobody needs it.\n" },
    ],
    graders: [
      { type: "file_exists", config: { path: "sent/ada.md" } },
      { type: "file_absent", config: { path: "old.md" } },
    ],
  },
  {
    id: "thanks-a-customer",
    prompt: "Thank a customer for her patience",
    graders: [{ type: "rubric", config: { rubric: "Says what happens with the refund." } }],
  },
  {
    id: "keeps-it-short",
    prompt: "Answer in one sentence: is the parcel lost?",
    graders: [{ type: "contains", config: { value: "not lost" } }],
  },
];

const FINISHED = DRAFT.with(2, "Dear Ada,")
  .with(5, "Your refund of $48 for order SH-2290417 was sent today.")
  .toSpliced(6, 0, "It reaches you within 3 days.");

const SCRIPT = {
  model: "demo",
  answers: [
    {
      query: "Write to Ada about her refund, order SH-2290417",
      skills: ["letters"],
      text: "Dear Ada,\n\nthe refund for order SH-2290417 was sent today and reaches you within 3 days.",
      cost: 0.021,
      without_skill: { text: "Dear customer, thank you for your patience.", cost: 0.012 },
    },
    {
      query: "Finish the letter in ada.md, put it under sent/ and throw the old draft away",
      skills: ["letters"],
      text: "The letter is finished and filed.",
      files: { "ada.md": FINISHED.join("\n"), "sent/ada.md": FINISHED.join("\n"), "old.md": null },
      cost: 0.034,
      without_skill: { text: "I finished the letter.", files: { "ada.md": FINISHED.join("\n") }, cost: 0.02 },
    },
    {
      query: "Thank a customer for her patience",
      skills: ["letters"],
      text: "Thank you for your patience!",
      cost: 0.01,
      without_skill: { text: "Thanks for waiting.", cost: 0.006 },
    },
    {
      query: "Answer in one sentence: is the parcel lost?",
      runs: {
        1: { skills: ["letters"], text: "It is not lost.", cost: 0.01 },
        2: { skills: ["letters"], text: "It is late.", cost: 0.01 },
        3: { skills: ["letters"], text: "It is not lost.", cost: 0.01 },
        4: { skills: ["letters"], text: "It is not lost.", cost: 0.01 },
        5: { text: "It is not lost.", cost: 0.01 },
      },
      without_skill: { text: "No, it is not lost.", cost: 0.006 },
    },
  ],
  default: { skills: [] },
};
