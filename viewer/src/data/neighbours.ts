import type { Model } from "./model.ts";
import { param, to } from "./route.ts";

let listed: { ids: readonly string[]; view: string; run: string; address: string } = {
  ids: [],
  view: "",
  run: "",
  address: "",
};

/** Remembers the list as shown: it defines "next" on a question's page, and where "up" goes. */
export function rememberList(view: string, ids: readonly string[]): void {
  listed = { ids, view, run: param("run"), address: location.hash };
}

/** Address of the list with its filters; without them if it was for another run. */
export function listAddress(view: string): string {
  return listed.view === view && listed.run === param("run") && listed.address !== "" ? listed.address : to(view);
}

export interface Neighbours {
  /** From 1. */
  place: number;
  of: number;
  before: string | undefined;
  next: string | undefined;
}

/** A question's position in the list it was opened from, or else among all questions. */
export function neighboursOf({ rows }: Model, id: string): Neighbours {
  const ids = listed.ids.includes(id) ? listed.ids : rows.map(({ question }) => question.id);
  const at = ids.indexOf(id);
  return { place: at + 1, of: ids.length, before: ids[at - 1], next: ids[at + 1] };
}
