import { oneLine } from "../text/fit-text.ts";
import { shellWord } from "../text/shell.ts";
import type { RoutedLibrary, RoutedRow } from "./routed.ts";

export interface Headline {
  text: string;
  tone: "good" | "doubtful" | "bad";
  /** What to do now. */
  next: string;
}

/** The answer in one sentence: who fires, by how much, and what is missing where nobody does. */
export function routeHeadline({ ranking, needs, unknown }: RoutedLibrary, where: string): Headline {
  const firing = ranking.filter(({ verdict }) => verdict === "fires");
  const [best, second] = ranking;
  if (best === undefined) return { ...NOBODY, text: unknown.length > 0 ? "Nobody fires: no card has a word of this query." : WORDLESS };
  if (firing.length === 0) return noneFires(best, second, needs);
  const [winner, rival] = firing;
  if (rival !== undefined) return severalFire(winner!, rival, firing.length, where);
  const ahead = second === undefined ? "nobody else comes into question" : `${gap(winner!, second)} ahead of ${oneLine(second.skill)}`;
  const unsure = second?.verdict === "uncertain";
  return {
    text: `${oneLine(winner!.skill)} fires (${score(winner!)}), ${ahead}${unsure ? ", which is uncertain" : ""}.`,
    tone: unsure ? "doubtful" : "good",
    next: unsure ? collisions(second, where) : `a real agent decides: proctor run${where} -t claude:haiku`,
  };
}

const WORDLESS = "Nobody fires: no word of this query says what it is about.";

const NOBODY = {
  tone: "bad",
  next: "put the words people use into the description that should win, and ask again",
} as const satisfies Partial<Headline>;

function noneFires(best: RoutedRow, second: RoutedRow | undefined, needs: number): Headline {
  const short = (needs - best.probability).toFixed(2);
  const runnerUp = second === undefined ? "" : ` ${oneLine(second.skill)} is ${gap(best, second)} behind it.`;
  const text = `Nobody fires. The best match, ${oneLine(best.skill)}, has ${score(best)} and needs ${needs.toFixed(2)}: ${short} short.${runnerUp}`;
  return best.verdict === "uncertain"
    ? { ...NOBODY, text: `${text} That is close: it may well fire.`, tone: "doubtful" }
    : { ...NOBODY, text };
}

function severalFire(winner: RoutedRow, rival: RoutedRow, firing: number, where: string): Headline {
  const who =
    firing === 2
      ? `${oneLine(winner.skill)} and ${oneLine(rival.skill)} both fire`
      : `${firing} skills fire, ${oneLine(winner.skill)} first`;
  return {
    text: `${who}: ${score(winner)} and ${score(rival)}, a margin of ${gap(winner, rival)}.`,
    tone: "doubtful",
    next: collisions(winner, where),
  };
}

function collisions({ skill }: RoutedRow, where: string): string {
  return `proctor collisions${where} --skill ${shellWord(oneLine(skill))}`;
}

function score({ probability }: RoutedRow): string {
  return probability.toFixed(2);
}

function gap(a: RoutedRow, b: RoutedRow): string {
  return (a.probability - b.probability).toFixed(2);
}
