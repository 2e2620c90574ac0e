import { checkGrader, type SkillInvocation } from "../graders/index.ts";
import { findSkill, type Library } from "../skills/index.ts";
import { type Question, renderTemplate, resolveExpect } from "../suites/index.ts";

/** A question with the ids of the library's skills for its names, or why it cannot be asked. */
export function resolveQuestion(question: Question, library: Library): { skill?: string; expect?: SkillInvocation; invalid?: string } {
  const found = question.skill === undefined ? undefined : findSkill(library, question.skill);
  const skill = found?.length === 1 ? found[0]!.id : undefined;
  if (question.kind === "trigger") {
    const expect = resolveExpect(question.expect, library, question.source.file);
    return {
      ...((skill ?? question.skill) !== undefined && { skill: (skill ?? question.skill)! }),
      ...("invalid" in expect ? expect : { expect }),
    };
  }
  if (question.skill !== undefined && skill === undefined) {
    return {
      skill: question.skill,
      invalid: `${found!.length > 1 ? "several skills are called" : "there is no skill"} "${question.skill}" in the library`,
    };
  }
  return { ...(skill !== undefined && { skill }), ...invalidTemplate(question), ...invalidGraders(question.graders) };
}

function invalidTemplate({ template }: Extract<Question, { kind: "case" }>): { invalid?: string } {
  const missing = template === undefined ? [] : renderTemplate(template).missing;
  return missing.length === 0 ? {} : { invalid: `its inputs give no value for ${missing.map((name) => `{{${name}}}`).join(", ")}` };
}

function invalidGraders(graders: Extract<Question, { kind: "case" }>["graders"]): { invalid?: string } {
  if (graders.length === 0) return { invalid: "it has nothing to check" };
  for (const spec of graders) {
    const checked = checkGrader(spec);
    if (checked.status === "rejected")
      return { invalid: `grader ${spec.name ?? spec.type}: ${checked.rejections.map((one) => one.message).join("; ")}` };
  }
  return {};
}
