import type { Card } from "../../model/index.ts";
import { type Clauses, clausesOf } from "./clauses.ts";

/** What a card says its skill is for, clause by clause in the author's words, without what it is not for. */
export function purposesOf(card: Card): string[] {
  return [...describedIn(card).positive, ...card.triggers];
}

/** The clauses of a card's description. Whoever looks for collisions needs them more than once. */
export function describedIn(card: Card): Clauses {
  const known = described.get(card);
  if (known !== undefined) return known;
  const clauses = clausesOf([card.description, card.whenToUse ?? ""].join("\n\n"), card.name);
  described.set(card, clauses);
  return clauses;
}

const described = new WeakMap<Card, Clauses>();
