import type { Library, QuestionLine } from "../../../model/index.ts";

/**
 * Every positive as a negative of each sibling: the same ask, graded once more per sibling, and nothing new is asked.
 * A sibling whose suite wants the same prompt, or that is also fine, is left out; so is one that has this very negative already.
 */
export function crossQuestions(questions: readonly QuestionLine[], library: Library): QuestionLine[] {
  const settled = new Map<string, Set<string>>();
  for (const { ask, expect } of questions) {
    if (expect === undefined) continue;
    const skills = settled.get(ask) ?? new Set();
    for (const skill of [...expect.required_skills, ...expect.also_fine, ...expect.forbidden_skills]) skills.add(skill);
    settled.set(ask, skills);
  }
  const crossed: QuestionLine[] = [];
  for (const line of questions) {
    if (!line.positive || line.expect === undefined || line.invalid !== undefined) continue;
    // `!`: set above for every ask.
    const known = settled.get(line.ask)!;
    for (const skill of library.skills) {
      if (known.has(skill.id) || !skill.modelInvocable) continue;
      known.add(skill.id);
      crossed.push({
        ...line,
        id: `${line.id}~${skill.id}`,
        skill: skill.id,
        runs: { ...line.runs },
        skipped: { ...line.skipped },
        positive: false,
        expect: {
          required_skills: [],
          forbidden_skills: [skill.id],
          also_fine: [],
          mode: "any_order",
          allow_extra: true,
        },
        cross: true,
      });
    }
  }
  return crossed;
}
