import { withWayOut } from "../../base/index.ts";
import { type Judge, needsJudge } from "../../graders/index.ts";
import type { PreparedExam } from "../../plan/index.ts";
import { loadModels } from "../../targets/index.ts";

/** The judge of free text, when a grader of what is really asked needs one and a model is named for it. A missing key is said before anything is asked. */
export async function textJudgeOf({ plan, options, models }: PreparedExam): Promise<Judge | undefined> {
  const checks = plan.asks.flatMap(({ questions }) => questions.map(({ check }) => check));
  const specs = checks.flatMap((check) => ("graders" in check ? check.graders.filter(needsJudge) : []));
  const named = specs.flatMap(({ config }) => (config as { model?: string }).model ?? []);
  if (specs.length === 0 || (named.length === 0 && options.judge === undefined)) return undefined;
  const { textJudge } = await loadModels();
  try {
    return await textJudge(named, { ...models, always: options.judge });
  } catch (error) {
    throw withWayOut(error, "It judges the text of cases: --only triggers asks none, and -t embedded predicts the triggers offline.");
  }
}
