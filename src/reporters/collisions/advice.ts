import type { CollidingPair } from "../../cards/index.ts";

/** What to do about a pair, in one sentence. */
export function pairAdvice({ skills: [a, b], overlap, taken: [fromA, fromB], phrases }: CollidingPair): string {
  // Where one card names the other skill, that name is shared, too, but there is nothing to narrow in it.
  const shared = phrases.filter((phrase) => ![a, b].some((id) => localName(id) === phrase.toLowerCase()));
  if (localName(a) === localName(b))
    return `Two skills share a name: say in the first words of each which ${a.includes(":") ? "product" : "case"} it is for, or keep only one.`;
  if (overlap >= 0.7)
    return "The cards say nearly the same: merge the skills, or start each card with what only that skill does.";
  if (fromA >= 0.5 && fromA >= 2 * fromB) return narrow(b, a);
  if (fromB >= 0.5 && fromB >= 2 * fromA) return narrow(a, b);
  const claimed = shared.find((phrase) => /\s/.test(phrase));
  const fires = fromA > 0 || fromB > 0;
  // A word or two in common is no claim: what each does with them tells the skills apart.
  if (claimed === undefined && !fires)
    return `They have words in common${shared.length === 0 ? "" : ` (${shared.slice(0, 3).join(", ")})`}, but neither fires on what the other is for: nothing to do unless prompts go astray.`;
  const both = claimed === undefined ? "are about much the same" : `mention "${claimed}"`;
  return `Both ${both}${fires ? "" : ", but neither fires on the other's clauses yet"}: say in each what only it does, and name the other for the rest ("For …, use ${b}").`;
}

/** One skill takes prompts from the other. What both are about belongs to both: what each does with it tells them apart. */
function narrow(taker: string, loser: string): string {
  return `${taker} takes from ${loser}: say in ${taker} what it is not for, and which skill is ("Not for …, use ${loser}").`;
}

function localName(id: string): string {
  return id.slice(Math.max(id.lastIndexOf(":"), id.lastIndexOf("/")) + 1);
}
