import type { Problem } from "../../base/index.ts";
import { allowsImplicitInvocation } from "../card.ts";
import { falsy } from "../frontmatter-fields.ts";
import { problem, type SkillRule } from "../../skills/rules.ts";
import type { Library, Skill } from "../../skills/skill.ts";
import { anyOf, at, keyAt, type Profiles, some, told } from "./lint.ts";

/** What decides whether a model may activate a skill by itself: one note for each such thing, not one for each skill. */
export function lintInvocation(library: Library, profiles: Profiles): Problem[] {
  const skills = library.skills.filter(({ source }) => source.kind === "skill");
  return [
    ...modelInvocationOff(skills, profiles),
    ...implicitInvocationOff(skills, profiles),
    ...pathsGated(skills, profiles),
    ...hidden(skills, profiles),
    ...permission(skills, profiles),
  ];
}

function modelInvocationOff(skills: Skill[], profiles: Profiles): Problem[] {
  const off = skills.filter((skill) => !skill.modelInvocable);
  if (!anyOf(profiles, ["claude-code", "copilot", "qwen"])) return [];
  const them = off.length === 1 ? "it" : "them";
  const effects = told(profiles, [
    [["claude-code", "copilot", "qwen"], `does not tell the model of ${them}`, `do not tell the model of ${them}`],
    [["codex", "gemini", "opencode"], `ignores the key and lists ${them}`, `ignore the key and list ${them}`],
  ]);
  return note("skill/model-invocation-off", off, "disable-model-invocation", {
    message: `${counted(off, "is", "are")} switched off for models by disable-model-invocation: ${names(off)}. ${effects}`,
    fix: "Nothing, if that is meant. No trigger question can pass for such a skill where the key counts.",
  });
}

function implicitInvocationOff(skills: Skill[], profiles: Profiles): Problem[] {
  const off = skills.filter((skill) => !allowsImplicitInvocation(skill));
  if (!profiles.hosts.has("codex")) return [];
  return note("skill/model-invocation-off", off, undefined, {
    message: `Codex does not list ${names(off)}: policy.allow_implicit_invocation is false in agents/openai.yaml. Other hosts do not read that file.`,
    fix: "Nothing, if that is meant.",
  });
}

function pathsGated(skills: Skill[], profiles: Profiles): Problem[] {
  const gated = skills.filter((skill) => skill.frontmatter["paths"]);
  if (!profiles.hosts.has("claude-code")) return [];
  return note("skill/paths-gated", gated, "paths", {
    message: `Claude Code lists ${names(gated)} only after a file that matches paths was touched; other hosts ignore paths. A question that is a prompt alone cannot activate ${gated.length === 1 ? "it" : "them"} there.`,
    fix: "Give its questions files that match.",
  });
}

function hidden(skills: Skill[], profiles: Profiles): Problem[] {
  const off = skills.filter((skill) => falsy(skill.frontmatter["user-invocable"]));
  if (!profiles.hosts.has("claude-code")) return [];
  return note("skill/hidden-from-user", off, "user-invocable", {
    message: `${counted(off, "is", "are")} hidden from Claude Code's / menu by user-invocable: ${names(off)}. The model may still activate ${off.length === 1 ? "it" : "them"}.`,
    fix: "Nothing, if that is meant. To keep the model away, use disable-model-invocation.",
  });
}

function permission(skills: Skill[], profiles: Profiles): Problem[] {
  const asking = skills.filter(({ frontmatter }) => frontmatter["allowed-tools"] || frontmatter["hooks"]);
  if (!profiles.hosts.has("claude-code")) return [];
  return note("skill/needs-permission", asking, asking[0]?.frontmatter["allowed-tools"] ? "allowed-tools" : "hooks", {
    message: `${counted(asking, "has", "have")} allowed-tools or hooks: ${names(asking)}. Claude Code asks before it activates such a skill; without a user at hand (claude -p) it refuses, unless the Skill tool is allowed.`,
    fix: "Run claude -p with --allowedTools Skill.",
  });
}

function note(code: SkillRule, skills: Skill[], key: string | undefined, { message, fix }: { message: string; fix: string }): Problem[] {
  const [first] = skills;
  if (first === undefined) return [];
  return [problem(code, { message, fix, location: key === undefined ? at(first) : keyAt(first, key) })];
}

function names(skills: Skill[]): string {
  return some(skills.map(({ id }) => id));
}

function counted(skills: Skill[], one: string, several: string): string {
  return skills.length === 1 ? `1 skill ${one}` : `${skills.length} skills ${several}`;
}
