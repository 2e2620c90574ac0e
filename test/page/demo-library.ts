import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What people have, and what they want done with it: skills of one thing are rivals. */
const THINGS = [
  "invoice",
  "contract",
  "parcel",
  "support-ticket",
  "calendar",
  "dataset",
  "photo",
  "spreadsheet",
  "slide-deck",
  "log-file",
  "api-client",
  "test-suite",
  "migration",
  "translation",
  "podcast",
  "recipe",
  "itinerary",
  "resume",
  "newsletter",
  "floor-plan",
];
const JOBS: { name: string; does: string; when: string; prompts: string[] }[] = [
  {
    name: "review",
    does: "Reviews",
    when: "wants it checked, proof-read or approved",
    prompts: [
      "Can you look over this % before I send it?",
      "Is anything wrong with the % I attached?",
      "Please check the % for mistakes",
    ],
  },
  {
    name: "convert",
    does: "Converts",
    when: "needs it in another format",
    prompts: [
      "I need this % in another format",
      "Turn the % into something my boss can open",
      "Export the % so that the old system reads it",
    ],
  },
  {
    name: "summarise",
    does: "Summarises",
    when: "asks for the gist, the key points or a short version",
    prompts: [
      "Give me the short version of this %",
      "What are the three key points of the %?",
      "I have one minute: what does the % say?",
    ],
  },
  {
    name: "search",
    does: "Searches",
    when: "is looking for something in it or among many",
    prompts: [
      "Where in the % is the part about Lena?",
      "Find the % from last March",
      "Which % mentions the Lisbon office?",
    ],
  },
  {
    name: "compare",
    does: "Compares",
    when: "wants to know what differs between two versions",
    prompts: [
      "What changed between these two versions of the %?",
      "Is the new % better than the old one?",
      "Put both copies of the % side by side",
    ],
  },
  {
    name: "repair",
    does: "Repairs",
    when: "has one that is broken or does not open",
    prompts: [
      "The % does not open any more",
      "Something broke my %, can you mend it?",
      "My % is full of garbage characters",
    ],
  },
  {
    name: "schedule",
    does: "Schedules work on",
    when: "wants it done later or again and again",
    prompts: ["Do this to the % every Monday", "Remind me about the % on Friday", "Put the % on hold until next week"],
  },
  {
    name: "share",
    does: "Shares",
    when: "wants others to see it",
    prompts: ["Let the whole team see this %", "Send the % to Amir with a note", "Give our client access to the %"],
  },
  {
    name: "archive",
    does: "Archives",
    when: "is done with it and wants it kept",
    prompts: ["We are done with the %, put it away", "Keep the % for ten years", "Clear out every % older than a year"],
  },
  {
    name: "create",
    does: "Creates",
    when: "starts from nothing",
    prompts: [
      "Make me a new % from my notes",
      "Start a % for the Osaka project",
      "I need a % and have no idea how to begin",
    ],
  },
];

export interface DemoSkill {
  name: string;
  thing: string;
  prompts: string[];
}

/** The first `count` of two hundred skills, with cards and suites: their own prompts, their rivals', and some that belong to nobody. */
export function writeLibrary(dir: string, count: number, variants = 1): DemoSkill[] {
  const things = THINGS.slice(0, Math.max(2, Math.ceil(count / JOBS.length)));
  const all = things
    .flatMap((thing) => JOBS.map((job) => ({ name: `${thing}-${job.name}`, thing, job })))
    .slice(0, count);
  const skills = all.map(({ name, thing, job }) => ({
    name,
    thing,
    prompts: job.prompts.map((prompt) => prompt.replace("%", thing.replace("-", " "))),
  }));
  for (const [at, { name, thing, job }] of all.entries()) {
    const plain = thing.replace("-", " ");
    write(
      dir,
      `skills/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${job.does} a ${plain}. Use when somebody ${job.when} and the thing is a ${plain}.\n---\n\n# ${name}\n\nDo it step by step.\n`,
    );
    const rivals = skills.filter((skill) => skill.thing === thing && skill.name !== name);
    const triggers = [
      ...(skills[at]?.prompts ?? []).flatMap((query) =>
        Array.from({ length: variants }, (_, variant) => ({
          query: `${query}${ENDINGS[variant % ENDINGS.length]}`,
          should_trigger: true,
        })),
      ),
      ...rivals.slice(0, 2).map((rival) => ({
        query: rival.prompts[at % 3],
        should_trigger: false,
        expect: rival.name,
        tags: ["near-miss"],
      })),
      { query: EVERYDAY[at % EVERYDAY.length], should_trigger: false, expect: "none", tags: ["everyday"] },
    ];
    write(dir, `skills/${name}/evals/triggers.json`, JSON.stringify(triggers, null, 1));
  }
  write(dir, "proctor.config.yaml", "runs: 3\n");
  return skills;
}

/** The same wish in other words, for suites of any length. */
const ENDINGS = [
  "",
  " Thanks.",
  " It is for Lena.",
  " It is urgent.",
  " No hurry.",
  " Amir asked for it.",
  " Same as last time.",
  " In Spanish, please.",
  " I am new here.",
  " For the Lisbon office.",
  " And tell me how.",
];

const EVERYDAY = [
  "Thanks, that was all for today!",
  "What is the weather like in Porto?",
  "Rename the variable total to sum in cart.ts",
  "Who wrote The Tempest?",
  "How do I get the coffee stain out of this shirt?",
];

export function write(dir: string, path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
