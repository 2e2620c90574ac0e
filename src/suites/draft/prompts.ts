import { normalText } from "../check/words.ts";
import { type Task, type TaskKind, tasksOf } from "./tasks.ts";

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
    // Remainders of the lists' lengths, so both are there.
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
  return WORDINGS[kind](lowered(text))[form];
}

const WORDINGS: Record<TaskKind, (said: string) => Record<Form, string>> = {
  verb: (said) => ({
    order: `Please ${said}`,
    question: `How do I ${said}?`,
    statement: `I have to ${said} by tomorrow`,
    review: `I tried to ${said}. Can you check what I did?`,
  }),
  gerund: (said) => ({
    order: `Help me with ${said}`,
    question: `What is the right way of ${said}?`,
    statement: `I am ${said} and got stuck`,
    review: `Review what I have so far, I am ${said}`,
  }),
  noun: (said) => ({
    order: `Help me with ${said}`,
    question: `What do I do about ${said}?`,
    statement: `I need some work done on ${said}`,
    review: `Check ${said} for me, something looks wrong`,
  }),
  indirect: (said) => ({
    order: `Tell me ${said}`,
    question: `Do you know ${said}?`,
    statement: `I would like to know ${said}`,
    review: `Check ${said}, I am not sure`,
  }),
  direct: (said) => ({
    order: `Find out for me: ${said}?`,
    question: `Quick question, ${said}?`,
    statement: `What I would like to know is this: ${said}?`,
    review: `I may be wrong, so check this: ${said}?`,
  }),
  experience: (said) => ({
    order: `Help, I ${said}`,
    question: `What do I do now that I ${said}?`,
    statement: `I ${said} and need this sorted out`,
    review: `I ${said}. Can you check that for me?`,
  }),
  fact: (said) => ({
    order: `Look into this, ${said}`,
    question: `Why is it that ${said}?`,
    statement: `It happened again: ${said}`,
    review: `Check this for me, I think ${said}`,
  }),
};

function lowered(text: string): string {
  return /^(?:I\b|\p{Lu}\p{Lu}|\p{Lu}\p{L}*\p{Lu})/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
