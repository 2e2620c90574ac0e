import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { count, isWithin, type Problem, relativePosix, UsageError, withWayOut } from "../base/index.ts";
import type { Config, LoadedConfig, TargetSettings } from "../options/index.ts";
import { type ExamFlags, type ExamOptions, resolveExamOptions, saidFlags } from "../options/index.ts";
import { type Discovery, discover, findSkill, type Library, withoutExam } from "../skills/index.ts";
import { type Question, readSuites, type Suite } from "../suites/index.ts";
import { type ModelOptions, resolveTarget, type Target } from "../targets/index.ts";
import { calibrateTargets } from "./calibrate.ts";
import { checkGates } from "./check-gates.ts";
import { failedLastTime } from "./failed-questions.ts";
import { type Plan, type PlannedTarget, planExam } from "./plan.ts";
import { describeFilters } from "./select.ts";
import { targetsOfEva } from "./suite-targets.ts";

export interface ExamRequest {
  cwd: string;
  /** Where to look and what to ask; the working directory unless said. */
  paths?: string[];
  config: LoadedConfig;
  flags?: ExamFlags;
  env?: NodeJS.ProcessEnv;
}

/** An exam that is ready to be sat: everything is known, and nothing has been asked. */
export interface PreparedExam {
  library: Library;
  targets: PlannedTarget[];
  settings: ReadonlyMap<string, TargetSettings>;
  options: ExamOptions;
  plan: Plan;
  /** The filters of a run that does not ask everything. */
  partial: string[];
  /** What was given to choose questions, absolute. */
  paths?: string[];
  /** The flags that a command must repeat to mean this exam. */
  said: string[];
  /** The folder that holds `.proctor`. */
  home: string;
  /** What is wrong with the files that were read, errors only with --keep-going. */
  problems: Problem[];
  env: NodeJS.ProcessEnv;
  /** Options of every agent target that the flags set. */
  agentOptions?: Record<string, unknown>;
  /** Each suite is put to its own targets. */
  own: boolean;
  /** eva's prompt folders among what is examined, with the suite of each. */
  prompts: { dir: string; suite: Suite }[];
  /** How models are reached: for judges of free text. */
  models: ModelOptions;
}

/** Reads skills, suites and targets, and plans; one exam per library that has questions. Whatever cannot be asked as it stands is a UsageError. */
export async function prepareExams(request: ExamRequest): Promise<PreparedExam[]> {
  const { cwd, paths, config, flags = {}, env = process.env } = request;
  const options = resolveExamOptions(flags, config.config);
  const home = homeOf(cwd, config);
  const settings = targetSettings(config);
  const named = flags.targets ?? (config.config.targets && [...settings.keys()]);
  const found = await discover({ cwd, ...(paths && { paths }), libraries: libraryFolders(config) });
  const discovery = { ...found, files: withoutScripts(found.files, named ?? [], cwd) };
  const read: { library: Library; suites: Suite[]; problems: Problem[] }[] = [];
  for (const library of discovery.libraries) {
    const { exam, ...found } = await suitesOf(library, discovery, cwd, paths);
    read.push({ library: withoutExam(library, exam), ...found });
  }
  const all = read.flatMap(({ suites }) => suites);
  const eva = targetsOfEva(all, options.filters.cases ? "cases" : options.filters.only);
  const own = flags.ownTargets ?? (named === undefined && eva !== undefined);
  const where = { cwd, home, env, config: config.config, agentOptions: flags.agentOptions ?? {} };
  const resolved = await resolveTargets(named ?? eva ?? ["embedded"], settings, where).catch((error: unknown) => {
    throw named === undefined ? withWayOut(error, "These targets are the suite's own; -t embedded predicts the triggers offline.") : error;
  });
  // A gate of the configuration may be on a target that is not asked this time.
  const ids = resolved.map(({ target }) => target.id);
  checkGates(
    options.gates,
    [...ids, ...settings.keys()],
    discovery.libraries.flatMap(({ skills }) => skills.map(({ id }) => id)),
  );
  const failed = options.filters.failed ? await failedLastTime(home, ids) : undefined;
  const prepared: PreparedExam[] = [];
  for (const { library, suites, problems } of read) {
    if (!options.keepGoing) refuseBroken(problems, suites);
    const targets = options.calibrate ? await calibrateTargets(resolved, library, suites, home) : resolved;
    for (const { target } of targets) target.admit?.(library);
    const plan = planExam({ library, suites, targets, options, own, ...(failed && { failed }) });
    const partial = [...describeFilters(options.filters), ...pathFilter(discovery.root, cwd, paths)];
    const chosen = paths && { paths: paths.map((path) => resolve(cwd, path)) };
    prepared.push({
      ...chosen,
      library,
      targets,
      settings,
      options,
      plan,
      partial,
      said: saidFlags(flags),
      home,
      problems: [...library.problems, ...problems],
      own,
      agentOptions: where.agentOptions,
      prompts: promptFolders(library, suites),
      models: { ...modelsOf(config.config, env), agents: { cwd: home, options: where.agentOptions } },
      env,
    });
  }
  const asking = prepared.filter(({ plan }) => plan.questions.length > 0);
  if (asking.length > 0) return Promise.all(asking.map(async (exam) => ({ ...exam, targets: await identified(exam) })));
  throw nothingToAsk(prepared, options, cwd);
}

