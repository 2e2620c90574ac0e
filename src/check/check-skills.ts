import type { Problem } from "../base/index.ts";
import type { AskedHosts, HostId } from "../hosts/index.ts";
import { hostOf, hosts } from "../hosts/index.ts";
import type { Library, Skill } from "../model/index.ts";
import { lintCommands } from "./commands/commands.ts";
import { lintOwnRules } from "./own-rules.ts";
import { lintPlugins } from "./plugins/lint-plugins.ts";
import { lintBody } from "./skills/body.ts";
import { lintBudget } from "./skills/budget.ts";
import { lintDescription } from "./skills/description.ts";
import { lintFields } from "./skills/fields.ts";
import { lintFile } from "./skills/file.ts";
import { lintInvocation } from "./skills/invocation.ts";
import { lintName } from "./skills/name.ts";
import { withEffects } from "./skills/unread.ts";

interface CheckSkillsOptions {
  hosts?: HostId[];
  /** Absolute paths of all files below the root, for the rules of plugins. */
  files?: readonly string[];
}

/**
 * Reports every problem of a library, including those found while reading it, sorted by location. With `hosts`, only
 * what concerns these hosts.
 */
export function checkSkills(library: Library, options: CheckSkillsOptions = {}): Problem[] {
  const chosen = options.hosts?.map(hostOf);
  const asked: AskedHosts = {
    hosts: hosts.filter((host) => (chosen === undefined ? !host.onRequest : chosen.includes(host))),
    chosen: chosen !== undefined,
  };
  const problems = [...library.problems, ...library.skills.flatMap((skill) => checkSkill(skill, library, asked))];
  problems.push(...lintOwnRules(library, asked), ...lintInvocation(library, asked), ...lintBudget(library, asked));
  problems.push(
    ...lintCommands(library, asked, options.files ?? []),
    ...lintPlugins(library, asked, options.files ?? []),
  );
  return problems.sort(byPlace);
}

function checkSkill(skill: Skill, library: Library, asked: AskedHosts): Problem[] {
  const { reading, source } = skill;
  const problems = skill.problems.map((problem) => withEffects(problem, asked));
  const unread = new Set(["skill/no-frontmatter", "skill/frontmatter-not-closed"]);
  if (reading === undefined || source.kind === "eva") return problems;
  const file = lintFile(skill, asked);
  if (problems.some(({ code }) => unread.has(code))) return [...problems, ...file];
  const failed =
    problems.some(({ code }) => code === "skill/invalid-frontmatter") && Object.keys(skill.frontmatter).length === 0;
  if (failed) return [...problems, ...file, ...lintBody(skill, library)];
  return [
    ...problems,
    ...file,
    ...lintName(skill, asked, library.root),
    ...lintDescription(skill, asked),
    ...lintFields(skill, asked),
    ...lintBody(skill, library),
  ];
}

function byPlace(a: Problem, b: Problem): number {
  const [x, y] = [a.location, b.location];
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return (
    (x.line ?? 0) - (y.line ?? 0) ||
    (x.column ?? 0) - (y.column ?? 0) ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
  );
}
