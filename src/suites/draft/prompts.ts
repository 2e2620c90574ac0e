import { normalText } from "../check/words.ts";
import { type Task, tasksOf } from "./tasks.ts";

export interface DraftPrompt {
  query: string;
  /** The clause of the card it comes from. */
  from: string;
}

export interface PromptSource {
  /** The name no prompt may say. */
  name: string;
  description: string;
  /** What the card says the skill is for, clause by clause. */
  purposes: readonly string[];
}

const FORMS = ["order", "question", "statement", "review"] as const;
type Form = (typeof FORMS)[number];

/** Prompts that ask for what the card offers: orders, questions, statements and reviews in turn, none of them a quotation of the description. */
export function draftPrompts({ name, description, purposes }: PromptSource, most: number): DraftPrompt[] {
  const tasks = tasksOf(purposes);
  const prompts: DraftPrompt[] = [];
  const described = ` ${normalText(description)} `;
  const named = name.toLowerCase();
  // A card with few tasks is asked for the same ones in other forms.
  for (let at = 0; at < FORMS.length * tasks.length && prompts.length < most; at++) {
    const round = Math.floor(at / tasks.length);
    const task = tasks[at % tasks.length]!;
    const form = FORMS[((at % tasks.length) + round) % FORMS.length]!;
    const query = sentence(worded(task, form));
    const text = normalText(query);
    const isQuotation = described.includes(` ${text} `);
    const saysName = /[-_:]/.test(named) && query.toLowerCase().includes(named);
    if (isQuotation || saysName || prompts.some((other) => normalText(other.query) === text)) continue;
    prompts.push({ query, from: task.from });
  }
  return prompts;
}

function worded({ kind, text }: Task, form: Form): string {
  const said = lowered(inFirstPerson(text));
  switch (kind) {
    case "verb":
      return {
        order: `Please ${said}`,
        question: `How do I ${said}?`,
        statement: `I have to ${said} today and do not know where to start`,
        review: `I tried to ${said}. Can you check what I did?`,
      }[form];
    case "gerund":
      return {
        order: `Help me with ${said}`,
        question: `What is the right way of ${said}?`,
        statement: `I am ${said} and I am stuck`,
        review: `Review what I did while ${said}`,
      }[form];
    case "noun":
      return {
        order: `Help me with ${said}`,
        question: `What do I do about ${said}?`,
        statement: `I need something done about ${said}`,
        review: `Check ${said} for me, something looks wrong`,
      }[form];
    case "question":
      return {
        order: `Tell me ${said}`,
        question: `Do you know ${said}?`,
        statement: `I would like to know ${said}`,
        review: `Check ${said}, I am not sure`,
      }[form];
    case "statement":
      return {
        order: `Help, I ${said}`,
        question: `What do I do when I ${said}?`,
        statement: `I ${said} and need this sorted out`,
        review: `I ${said}. Can you check that for me?`,
      }[form];
    case "quote":
      return /\?$/.test(text)
        ? `${said.replace(/\?$/, "")} these days?`
        : {
            order: `${said}, please`,
            question: `Can you help me to ${said}?`,
            statement: `I want to ${said}`,
            review: `${said}, and check the result`,
          }[form];
  }
}

/** Cards speak of the user; users speak of themselves. */
function inFirstPerson(text: string): string {
  return text
    .replaceAll(/\b(?:the|a|an) (?:users?|customers?|developers?|person)(?:['’]s)\b|\btheir\b/gi, "my")
    .replaceAll(/\b(?:the|a|an) (?:users?|customers?|developers?|person)\b|\bthey\b/gi, "I")
    .replaceAll(/\bthem\b/gi, "me")
    .replaceAll(/\bI (needs|wants|has|is|was|are|asks)\b/g, (_, verb: string) => `I ${AGREEING[verb]}`);
}

const AGREEING: Record<string, string> = { needs: "need", wants: "want", has: "have", is: "am", was: "was", are: "am", asks: "ask" };

function lowered(text: string): string {
  return /^(?:I\b|\p{Lu}\p{Lu}|\p{Lu}\p{L}*\p{Lu})/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
