import { oneLine } from "../text/fit-text.ts";
import { shellWord } from "../text/shell.ts";
import type { RoutedLibrary, RoutedRow } from "./routed.ts";

export interface Headline {
  text: string;
  tone: "good" | "doubtful" | "bad";
  /** What to do now. */
  next: string;
}

/** The answer in one sentence: which skill fires, by how much, and what is missing when none does. */
export function routeHeadline({ ranking, needs, unknown }: RoutedLibrary, where: string): Headline {
  const firing = ranking.filter(({ verdict }) => verdict === "fires");
  const [best, second] = ranking;
  if (best === undefined) return { ...NONE_FIRES, text: unknown.length > 0 ? NO_SHARED_WORD : NO_TOPIC };
  const [winner, rival] = firing;
  if (winner === undefined) return noneFires(best, second, needs);
  if (rival !== undefined) return severalFire(winner, rival, firing.length, where);
  const ahead = second === undefined ? "and no other skill comes close" : `${gap(winner, second)} ahead of ${oneLine(second.skill)}`;
  const unsure = second?.verdict === "uncertain";
  return {
    text: `${oneLine(winner.skill)} fires (${score(winner)}), ${ahead}${unsure ? ", which is uncertain" : ""}.`,
    tone: unsure ? "doubtful" : "good",
    next: unsure ? collisions(second, where) : `ask a real agent: proctor run${where} -t claude:haiku`,
  };
}

const NO_SHARED_WORD = "No skill fires: no word of this query is on any card.";
const NO_TOPIC = "No skill fires: no word of this query says what it is about.";

const NONE_FIRES = {
  tone: "bad",
  next: "put the words that people use into the description that should win, then ask again",
} as const satisfies Partial<Headline>;

function noneFires(best: RoutedRow, second: RoutedRow | undefined, needs: number): Headline {
  const short = (needs - best.probability).toFixed(2);
  const runnerUp = second === undefined ? "" : ` ${oneLine(second.skill)} is ${gap(best, second)} behind it.`;
  const text = `No skill fires. The best match, ${oneLine(best.skill)}, has ${score(best)} and needs ${needs.toFixed(2)}: ${short} short.${runnerUp}`;
  return best.verdict === "uncertain"
    ? { ...NONE_FIRES, text: `${text} That is close: it may well fire.`, tone: "doubtful" }
    : { ...NONE_FIRES, text };
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