/** The configuration's folder, else the repository's, else the working directory: records are found again from anywhere inside. */
export function homeOf(cwd: string, config: LoadedConfig): string {
  if (config.file !== undefined) return config.root;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}

/** The folder the library of a request is found from. */
export async function libraryRoot({ cwd, paths, config }: ExamRequest): Promise<string> {
  return (await discover({ cwd, ...(paths && { paths }), libraries: libraryFolders(config) })).root;
}

/** How the configuration splits the library; undefined where it does not. */
export function libraryFolders({ config }: LoadedConfig): Record<string, string[]> | undefined {
  if (config.libraries === undefined) return undefined;
  return Object.fromEntries(Object.entries(config.libraries).map(([name, globs]) => [name, [globs].flat()]));
}

/** The configured targets in order, with what is set for each. */
function targetSettings({ config }: LoadedConfig): Map<string, TargetSettings> {
  const entries = (config.targets ?? []).map((entry) => (typeof entry === "string" ? { target: entry } : entry));
  return new Map(entries.map((entry) => [entry.target, entry]));
}

async function resolveTargets(
  ids: string[],
  settings: ReadonlyMap<string, TargetSettings>,
  where: { cwd: string; home: string; env: NodeJS.ProcessEnv; config: Config; agentOptions: Record<string, unknown> },
): Promise<PlannedTarget[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => {
      const own = settings.get(id);
      const env = own?.env === undefined ? where.env : { ...where.env, ...own.env };
      const options = { ...own?.options, ...where.agentOptions };
      const models = modelsOf(where.config, env);
      const context = { cwd: where.cwd, root: where.home, env, models, settings: { ...own, options } };
      const target: Target = await resolveTarget(id, context);
      return { target, identity: await target.identify() };
    }),
  );
}

/** Who the targets are before the library of this exam. */
function identified({ targets, library }: PreparedExam): Promise<PlannedTarget[]> {
  return Promise.all(
    targets.map(async (planned) => {
      const identity = await planned.target.identifyFor?.(library);
      return identity === undefined ? planned : { ...planned, identity };
    }),
  );
}

function modelsOf({ providers, prices }: Config, env: NodeJS.ProcessEnv): ModelOptions {
  return { env, ...(providers && { providers }), ...(prices && { prices }) } as ModelOptions;
}

function promptFolders({ skills }: Library, suites: readonly Suite[]): PreparedExam["prompts"] {
  const dirs = new Set(skills.filter(({ source }) => source.kind === "eva").map(({ dir }) => dir));
  return suites.flatMap((suite) => (suite.format === "eva" && dirs.has(dirname(suite.file)) ? [{ dir: dirname(suite.file), suite }] : []));
}

/** A script of answers has queries and skills too, and is no suite. */
function withoutScripts(files: string[], targets: readonly string[], cwd: string): string[] {
  const scripts = new Set(targets.filter((id) => id.startsWith("script:")).map((id) => resolve(cwd, id.slice("script:".length))));
  return scripts.size === 0 ? files : files.filter((file) => !scripts.has(file));
}

