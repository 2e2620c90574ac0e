import { resolve } from "node:path";
import { fixFiles, isWithin, nearest, type Problem, relativePosix, UsageError } from "../base/index.ts";
import type { HostId } from "../hosts/index.ts";
import { checkSkills, skillRules } from "../hosts/lint/index.ts";
import type { Config } from "../options/index.ts";
import { type Checked, orderedProblems, type Rule } from "../reports/index.ts";
import { discover, type Library } from "../skills/index.ts";
import { checkSuites, readSuites, type Suite, suiteRules } from "../suites/index.ts";

export interface CheckLibrariesOptions {
  cwd: string;
  /** What is reported; the library is always whole. */
  paths: string[];
  config: Config;
  /** Whose rules apply; all when absent. */
  hosts?: HostId[];
  fix: boolean;
}

/** An edit can uncover the next one; it never takes many turns. */
const MOST_PASSES = 10;

/** Checks every library from the root with its suites; with `fix`, mends what can be mended first. */
export async function checkLibraries(options: CheckLibrariesOptions): Promise<Checked> {
  const rules = allRules();
  const levels = levelsOf(options.config, rules);
  const fixed: Problem[] = [];
  for (let pass = 1; ; pass++) {
    const found = await checkOnce(options);
    const problems = orderedProblems(found.problems.flatMap(levels), options.cwd);
    const mended = options.fix && pass <= MOST_PASSES ? await fixFiles(problems) : [];
    fixed.push(...mended);
    if (mended.length > 0) continue;
    const { cwd } = options;
    return { ...found, cwd, problems, fixed: orderedProblems(fixed, cwd), rules, seconds: performance.now() / 1000 };
  }
}

type Found = Pick<Checked, "problems" | "skills" | "copies" | "suites" | "questions">;

async function checkOnce({ cwd, paths, config, hosts }: CheckLibrariesOptions): Promise<Found> {
  const discovery = await discover({ cwd, paths, libraries: folders(config.libraries) });
  const wanted = paths.map((path) => resolve(cwd, path));
  const isWanted = (file: string) => wanted.length === 0 || file === discovery.root || wanted.some((path) => isWithin(path, file));
  const problems = [...discovery.problems];
  const skills = new Map<string, number>();
  const suites: Suite[] = [];
  for (const { library, suites: own, problems: unread } of await suitesByLibrary(discovery.libraries, discovery.files)) {
    for (const skill of library.skills)
      if ([skill.dir, ...skill.source.copies].some(isWanted)) skills.set(skill.dir, skill.source.copies.length);
    suites.push(...own.filter((suite) => isWanted(suite.file)));
    problems.push(...checkSkills(library, hosts === undefined ? {} : { hosts }), ...unread, ...checkSuites({ library, suites: own }));
  }
  const shown = problems.filter((problem) => isWanted(problem.location.file));
  if (skills.size === 0 && suites.length === 0 && shown.length === 0) throw nothingFound(paths, discovery.root, cwd);
  const questions = suites.reduce((sum, suite) => sum + suite.triggers.length + suite.cases.length, 0);
  const copies = [...skills.values()].reduce((sum, count) => sum + count, 0);
  return { problems: shown, skills: skills.size, copies, suites: suites.length, questions };
}

function folders(libraries: Config["libraries"]): Record<string, string[]> {
  return Object.fromEntries(Object.entries(libraries ?? {}).map(([name, globs]) => [name, typeof globs === "string" ? [globs] : globs]));
}

interface OwnSuites {
  library: Library;
  suites: Suite[];
  problems: Problem[];
}

/** Where there are several libraries, a suite belongs to the one that knows most of the skills it speaks of. */
export async function suitesByLibrary(libraries: readonly Library[], files: string[]): Promise<OwnSuites[]> {
  const read: OwnSuites[] = [];
  for (const library of libraries) read.push({ library, ...(await readSuites({ library, files })) });
  if (read.length === 1) return read;
  const best = new Map<string, { library: Library; known: number }>();
  for (const { library, suites } of read) {
    const names = new Set(library.skills.flatMap((skill) => [skill.id, skill.name]));
    for (const suite of suites) {
      const known = [...suite.triggers, ...suite.cases].filter(({ skill }) => skill !== undefined && names.has(skill)).length;
      if (known > (best.get(suite.file)?.known ?? -1)) best.set(suite.file, { library, known });
    }
  }
  return read.map(({ library, suites, problems }) => ({
    library,
    suites: suites.filter((suite) => best.get(suite.file)!.library === library),
    problems,
  }));
}

function allRules(): Rule[] {
  return Object.entries({ ...skillRules, ...suiteRules }).map(([code, { severity, title }]) => ({ code, severity, summary: `${title}.` }));
}

/** A problem at the level the configuration gives its rule, or not at all. */
function levelsOf({ rules: levels = {} }: Config, rules: readonly Rule[]): (problem: Problem) => Problem[] {
  const codes = rules.map((rule) => rule.code);
  for (const code of Object.keys(levels)) {
    if (codes.includes(code)) continue;
    const near = nearest(code, codes);
    throw new UsageError(
      `there is no rule ${code} (rules in the configuration)`,
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "proctor explain lists them all.",
    );
  }
  return (problem) => {
    const level = levels[problem.code];
    if (level === undefined) return [problem];
    return level === "off" ? [] : [{ ...problem, severity: level }];
  };
}

function nothingFound(paths: string[], root: string, cwd: string): UsageError {
  const where = paths.length > 0 ? paths.join(" and ") : relativePosix(cwd, root) || "this folder";
  return new UsageError(
    `there is no skill and no suite in ${where}`,
    "Looked for SKILL.md files, prompt folders (meta.yml with prompt.xml) and suites such as evals/triggers.yaml, at any depth.",
  );
}
