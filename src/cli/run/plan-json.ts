import { rounded } from "../../reporters/index.ts";
import type { RunPlan } from "../../verbs/index.ts";

/** What `--dry-run --json` prints: the plan, what it would take and what it would see, for programs; of several libraries, a list. Within a version, keys are added but never changed or removed. */
export function planJson(plans: readonly RunPlan[]): string {
  const [first, ...others] = plans.map(planOf);
  const report = others.length === 0 ? first : { version: 1, libraries: [first, ...others] };
  return `${JSON.stringify(report, rounded, 2)}\n`;
}

function planOf({ library, questions, partial, estimates, drops, notices }: RunPlan) {
  return {
    version: 1,
    library: { name: library.name, skills: library.skills.length, fingerprint: library.fingerprint },
    questions: questions.length,
    prompts: new Set(questions.map(({ ask }) => ask)).size,
    partial,
    notices,
    targets: estimates.map((estimate) => {
      const { target: _, ...seen } = drops.find(({ target }) => target === estimate.target) ?? {
        target: estimate.target,
      };
      return { ...estimate, drop: seen };
    }),
  };
}
