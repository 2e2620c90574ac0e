import { nearest, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { namesOf } from "../../exam/find/index.ts";
import { suiteProblem } from "../../formats/index.ts";
import type { Library, Suite, Trigger } from "../../model/index.ts";

export const suiteNameRules = {
  "suite/ambiguous-skill": { severity: "error", title: "A suite names a skill that the library has twice" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(suiteNameRules);

export function checkNames(suite: Suite, library: Library): Problem[] {
  const names = namesOf(library);
  const bad = new Map<string, { first: Trigger; count: number; ambiguous?: string[] }>();
  for (const trigger of suite.triggers) {
    const { required_skills, forbidden_skills, also_fine } = trigger.expect;
    for (const name of new Set([...required_skills, ...forbidden_skills, ...also_fine])) {
      const known = bad.get(name);
      if (known !== undefined) known.count++;
      else {
        const found = names.resolve(name, suite.file);
        if (found === undefined) bad.set(name, { first: trigger, count: 1 });
        else if ("ambiguous" in found)
          bad.set(name, { first: trigger, count: 1, ambiguous: found.ambiguous.map((skill) => skill.id) });
      }
    }
  }
  if (bad.size === 0) return [];
  const known = library.skills.flatMap((skill) => [skill.id, skill.name]);
  return [...bad].map(([name, { first, count, ambiguous }]) => {
    const questions = count === 1 ? "This question is" : `${count} questions are`;
    if (ambiguous !== undefined) {
      return problem("suite/ambiguous-skill", {
        message: `"${name}" can be ${ambiguous.join(" or ")}. ${questions} not asked.`,
        fix: `Write the full id, such as ${ambiguous[0]}.`,
        location: first.source,
      });
    }
    const [near] = nearest(name, known, 1);
    return suiteProblem("suite/unknown-skill", {
      // A name close to a known one is a typo; any other probably belongs to a skill that was removed.
      severity: near === undefined ? "warning" : "error",
      message: `There is no skill "${name}" in the library. ${questions} not asked.`,
      fix:
        near === undefined
          ? "Correct the name, or delete the questions of a skill that is gone."
          : `Did you mean ${near}?`,
      location: first.source,
    });
  });
}
