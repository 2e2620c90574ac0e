import type { Identity } from "../records/index.ts";
import type { Question, Suite } from "../suites/index.ts";
import type { ExamOptions } from "./options.ts";
import { ownTargets } from "./own-targets.ts";
import type { PlannedTarget } from "./plan.ts";

/** Why a question is not put to a target; undefined = it is. */
export function whySkipped(question: Question, { target, identity }: PlannedTarget): string | undefined {
  if (question.skip !== undefined) return question.skip;
  const answers = target.answers[question.kind];
  if (answers !== true) return answers;
  const { provider, model } = identity;
  if (provider !== undefined && question.skipProviders.includes(provider)) return `the suite skips ${provider}`;
  if (
    question.kind === "case" &&
    question.models.length > 0 &&
    model !== undefined &&
    !question.models.some((name) => isModel(name, model))
  ) {
    return `the suite asks ${question.models.join(", ")} only`;
  }
  return undefined;
}

/** `haiku`, `claude-haiku-4-5` and `anthropic/claude-haiku-4-5` can be `claude-haiku-4-5-20251001`; `gpt-5` is not `gpt-5-mini`. */
function isModel(written: string, model: string): boolean {
  const [a, b] = [written, model].map((name) =>
    name
      .toLowerCase()
      .split("/")
      .at(-1)!
      .replace(/-\d{8}$/, ""),
  );
  if (a === b) return true;
  const parts = b!.split("-");
  return !a!.includes("-") && /^[a-z]+$/.test(a!) && parts.includes(a!);
}

export function runsOf(question: Question, suite: Suite, identity: Identity, { runs, confidence, maxRuns }: ExamOptions): number {
  if (identity.deterministic) return 1;
  if (confidence !== undefined) return maxRuns;
  return runs.flag ?? question.runs ?? suite.defaults.runs ?? (question.kind === "trigger" ? runs.triggers : runs.cases);
}

/** Where nobody was named, a suite is put to its own targets only. */
export function notIts(suite: Suite, question: Question, { target }: PlannedTarget): string | undefined {
  const its = ownTargets(suite)[question.kind];
  return its === target.id ? undefined : `the suite's own target is ${its}`;
}
