import type { Problem } from "../../base/index.ts";
import type { HostId } from "../host.ts";
import type { Library, Skill } from "../../skills/skill.ts";
import { lintBody } from "./body.ts";
import { lintBudget } from "./budget.ts";
import { lintDescription } from "./description.ts";
import { lintFields } from "./fields.ts";
import { lintFile } from "./file.ts";
import { lintInvocation } from "./invocation.ts";
import type { Profiles } from "./lint.ts";
import { lintName } from "./name.ts";
import { lintUploads } from "../claude-ai/lint.ts";

const everyHost: readonly HostId[] = ["spec", "claude-code", "claude-ai", "codex", "copilot", "gemini", "opencode"];

/**
 * Every problem of a library and its skills, those of reading them included, in the order of their places.
 * With `hosts`, only what one of these minds, and told of these alone.
 */
export function checkSkills(library: Library, options: { hosts?: HostId[] } = {}): Problem[] {
  const profiles: Profiles = { hosts: new Set(options.hosts ?? everyHost), chosen: options.hosts !== undefined };
  const problems = [...library.problems, ...library.skills.flatMap((skill) => checkSkill(skill, library, profiles))];
  problems.push(...lintUploads(library, profiles), ...lintInvocation(library, profiles), ...lintBudget(library, profiles));
  return problems.sort(byPlace);
}

function checkSkill(skill: Skill, library: Library, profiles: Profiles): Problem[] {
  const { problems, reading, source } = skill;
  const unread = new Set(["skill/no-frontmatter", "skill/frontmatter-not-closed"]);
  if (reading === undefined || source.kind === "eva") return problems;
  const file = lintFile(skill, profiles);
  if (problems.some(({ code }) => unread.has(code))) return [...problems, ...file];
  const failed = problems.some(({ code }) => code === "skill/invalid-frontmatter") && Object.keys(skill.frontmatter).length === 0;
  if (failed) return [...problems, ...file, ...lintBody(skill, library)];
  return [
    ...problems,
    ...file,
    ...lintName(skill, profiles, library.root),
    ...lintDescription(skill, profiles),
    ...lintFields(skill, profiles),
    ...lintBody(skill, library),
  ];
}

function byPlace(a: Problem, b: Problem): number {
  const [x, y] = [a.location, b.location];
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return (x.line ?? 0) - (y.line ?? 0) || (x.column ?? 0) - (y.column ?? 0) || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}
