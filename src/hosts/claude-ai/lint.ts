import type { Skill } from "../../model/index.ts";
import type { AskedHosts, Finding } from "../host.ts";
import { some } from "../sentence-parts.ts";
import { keysOutsideSpec } from "../spec/fields.ts";

interface UploadRefusal {
  code: Finding["code"];
  found(skill: Skill): string | undefined;
  what(skills: readonly Skill[]): string;
  fix: string;
}

const refusals: readonly UploadRefusal[] = [
  {
    code: "skill/extra-keys",
    found: (skill) => keysOutsideSpec(skill.frontmatter)[0],
    what: (skills) =>
      `keys outside the specification: ${some(counted(skills.flatMap((skill) => keysOutsideSpec(skill.frontmatter))))}`,
    fix: "Move what no host reads into metadata, and remove the rest for the upload.",
  },
  {
    code: "skill/name-reserved",
    found: (skill) => (hasReservedName(skill) ? "name" : undefined),
    what: () => "names that contain anthropic or claude",
    fix: "Choose another name for the upload.",
  },
  {
    code: "skill/description-tags",
    found: (skill) => (hasTags(skill) ? "description" : undefined),
    what: () => "XML tags in the description",
    fix: "Write the description without angle brackets for the upload.",
  },
];

/**
 * What claude.ai and the Skills API refuse but every CLI loads. Most repositories are never uploaded, so this is one
 * note per library, and an error per skill only if the user named claude.ai.
 */
export function uploadFindings(skills: readonly Skill[], { chosen }: AskedHosts): Finding[] {
  return refusals.flatMap((refusal) => {
    const refused = skills.filter((skill) => refusal.found(skill) !== undefined);
    if (chosen) return refused.flatMap((skill) => refusedBy(refusal, [skill], chosen));
    return refusedBy(refusal, refused, chosen);
  });
}

export function hasReservedName({ name }: Skill): boolean {
  return /anthropic|claude/i.test(name);
}

export function hasTags({ card }: Skill): boolean {
  return /<\/?[a-z][^<>]{0,200}>/i.test(card.description);
}

function refusedBy({ code, found, what, fix }: UploadRefusal, skills: readonly Skill[], chosen: boolean): Finding[] {
  const [first] = skills;
  const key = first === undefined ? undefined : found(first);
  if (first === undefined || key === undefined) return [];
  const who = chosen
    ? "this skill"
    : `${skills.length === 1 ? "1 skill" : `${skills.length} skills`} (${some(skills.map(({ id }) => id))})`;
  return [
    {
      code,
      severity: chosen ? "error" : "info",
      message: `claude.ai and the Skills API refuse ${who} for ${what(skills)}. Every CLI loads ${skills.length === 1 ? "it" : "them"}.`,
      fix: chosen ? fix : `Nothing, if you do not upload skills there. ${fix}`,
      skill: first,
      at: { key },
    },
  ];
}

function counted(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const entries = [...counts].sort((a, b) => b[1] - a[1]);
  return entries.map(([key, count]) => (count === 1 ? key : `${key} (${count})`));
}
