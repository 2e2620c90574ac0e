import { normalText } from "../../check/index.ts";
import { isPromptable } from "./promptable.ts";
import { type Task, tasksOf } from "./tasks.ts";
import { inOtherWords, isOnesOwn } from "./verbs.ts";

export interface DraftPrompt {
  query: string;
  from: string;
}

export interface PromptSource {
  /** The skill's name, which no prompt may contain. */
  name: string;
  description: string;
  purposes: readonly string[];
}

const FORMS = ["order", "question", "statement"] as const;
type Form = (typeof FORMS)[number];

/**
 * Prompts that ask for what the card offers: an order, a question and a statement in turn, each for another task. Uses
 * only tasks that surely make a sentence, because few good prompts beat many odd ones. No prompt quotes the description
 * or contains the skill's name.
 */
export function draftPrompts({ name, description, purposes }: PromptSource, most: number): DraftPrompt[] {
  const prompts: DraftPrompt[] = [];
  const described = ` ${normalText(description)} `;
  const named = name.toLowerCase();
  for (const task of tasksOf(purposes).filter(isPromptable)) {
    if (prompts.length >= most) break;
    // `!`: a remainder of the list's length.
    const query = sentence(worded(task, FORMS[prompts.length % FORMS.length]!));
    const text = normalText(query);
    const saysName = /[-_:]/.test(named) && query.toLowerCase().includes(named);
    if (described.includes(` ${text} `) || saysName || prompts.some((other) => normalText(other.query) === text))
      continue;
    prompts.push({ query, from: task.from });
  }
  return prompts;
}

/** Tasks of the card that did not become prompts, as topics for a person to put into words. */
export function draftTopics({ purposes }: Pick<PromptSource, "purposes">, most: number): string[] {
  return tasksOf(purposes)
    .filter((task) => !isPromptable(task) && task.kind !== "fact")
    .map(({ text }) => text)
    .slice(0, most);
}

function worded({ kind, text }: Task, form: Form): string {
  const said = lowered(text);
  switch (kind) {
    case "verb": {
      const order = inOtherWords(said);
      if (isOnesOwn(said)) return `I ${form === "question" ? "want" : "need"} to ${order}`;
      if (/\bme\b/.test(order) && form === "statement") return `Please ${order}`;
      return { order: `Please ${order}`, question: `Can you ${order}?`, statement: `I need to ${order}` }[form];
    }
    case "gerund":
      return {
        order: `Help me with ${said}`,
        question: `Can you help me with ${said}?`,
        statement: `I need help with ${said}`,
      }[form];
    case "indirect":
      return { order: `Tell me ${said}`, question: `Do you know ${said}?`, statement: `I would like to know ${said}` }[
        form
      ];
    case "direct":
      return { order: `Quick question: ${said}?`, question: `${said}?`, statement: `I wonder: ${said}?` }[form];
    default:
      return {
        order: `I ${said}. What now?`,
        question: `What do I do now that I ${said}?`,
        statement: `I ${said} and need help`,
      }[form];
  }
}

function lowered(text: string): string {
  return /^(?:I\b|\p{Lu}\p{Lu}|\p{Lu}\p{L}*\p{Lu})/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
