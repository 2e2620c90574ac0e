import type { SkillInvocation } from "../../model/index.ts";
import { type Prediction, predictedVerdict } from "../../model/index.ts";

export interface OpenSkills {
  /** Required skills and those of `also_fine`. */
  wanted: string[];
  /** Skills that can only fail the question. */
  others: string[];
}

const ANY_OTHER = "another skill";

/**
 * The undecided skills a question depends on; undefined if there are none. A miss is claimed only on strong evidence.
 * Sharing few words with the prompt is weak evidence, because people paraphrase: a required skill that stays silent
 * while no other fires is undecided, unless its card excludes the prompt.
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
