import type { Unsure } from "../tallies/unsure.ts";

/** One line on why a predicting target could not tell. */
export function whyUnsure({ reason, open, fired, needs, silentBelow, locked }: Unsure): string {
  const [first] = open;
  // Enough of a score to fire, were it not for a single word.
  if (first !== undefined && first.score >= needs && (reason === "weak" || reason === "near"))
    return `Cannot tell: the score of ${first.skill} (${first.score.toFixed(2)}) rests on one word of the prompt${oneWord(first.words)}.`;
  switch (reason) {
    case "language":
      return "Cannot tell: the prompt is not in the language of the cards.";
    case "words":
      return "Cannot tell: the prompt shares little or nothing with the card.";
    case "locked":
      return `Cannot tell: ${locked ?? "the skill"} has disable-model-invocation, and hosts that honour it never offer it to a model.`;
    case "alone":
      return `Cannot tell: ${scores(open)}the library has one skill, and nothing else could win.`;
    case "excluded":
      return `Cannot tell: ${scores(open)}its card says that it is not for some of what the prompt names.`;
    case "near":
      return `Cannot tell: ${scores(open)}${fired === undefined ? "more than one card is about as close" : `${fired} fires`}${limits(needs, silentBelow)}.`;
    case "weak":
      return first !== undefined && first.score < silentBelow
        ? `Cannot tell: ${scores(open)}too little to go by, and no other skill surely wins.`
        : `Cannot tell: ${scores(open)}too little to go by${limits(needs, silentBelow)}.`;
  }
}

function oneWord([word]: readonly string[]): string {
  return word === undefined ? "" : `, "${word}"`;
}

function scores(open: Unsure["open"]): string {
  return open.length === 0 ? "" : `${open.map(({ skill, score }) => `${skill} ${score.toFixed(2)}`).join(", ")}; `;
}

function limits(needs: number, silentBelow: number): string {
  return ` (a skill fires from ${needs.toFixed(2)}, and is silent below ${silentBelow.toFixed(2)})`;
}
