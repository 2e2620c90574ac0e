import type { SkillScores, Steal, TargetScores } from "../../../model/index.ts";
import { mean } from "../statistics/distributions.ts";
import { hardnessOf, type RatedQuestion, ratesOf } from "./rates.ts";

export function scoreSkills(entries: RatedQuestion[], steals: Steal[]): SkillScores[] {
  const taken = new Map<string, SkillScores["takesFrom"]>();
  for (const { thief, victim: skill, prompts, trials } of steals) {
    const known = taken.get(thief);
    if (known === undefined) taken.set(thief, [{ skill, prompts, trials }]);
    else known.push({ skill, prompts, trials });
  }
  const bySkill = new Map<string, RatedQuestion[]>();
  for (const entry of entries) {
    if (entry.score.skill === undefined) continue;
    const list = bySkill.get(entry.score.skill);
    if (list === undefined) bySkill.set(entry.score.skill, [entry]);
    else list.push(entry);
  }
  return [...bySkill]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([skill, own]) => {
      const negatives = own.filter((entry) => entry.score.role === "negative");
      const nearest = nearestSibling(skill, negatives);
      return {
        skill,
        ...ratesOf(own),
        negatives: { ...hardnessOf(negatives), nearestSibling: nearest },
        takesFrom: taken.get(skill) ?? [],
      };
    });
}

function nearestSibling(skill: string, negatives: RatedQuestion[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { score } of negatives) {
    for (const expected of score.expected)
      if (expected !== skill) counts.set(expected, (counts.get(expected) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

export function macroOf(skills: SkillScores[]): TargetScores["macro"] {
  const over = (pick: (skill: SkillScores) => number | null) =>
    mean(skills.map(pick).filter((value) => value !== null));
  return {
    score: over((skill) => skill.score.value),
    recall: over((skill) => skill.recall.value),
    fpr: over((skill) => skill.fpr.value),
    precision: over((skill) => skill.precision.value),
    f1: over((skill) => skill.f1.value),
    skills: skills.length,
  };
}
