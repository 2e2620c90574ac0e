import type { Model } from "./model.ts";

let listed: readonly string[] = [];

/** Keeps the questions as the list shows them: that is what "next" means on the page of one. */
export function rememberList(ids: readonly string[]): void {
  listed = ids;
}

export interface Neighbours {
  /** From 1. */
  place: number;
  of: number;
  before: string | undefined;
  next: string | undefined;
}

/** Where a question stands in the list it was opened from; among all of them, where it was not. */
export function neighboursOf({ rows }: Model, id: string): Neighbours {
  const ids = listed.includes(id) ? listed : rows.map(({ question }) => question.id);
  const at = ids.indexOf(id);
  return { place: at + 1, of: ids.length, before: ids[at - 1], next: ids[at + 1] };
}
