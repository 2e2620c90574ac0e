import { canonicalJson } from "../../../base/index.ts";
import { contentHash, promptOf } from "../../../formats/index.ts";
import type { Question, Suite } from "../../../model/index.ts";
import { ownGraders, unaskable } from "./native.ts";

export function missingQuestions(before: readonly Suite[], after: readonly Suite[], root: string): Question[] {
  const there = new Map<string, number>();
  const keysOf = (suite: Suite) =>
    [...suite.triggers, ...suite.cases].map((question) => ({ means: meaningOf(question, suite, root), question }));
  for (const key of after.flatMap(keysOf)) there.set(key.means, (there.get(key.means) ?? 0) + 1);
  return before.flatMap(keysOf).flatMap(({ means, question }) => {
    const left = there.get(means) ?? 0;
    if (left > 0) there.set(means, left - 1);
    return left > 0 ? [] : [question];
  });
}

function meaningOf(question: Question, suite: Suite, root: string): string {
  const { defaults } = suite;
  const { kind, skill, messages, tags, skip, skipProviders, split, notes, draft, limits } = question;
  const common = {
    kind,
    skill,
    messages,
    tags,
    skipProviders,
    split,
    notes,
    draft,
    // A question that cannot be asked counts as skipped.
    isSkipped: skip !== undefined || unaskable(question) !== undefined,
    files: question.files.map((file) => [file.path, contentHash(file)]),
    runs: question.runs ?? defaults.runs,
    limits: { ...limits, timeoutSeconds: limits.timeoutSeconds ?? defaults.timeoutSeconds },
  };
  if (question.kind === "trigger") {
    const { forbidden_skills: forbidden, also_fine: fine } = question.expect;
    const expect = { ...question.expect, forbidden_skills: forbidden.toSorted(), also_fine: fine.toSorted() };
    return canonicalJson({ ...common, query: question.query, expect, models: question.models ?? [] });
  }
  const { name, expectedOutput, models } = question;
  return canonicalJson({
    ...common,
    name,
    expectedOutput,
    models,
    prompt: promptOf(question),
    graders: ownGraders(question, suite, root),
  });
}
