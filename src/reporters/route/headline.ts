import { oneLine } from "../text/fit-text.ts";
import { shellWord } from "../text/shell.ts";
import type { RoutedLibrary, RoutedRow } from "./routed.ts";

export interface Headline {
  text: string;
  tone: "good" | "doubtful" | "bad";
  /** What to do now. */
  next: string;
}

/** The answer in one sentence: which skill fires, by how much, and what is missing when none does. `ask` is how to have it from somebody who knows more. */
export function routeHeadline(
  { ranking, needs, unknown, unsure, skills }: RoutedLibrary,
  where: string,
  ask: string,
): Headline {
  const firing = ranking.filter(({ verdict }) => verdict === "fires");
  const [best, second] = ranking;
  if (unsure === "language") return { ...CANNOT_TELL, next: ask, text: OTHER_LANGUAGE };
  if (best === undefined) return { ...CANNOT_TELL, text: unknown.length > 0 ? NO_SHARED_WORD : NO_TOPIC };
  const [winner, rival] = firing;
  if (winner === undefined)
    return noneFires(best, second, { needs, alone: unsure === "alone", told: unsure === undefined });
  if (rival !== undefined) return severalFire(winner, rival, firing.length, where);
  // What scores more may be too doubtful to fire.
  if (best !== winner) {
    const doubtful = `${oneLine(best.skill)} ${whyNot(best, needs)}`;
    return {
      text: `${oneLine(winner.skill)} fires (${score(winner)}). Cannot tell for the best match: ${doubtful}.`,
      tone: "doubtful",
      next: collisions(best, where),
    };
  }
  const ahead =
    second === undefined
      ? unsure === "alone" || skills === 1
        ? "and it is the only skill here"
        : "and no other skill comes close"
      : `${gap(winner, second)} ahead of ${oneLine(second.skill)}`;
  const isNear = second?.verdict === "uncertain";
  return {
    text: `${oneLine(winner.skill)} fires (${score(winner)}), ${ahead}${isNear ? ", for which it cannot tell" : ""}.`,
    tone: isNear ? "doubtful" : "good",
    next: isNear ? collisions(second, where) : ask,
  };
}

const OTHER_LANGUAGE = "Cannot tell: the query is not in the language of the cards.";
const NO_SHARED_WORD =
  "Cannot tell: this query shares no telling word with any card. An agent may still understand it.";
const NO_TOPIC = "Cannot tell: no word of this query says what it is about.";

const CANNOT_TELL = {
  tone: "doubtful",
  next: "if one of these skills should win, put the words that people use into its description, then ask again",
} as const satisfies Partial<Headline>;

function noneFires(
  best: RoutedRow,
  second: RoutedRow | undefined,
  { needs, alone, told }: { needs: number; alone: boolean; told: boolean },
): Headline {
  const runnerUp = second === undefined ? "" : ` ${oneLine(second.skill)} is ${gap(best, second)} behind it.`;
  const match = `The best match, ${oneLine(best.skill)}, ${whyNot(best, needs)}.${runnerUp}`;
  if (told) return { ...CANNOT_TELL, tone: "bad", text: `No skill fires. ${match}` };
  const why = alone ? " It is the only skill, so nothing could win instead." : "";
  return { ...CANNOT_TELL, text: `Cannot tell. ${match}${why}` };
}

/** A score that is high enough fires nothing while it rests on one word, or while the card excludes some of the query. */
function whyNot(best: RoutedRow, needs: number): string {
  if (best.probability >= needs && best.excluded === true)
    return `has ${score(best)}, but its card says that it is not for some of this`;
  if (best.probability >= needs) return `has ${score(best)}, but rests on one word of the query`;
  return `has ${score(best)} and needs ${needs.toFixed(2)}: ${(needs - best.probability).toFixed(2)} short`;
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
