import type { SkillInvocation } from "../../model/index.ts";
import { type Prediction, predictedVerdict } from "../../model/index.ts";

/** Skills of which a prediction cannot tell whether they fire. */
export interface OpenSkills {
  /** Skills that the question requires or allows instead. */
  wanted: string[];
  /** Skills that may only harm. */
  others: string[];
}

/** Stands for any unranked skill. */
const ANY_OTHER = "another skill";

/**
 * What a question hangs on and its prediction cannot tell; undefined where it can tell everything. A miss is claimed
 * only on strong evidence. That a card shares little with a prompt is weak: people paraphrase. So a required skill that
 * is silent while nobody else fires stays open, unless its card excludes the prompt.
 */
export function openSkills(
  config: SkillInvocation,
  fired: readonly string[],
  prediction: Prediction | undefined,
): OpenSkills | undefined {
  if (prediction?.silentBelow === undefined) return undefined;
  const { required_skills: required, forbidden_skills: forbidden, also_fine: fine, allow_extra } = config;
  const wanted = new Set([...required, ...fine]);
  const siblingFires = fired.some((skill) => !wanted.has(skill));
  const isOpen = (skill: string) => {
    if (fired.includes(skill)) return false;
    const verdict = predictedVerdict(prediction, skill);
    return verdict === "uncertain" || (required.includes(skill) && !siblingFires && !isExcluded(prediction, skill));
  };
  const ranked = () => [...prediction.ranking.map(({ skill }) => skill), ...(prediction.uncertain ?? [])];
  const others = allow_extra && config.mode !== "exact_match" ? forbidden : [...forbidden, ...ranked()];
  const open = {
    wanted: [...wanted].filter(isOpen),
    others: [...new Set(others)].filter((skill) => !wanted.has(skill) && isOpen(skill)),
  };
  if (!allow_extra && (prediction.unsure === "language" || prediction.unsure === "nobody")) open.others.push(ANY_OTHER);
  return open.wanted.length + open.others.length === 0 ? undefined : open;
}

function isExcluded({ ranking }: Prediction, skill: string): boolean {
  return ranking.some((ranked) => ranked.skill === skill && ranked.excluded === true);
}
