import { resolve } from "node:path";
import {
  canonicalJson,
  didYouMean,
  fixFiles,
  isWithin,
  kindAt,
  type Problem,
  relativePosix,
  UsageError,
} from "../../base/index.ts";
import type { Config } from "../../base/options/index.ts";
import { rules as checkRules, checkSkills, checkSuites } from "../../check/index.ts";
import { byRoot, discover } from "../../exam/find/index.ts";
import { libraryFolders } from "../../exam/plan/index.ts";
import { narrowSuites, readSuitesByLibrary } from "../../exam/read/index.ts";
import { type HostId, hostOf } from "../../hosts/index.ts";
import type { Suite } from "../../model/index.ts";
import { type Checked, type CheckedRule, counts, orderedProblems } from "../../reporters/index.ts";
import { type OpenScope, openScope, type Scope } from "../scope.ts";

/** `paths` limits what is reported. The library is always checked as a whole. */
export interface CheckOptions extends Scope {
  /** Hosts whose rules apply. Default: those of the configuration, or all. */
  hosts?: string[];
  /** Apply safe fixes first. */
  fix?: boolean;
  /** The check fails if there are more warnings than this. */
  maxWarnings?: number;
}

export interface CheckedLibraries extends Checked {
  /** The limit on warnings that applied; null if none. */
  maxWarnings: number | null;
  /** Exit code of `proctor check`. */
  exitCode: 0 | 1;
}
const MOST_PASSES = 10;

export async function check(options: CheckOptions = {}): Promise<CheckedLibraries> {
  const scope = await openScope(options);
  const { cwd, config } = scope;
  const hosts = knownHosts(options.hosts ?? config.config.hosts ?? []);
  const checked = await checkAndFix(scope, hosts, options.fix === true);
  const { errors, warnings } = counts(checked.problems);
  const maxWarnings = options.maxWarnings ?? config.config.max_warnings ?? null;
  const failed = errors > 0 || (maxWarnings !== null && warnings > maxWarnings);
  return { ...checked, cwd, maxWarnings, exitCode: failed ? 1 : 0 };
}

async function checkAndFix(scope: OpenScope, hosts: HostId[], fix: boolean): Promise<Checked> {
  const { cwd, config } = scope;
  const rules = allRules();
  const levels = levelsOf(config.config, rules);
  const fixed: Problem[] = [];
  for (let pass = 1; ; pass++) {
    const found = await checkOnce(scope, hosts);
    const problems = orderedProblems(found.problems.flatMap(levels), cwd);
    const now = fix && pass <= MOST_PASSES ? await fixFiles(problems) : [];
    fixed.push(...now);
    if (now.length > 0) continue;
    return { ...found, cwd, problems, fixed: orderedProblems(fixed, cwd), rules, seconds: performance.now() / 1000 };
  }
}

type CheckedOnce = Pick<Checked, "problems" | "skills" | "copies" | "suites" | "questions">;

async function checkOnce(scope: OpenScope, hosts: HostId[]): Promise<CheckedOnce> {
  const parts: (CheckedOnce & { root: string })[] = [];
  for (const paths of byRoot(scope.paths, scope.cwd)) parts.push(await checkPaths({ ...scope, paths }, hosts));
  const sum = (key: "skills" | "copies" | "suites" | "questions") =>
    parts.reduce((total, part) => total + part[key], 0);
  const problems = onceEach(parts.flatMap((part) => part.problems));
  const found =
    sum("skills") + sum("suites") + problems.length > 0 || scope.paths.some((path) => isFile(resolve(scope.cwd, path)));
  if (!found) throw nothingFound(scope, parts[0]?.root ?? scope.cwd);
  return { problems, skills: sum("skills"), copies: sum("copies"), suites: sum("suites"), questions: sum("questions") };
}

async function checkPaths({ cwd, paths, config }: OpenScope, hosts: HostId[]): Promise<CheckedOnce & { root: string }> {
  const discovery = await discover({ cwd, paths, libraries: libraryFolders(config) });
  const wanted = paths.map((path) => resolve(cwd, path));
  const isWanted = (file: string) =>
    wanted.length === 0 || file === discovery.root || wanted.some((path) => isWithin(path, file));
  const problems = [...discovery.problems];
  const skills = new Map<string, number>();
  const suites: Suite[] = [];
  for (const { library, suites: own, problems: unread } of await readSuitesByLibrary({
    ...discovery,
    named: wanted.filter(isFile),
  })) {
    for (const { dir, source } of library.skills) {
      // Editors and commit hooks pass single files. A file in a skill's folder stands for that skill.
      const isMeant = [dir, ...source.copies].some(
        (place) => isWanted(place) || wanted.some((path) => isWithin(place, path)),
      );
      if (isMeant) skills.set(dir, source.copies.length);
    }
    suites.push(...(wanted.length === 0 ? own : narrowSuites(own, library, wanted)).filter(asks));
    problems.push(
      ...checkSkills(library, { files: discovery.files, hosts: hosts.length > 0 ? hosts : undefined }),
      ...unread,
      ...checkSuites({ library, suites: own }),
    );
  }
  const files = new Set(suites.map(({ file }) => file));
  const shown = problems.filter(({ location }) => isWanted(location.file) || files.has(location.file));
  const copies = [...skills.values()].reduce((sum, count) => sum + count, 0);
  return { root: discovery.root, problems: shown, skills: skills.size, copies, ...countSuites(suites) };
}
function asks({ triggers, cases }: Suite): boolean {
  return triggers.length + cases.length > 0;
}

/** Commit hooks pass whatever has changed, so naming a file that is neither a skill nor a suite is not an error. */
function isFile(path: string): boolean {
  return kindAt(path) === "file";
}

/** Two libraries may share a question, and then its problems. */
function onceEach(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [canonicalJson(problem), problem])).values()];
}

/** Counts a suite once, even if it belongs to several libraries. */
function countSuites(suites: readonly Suite[]): Pick<CheckedOnce, "suites" | "questions"> {
  const files = new Set(suites.map(({ file }) => file));
  const questions = suites.flatMap(({ file, triggers, cases }) =>
    [...triggers, ...cases].map(({ kind, source, id }) => canonicalJson([file, kind, source, id])),
  );
  return { suites: files.size, questions: new Set(questions).size };
}

function knownHosts(names: readonly string[]): HostId[] {
  return names.map((name) => hostOf(name).id);
}

function allRules(): CheckedRule[] {
  return Object.entries(checkRules).map(([code, { severity, title }]) => ({
    code,
    severity,
    summary: `${title}.`,
  }));
}

function levelsOf({ rules: levels = {} }: Config, rules: readonly CheckedRule[]): (problem: Problem) => Problem[] {
  const codes = rules.map((rule) => rule.code);
  for (const code of Object.keys(levels)) {
    if (codes.includes(code)) continue;
    throw new UsageError(
      `there is no rule ${code} (rules in the configuration)`,
      didYouMean(code, codes, "proctor explain lists them all."),
    );
  }
  return (problem) => {
    const level = levels[problem.code];
    if (level === undefined) return [problem];
    return level === "off" ? [] : [{ ...problem, severity: level }];
  };
}

function nothingFound({ paths, cwd }: OpenScope, root: string): UsageError {
  const where = paths.length > 0 ? paths.join(" and ") : relativePosix(cwd, root) || "this folder";
  return new UsageError(
    `there is no skill and no suite in ${where}`,
    "Looked for SKILL.md files, prompt folders (meta.yml with prompt.xml) and suites such as evals/triggers.yaml, at any depth.",
  );
}
