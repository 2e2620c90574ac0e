import { dirname } from "node:path";
import { noteText } from "../../../base/index.ts";
import { checksNothing, inlineSchemas, renderTemplate, resolveExpect } from "../../../formats/index.ts";
import { checkGrader, isGraderType } from "../../../graders/index.ts";
import type { Case, Library, Question, SkillInvocation } from "../../../model/index.ts";
import { findSkill } from "../../find/index.ts";

interface ResolvedNames {
  skill?: string;
  expect?: SkillInvocation;
  invalid?: string;
}

export function resolveQuestion(question: Question, library: Library): ResolvedNames {
  const resolved = resolveNames(question, library);
  const [fault] = question.faults ?? [];
  return fault === undefined ? resolved : { ...resolved, invalid: resolved.invalid ?? fault.message };
}

function resolveNames(question: Question, library: Library): ResolvedNames {
  const found = question.skill === undefined ? [] : findSkill(library, question.skill);
  const skill = found.length === 1 ? found[0]?.id : undefined;
  if (question.kind === "trigger") {
    const expect = resolveExpect(question.expect, library, question.source.file);
    const own = skill ?? question.skill;
    if ("invalid" in expect) return { skill: own, invalid: expect.invalid };
    return { skill: own, expect, invalid: checksNothing(expect) ? "it has nothing to check" : undefined };
  }
  if (question.skill !== undefined && skill === undefined) {
    const what = found.length > 1 ? "several skills are called" : "there is no skill";
    return { skill: question.skill, invalid: `${what} "${question.skill}" in the library` };
  }
  return { skill, invalid: invalidGraders(question, library) ?? invalidTemplate(question) };
}

function invalidTemplate({ template }: Case): string | undefined {
  const missing = template === undefined ? [] : renderTemplate(template).missing;
  return missing.length === 0
    ? undefined
    : `its inputs give no value for ${missing.map((name) => `{{${name}}}`).join(", ")}`;
}

function invalidGraders({ graders, source }: Case, { root }: Library): string | undefined {
  if (graders.length === 0) return "it has nothing to check";
  const known = graders.filter(({ type }) => isGraderType(type));
  if (known.length === 0)
    return `there is no grader ${[...new Set(graders.map(({ type }) => `\`${type}\``))].join(", ")}, and it has no other`;
  for (const spec of inlineSchemas(known, source.file, root)) {
    const checked = checkGrader(spec, dirname(source.file));
    if (checked.status === "rejected")
      return `grader ${spec.name ?? spec.type}: ${checked.rejections.map(noteText).join("; ")}`;
  }
  return undefined;
}
