import type { Activation, Prediction, QuestionLine, Ranked, UnsureReason } from "../../../model/index.ts";

export interface Unsure {
  reason: UnsureReason;
  needs: number;
  silentBelow: number;
  /** The skills it depends on, nearest first; empty if no card shares a word with the prompt. */
  open: RankedSkill[];
  locked?: string;
  fired?: string;
}

export type RankedSkill = Pick<Ranked, "skill" | "score" | "words" | "excluded">;

export function unsureOf({ expect }: QuestionLine, prediction: Prediction, counted: readonly Activation[]): Unsure {
  const { ranking, needs, silentBelow = needs } = prediction;
  const named = new Set([
    ...(expect?.required_skills ?? []),
    ...(expect?.forbidden_skills ?? []),
    ...(expect?.also_fine ?? []),
  ]);
  const asked = (skill: string) => expect?.allow_extra === false || named.has(skill);
  const fired = new Set(counted.map(({ skill }) => skill));
  const open = ranking.filter(({ skill }) => asked(skill) && !fired.has(skill));
  return {
    reason: reasonOf(prediction, open, {
      someoneFires: fired.size > 0,
      isListed: prediction.uncertain?.some(asked) === true,
    }),
    needs,
    silentBelow,
    open: open.slice(0, 2).map(({ skill, score, words }) => ({ skill, score, words: words.slice(0, 6) })),
    fired: counted[0]?.skill,
  };
}

/** Scores closer than this count as equal. */
const NEAR = 0.15;

function reasonOf(
  { unsure, ranking, needs }: Prediction,
  open: readonly Ranked[],
  { someoneFires, isListed }: { someoneFires: boolean; isListed: boolean },
): UnsureReason {
  if (unsure === "language" || unsure === "alone") return unsure;
  const [own] = open;
  if (own === undefined && isListed) return "near";
  if (own === undefined || own.words.length === 0) return "words";
  if (own.excluded === true && own.score >= needs) return "excluded";
  const best = ranking.find(({ skill }) => skill !== own.skill);
  return someoneFires || (best !== undefined && Math.abs(best.score - own.score) <= NEAR) ? "near" : "weak";
}

export function whyUnsure({ reason, open, fired, needs, silentBelow, locked }: Unsure): string {
  const [first] = open;
  // Its score is high enough to fire but rests on a single word.
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
