import { KEYWORDS_NEED, type KeywordSource, keywordOverlap } from "../exam/find/index.ts";
import type { Ranked } from "../model/index.ts";

/** The keyword overlap of waza's `trigger` grader, for comparison. Best first, without skills that share nothing. */
export function createKeywordRouter(skills: readonly (KeywordSource & { id: string })[]): (query: string) => Ranked[] {
  const known = skills.map((skill) => ({ id: skill.id, overlap: keywordOverlap(skill) }));
  return (query) => {
    const ranking: Ranked[] = [];
    for (const { id, overlap } of known) {
      const { score, words } = overlap(query);
      if (score > 0)
        ranking.push({
          skill: id,
          score,
          probability: score,
          verdict: score >= KEYWORDS_NEED ? "fires" : "silent",
          words,
        });
    }
    return ranking.sort((a, b) => b.score - a.score);
  };
}