async function suitesOf(
  library: Library,
  discovery: Discovery,
  cwd: string,
  paths: string[] | undefined,
): Promise<{ suites: Suite[]; problems: Problem[]; exam: string[] }> {
  const chosen = paths && chosenPaths(library, cwd, paths);
  const read = await readSuites({ library, files: discovery.files, ...(chosen && { paths: chosen }) });
  const inside = (file: string) => chosen === undefined || chosen.some((path) => file === path || file.startsWith(path + sep));
  const others = discovery.libraries.filter((other) => other !== library);
  const mine = (question: Question) =>
    question.skill === undefined ||
    others.every((other) => findSkill(other, question.skill!).length === 0) ||
    findSkill(library, question.skill).length > 0;
  const suites =
    others.length === 0
      ? read.suites
      : read.suites.map((suite) => ({ ...suite, triggers: suite.triggers.filter(mine), cases: suite.cases.filter(mine) }));
  return {
    suites,
    problems: [...read.problems.filter(({ location }) => inside(location.file)), ...suites.flatMap((suite) => suite.problems)],
    exam: read.exam,
  };
}

/** Absolute; a SKILL.md stands for its skill, whose suite may lie beside it or elsewhere. */
export function chosenPaths({ skills }: Library, cwd: string, paths: readonly string[]): string[] {
  return paths.map((path) => resolve(cwd, path)).map((path) => skills.find(({ file }) => file === path)?.dir ?? path);
}

function refuseBroken(problems: readonly Problem[], suites: readonly Suite[]): void {
  const errors = problems.filter((problem) => problem.severity === "error");
  if (errors.length === 0) return;
  const files = new Set(errors.map((problem) => problem.location.file));
  throw new BrokenFiles(
    errors,
    `${count(files.size, "suite")} of ${new Set([...suites.map(({ file }) => file), ...files]).size} cannot be read, so nothing was asked.`,
  );
}

/** Selected files are invalid. The problems say where; the command shows them like `proctor check` does. */
export class BrokenFiles extends UsageError {
  readonly problems: Problem[];

  constructor(problems: Problem[], message: string) {
    super(message, "Mend them, or pass --keep-going to ask the rest.");
    this.problems = problems;
  }
}

/** Paths choose questions; a run on part of the library's folder is not a run on all of it. */
function pathFilter(root: string, cwd: string, paths: string[] | undefined): string[] {
  if (paths === undefined || paths.some((path) => isWithin(resolve(cwd, path), root))) return [];
  return paths.map((path) => relativePosix(root, resolve(cwd, path)));
}

function nothingToAsk(prepared: readonly PreparedExam[], { filters }: ExamOptions, cwd: string): UsageError {
  const skills = prepared.flatMap(({ library }) => library.skills);
  const files = prepared.flatMap(({ plan }) => plan.suite.files);
  const paths = prepared[0]?.paths;
  if (filters.failed && files.length === 0) return nothing("Nothing failed in the last run, so there is nothing to ask again.");
  if (describeFilters(filters).length > 0) return nothing(`No question matches ${describeFilters(filters).join(" ")}.`);
  if (skills.length === 0) return new UsageError("No skill was found here.", "Give the path of a folder with skills: proctor run PATH.");
  if (paths === undefined)
    return nothing(
      `${count(skills.length, "skill")}, but no suite with a question.`,
      `proctor init ${skills[0]!.id} drafts one beside the skill.`,
    );
  const inside = skills.filter(({ dir, file }) => paths.some((path) => isWithin(path, dir) || path === file));
  const shown = paths.map((path) => relativePosix(cwd, path) || "this folder").join(", ");
  return nothing(
    `There is no question in ${shown}${inside.length === 0 ? "" : " or about a skill in it"}.`,
    inside.length === 0
      ? "Give the path of a skill or a suite, or none to ask everything."
      : `proctor init ${inside[0]!.id} ${paths.map((path) => relativePosix(cwd, path) || ".").join(" ")} drafts some beside the skill.`,
  );
}

function nothing(message: string, hint?: string): UsageError {
  return new UsageError(message, hint, 3);
}
