import { meansFalse } from "../../base/index.ts";
import type { Skill } from "../../model/index.ts";
import type { Finding } from "../host.ts";
import { some } from "../sentence-parts.ts";

/** `agents/openai.yaml` is Codex's own file about a skill; only its policy affects activation. */
export function findings(skills: readonly Skill[]): Finding[] {
  return [...skills.flatMap(unreadable), ...implicitInvocationOff(skills)];
}

export function allowsImplicitInvocation({ reading }: Skill): boolean {
  const policy = reading?.openai?.["policy"];
  return !(
    typeof policy === "object" &&
    policy !== null &&
    meansFalse((policy as Record<string, unknown>)["allow_implicit_invocation"])
  );
}

function unreadable(skill: Skill): Finding[] {
  const fault = skill.reading?.openaiFault;
  if (fault === undefined) return [];
  return [
    {
      code: "skill/openai-yaml",
      message: `Codex cannot read this file: ${fault.message}. Its policy for the skill does not apply.`,
      fix: "Fix the YAML, or remove the file.",
      skill,
      at: fault.location,
    },
  ];
}

function implicitInvocationOff(skills: readonly Skill[]): Finding[] {
  const off = skills.filter((skill) => !allowsImplicitInvocation(skill));
  const [first] = off;
  if (first === undefined) return [];
  return [
    {
      code: "skill/model-invocation-off",
      message: `Codex does not list ${some(off.map(({ id }) => id))}: policy.allow_implicit_invocation is false in agents/openai.yaml. Other hosts do not read that file.`,
      fix: "Nothing, if that is intended.",
      skill: first,
    },
  ];
}
