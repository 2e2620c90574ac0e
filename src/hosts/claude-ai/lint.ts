import type { Problem } from "../../base/index.ts";
import { hasTags } from "../card.ts";
import { specFields } from "../frontmatter-fields.ts";
import { problem, type SkillRule } from "../../skills/rules.ts";
import type { Library, Skill } from "../../skills/skill.ts";
import { keyAt, type Profiles, some } from "../lint/lint.ts";

interface Refusal {
  code: SkillRule;
  /** The key it is about, where the skill has what claude.ai refuses. */
  found(skill: Skill): string | undefined;
  /** What claude.ai refuses about these skills. */
  what(skills: Skill[]): string;
  fix: string;
}

const refusals: Refusal[] = [
  {
    code: "skill/extra-keys",
    found: (skill) => extraKeys(skill)[0],
    what: (skills) => `keys outside the specification: ${some(counted(skills.flatMap(extraKeys)))}`,
    fix: "Move what no host reads into metadata, and remove the rest for the upload.",
  },
  {
    code: "skill/name-reserved",
    found: (skill) => (/anthropic|claude/i.test(skill.name) ? "name" : undefined),
    what: () => "names that contain anthropic or claude",
    fix: "Choose another name for the upload.",
  },
  {
    code: "skill/description-tags",
    found: (skill) => (hasTags(skill.card.description) ? "description" : undefined),
    what: () => "XML tags in the description",
    fix: "Write the description without angle brackets for the upload.",
  },
];

/**
 * What claude.ai and the Skills API refuse and every CLI loads. Most repositories are never uploaded, so it is one note
 * on the library, unless claude.ai was asked for by name: then it is an error of each skill.
 */
export function lintUploads(library: Library, profiles: Profiles): Problem[] {
  if (!profiles.hosts.has("claude-ai")) return profiles.hosts.has("spec") && profiles.chosen ? outsideSpec(library) : [];
  const skills = library.skills.filter(({ source }) => source.kind === "skill");
  return refusals.flatMap((refusal) => {
    const refused = skills.filter((skill) => refusal.found(skill) !== undefined);
    const groups = profiles.chosen ? refused.map((skill) => [skill]) : refused.length > 0 ? [refused] : [];
    return groups.map((group) => refusedBy(refusal, group, profiles.chosen));
  });
}

function refusedBy({ code, found, what, fix }: Refusal, skills: Skill[], chosen: boolean): Problem {
  const first = skills[0]!;
  const who = chosen
    ? "this skill"
    : `${skills.length === 1 ? "1 skill" : `${skills.length} skills`} (${some(skills.map(({ id }) => id))})`;
  return problem(code, {
    severity: chosen ? "error" : "info",
    message: `claude.ai and the Skills API refuse ${who} for ${what(skills)}. Every CLI loads ${skills.length === 1 ? "it" : "them"}.`,
    fix: chosen ? fix : `Nothing, if you do not upload skills there. ${fix}`,
    location: keyAt(first, found(first)!),
  });
}

function outsideSpec(library: Library): Problem[] {
  return library.skills.flatMap((skill) => {
    const keys = skill.source.kind === "skill" ? extraKeys(skill) : [];
    if (keys.length === 0) return [];
    return [
      problem("skill/extra-keys", {
        severity: "warning",
        message: `The specification does not have the ${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")}.`,
        fix: "Remove what no host reads, or move it into metadata.",
        location: keyAt(skill, keys[0]!),
      }),
    ];
  });
}

function extraKeys(skill: Skill): string[] {
  return Object.keys(skill.frontmatter).filter((key) => !specFields.includes(key));
}

/** `version (22)`, the most frequent first. */
function counted(keys: string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const entries = [...counts].sort((a, b) => b[1] - a[1]);
  return entries.map(([key, count]) => (count === 1 ? key : `${key} (${count})`));
}
