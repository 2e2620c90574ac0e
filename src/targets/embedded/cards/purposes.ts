import type { Card } from "../../../skills/index.ts";
import { clausesOf } from "./clauses.ts";

/** What a card says its skill is for, clause by clause in the author's words, without what it is not for. */
export function purposesOf(card: Card): string[] {
  return [...clausesOf([card.description, card.whenToUse ?? ""].join("\n\n")).positive, ...card.triggers];
}
