import type { PageTarget } from "../../../../src/reporters/html/page-data.ts";
import { count, number, oneLine } from "../../parts/words.ts";

export type Cell = PageTarget["confusion"]["cells"][number];

/** Outcomes other than skills, listed last. */
export const OTHERS = ["(none)", "(not said)", "(cannot tell)", "(error)"];
const OTHER_WORDS: Record<string, string> = {
  "(none)": "no skill",
  "(not said)": "not said",
  "(cannot tell)": "cannot tell",
  "(error)": "error",
};

export function nameOf(name: string): string {
  return OTHER_WORDS[name] ?? oneLine(name);
}

export function cutName(name: string): string {
  const text = nameOf(name);
  return text.length > 26 ? `${text.slice(0, 25)}…` : text;
}

export function placeOf(expected: string, fired: string): string {
  return `${expected}\0${fired}`;
}

export function isMistake({ wrong, fired }: Cell): boolean {
  return wrong > 0 || fired === "(error)";
}

/** Neither right nor wrong. */
function isUntold({ fired }: Cell): boolean {
  return fired === "(error)" || fired === "(cannot tell)";
}

export function styleOf({ fired, wrong, trials }: Cell, most: number): string {
  if (fired === "(error)") return "error";
  if (fired === "(cannot tell)") return "unsure";
  if (wrong === 0) return "right";
  const share = wrong / most;
  return `wrong s${share > 0.66 ? 4 : share > 0.33 ? 3 : share > 0.1 ? 2 : 1}${wrong < trials ? " partly" : ""}`;
}

export function titleOf(cell: Cell): string {
  const { expected, fired, trials, wrong } = cell;
  const what = isUntold(cell) ? nameOf(fired) : `fired ${nameOf(fired)}`;
  return `expected ${nameOf(expected)}, ${what}: ${count(trials, "trial")}${isUntold(cell) ? "" : `, ${number(wrong)} wrong`}`;
}

/** The largest wrong cell, which gets the darkest colour. */
export function mostWrong(cells: readonly Cell[]): number {
  return cells.reduce((most, { wrong }) => Math.max(most, wrong), 1);
}

/** Rivals side by side; outcomes other than skills last. */
export function axes(cells: Cell[], order: readonly string[]): { rows: string[]; columns: string[] } {
  const place = new Map(order.map((skill, at) => [skill, at]));
  // Several skills together stand beside the first of them.
  const of = (name: string) =>
    place.get(name) ??
    place.get(name.split(" + ")[0] ?? "") ??
    (OTHERS.includes(name) ? 1e6 + OTHERS.indexOf(name) : 1e5);
  const by = (a: string, b: string) => of(a) - of(b) || (a < b ? -1 : 1);
  return {
    rows: [...new Set(cells.map(({ expected }) => expected))].sort(by),
    columns: [
      ...new Set(cells.flatMap(({ expected, fired }) => (order.includes(expected) ? [expected, fired] : [fired]))),
    ].sort(by),
  };
}
