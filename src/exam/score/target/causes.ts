import type { Cause, Causes, QuestionScore } from "../../../model/index.ts";
import type { RatedQuestion } from "./rates.ts";

const causeOrder: Cause[] = [
  "refused",
  "not_shown",
  "sibling",
  "asked_back",
  "unused",
  "not_as_expected",
  "misfire",
  "check",
  "error",
];

export function causesOf(entries: RatedQuestion[]): Causes {
  const misses = new Map<Cause, { cause: Cause; trials: number; questions: number }>();
  const misfires = new Map<string, { skill: string; trials: number; questions: number }>();
  for (const { score, hitShare } of entries) {
    if (score.positive) {
      for (const cause of causeOrder) {
        const trials = score.causes[cause] ?? 0;
        if (trials === 0) continue;
        const sum = misses.get(cause) ?? { cause, trials: 0, questions: 0 };
        misses.set(cause, {
          cause,
          trials: sum.trials + trials,
          questions: sum.questions + (score.cause === cause ? 1 : 0),
        });
      }
    }
    if (score.role === "negative" && (hitShare ?? 0) > 0) {
      const culprits = score.positive ? score.fired.filter(({ skill }) => skill === score.skill) : score.fired;
      for (const { skill, trials } of culprits) {
        const sum = misfires.get(skill) ?? { skill, trials: 0, questions: 0 };
        misfires.set(skill, { skill, trials: sum.trials + trials, questions: sum.questions + 1 });
      }
    }
  }
  return {
    misses: [...misses.values()].sort(
      (a, b) =>
        b.questions - a.questions || b.trials - a.trials || causeOrder.indexOf(a.cause) - causeOrder.indexOf(b.cause),
    ),
    misfires: [...misfires.values()].sort(
      (a, b) => b.questions - a.questions || b.trials - a.trials || (a.skill < b.skill ? -1 : 1),
    ),
  };
}

/** The most frequent cause; `error` only if no trial was measured as wrong. */
export function mainCause(causes: QuestionScore["causes"]): Cause | undefined {
  let most: Cause | undefined;
  let trials = 0;
  for (const cause of causeOrder) {
    const own = cause === "error" ? 0 : (causes[cause] ?? 0);
    if (own <= trials) continue;
    most = cause;
    trials = own;
  }
  return most ?? (causes.error === undefined ? undefined : "error");
}
