import { meansFalse } from "../../base/index.ts";
import type { Skill } from "../../model/index.ts";
import type { Finding } from "../host.ts";
import { characters, grouped, some } from "../sentence-parts.ts";
import { MOST_SHOWN } from "./listing.ts";

export function findings(skills: readonly Skill[]): Finding[] {
  return [...skills.flatMap(cut), ...pathsGated(skills), ...hidden(skills), ...needsPermission(skills)];
}

function cut(skill: Skill): Finding[] {
  const { description, whenToUse } = skill.card;
  if (whenToUse === undefined || description === "") return [];
  const count = characters(`${description} - ${whenToUse}`);
  if (count <= MOST_SHOWN) return [];
  return [
    {
      code: "skill/description-cut",
      message: `Claude Code shows description and when_to_use together, ${grouped(count)} characters, and cuts them at ${grouped(MOST_SHOWN)}: the end of when_to_use is never seen.`,
      fix: `Leave out ${grouped(count - MOST_SHOWN)} characters.`,
      skill,
      at: { value: "when_to_use" },
    },
  ];
}

function pathsGated(skills: readonly Skill[]): Finding[] {
  const gated = skills.filter((skill) => skill.frontmatter["paths"]);
  return note(gated, "paths", {
    code: "skill/paths-gated",
    message: `Claude Code lists ${names(gated)} only after a file that matches paths was touched; other hosts ignore paths. A question with nothing but a prompt cannot activate ${gated.length === 1 ? "it" : "them"} there.`,
    fix: "Give its questions files that match.",
  });
}

function hidden(skills: readonly Skill[]): Finding[] {
  const off = skills.filter((skill) => meansFalse(skill.frontmatter["user-invocable"]));
  return note(off, "user-invocable", {
    code: "skill/hidden-from-user",
    message: `${counted(off, "is", "are")} hidden from Claude Code's / menu by user-invocable: ${names(off)}. The model may still activate ${off.length === 1 ? "it" : "them"}.`,
    fix: "Nothing, if that is intended. To keep the model away, use disable-model-invocation.",
  });
}

function needsPermission(skills: readonly Skill[]): Finding[] {
  const asking = skills.filter(({ frontmatter }) => frontmatter["allowed-tools"] || frontmatter["hooks"]);
  return note(asking, asking[0]?.frontmatter["allowed-tools"] ? "allowed-tools" : "hooks", {
    code: "skill/needs-permission",
    message: `${counted(asking, "has", "have")} allowed-tools or hooks: ${names(asking)}. Claude Code asks before it activates such a skill; with no user present (claude -p) it refuses, unless the Skill tool is allowed.`,
    fix: "Run claude -p with --allowedTools Skill.",
  });
}

function note(skills: readonly Skill[], key: string, finding: Pick<Finding, "code" | "message" | "fix">): Finding[] {
  const [skill] = skills;
  return skill === undefined ? [] : [{ ...finding, skill, at: { key } }];
}

function names(skills: readonly Skill[]): string {
  return some(skills.map(({ id }) => id));
}

function counted(skills: readonly Skill[], one: string, several: string): string {
  return skills.length === 1 ? `1 skill ${one}` : `${skills.length} skills ${several}`;
}
