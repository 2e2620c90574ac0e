import { count, isWithin, type Problem, relativePosix, UsageError } from "../../../base/index.ts";
import type { ExamOptions } from "../../../base/options/index.ts";
import type { Suite } from "../../../model/index.ts";
import type { Exam } from "../exam.ts";
import { describeFilters } from "../questions/select.ts";

export class BrokenFiles extends UsageError {
  readonly problems: Problem[];

  constructor(problems: Problem[], message: string) {
    super(message, "proctor check shows what is wrong, and how to fix it.");
    this.problems = problems;
  }
}

export function refuseBroken(prepared: readonly Exam[], suites: readonly Suite[]): void {
  const errors = prepared.flatMap(({ broken }) => broken);
  if (errors.length === 0 || prepared.some(({ plan }) => plan.asks.length > 0)) return;
  const files = new Set(errors.map((problem) => problem.location.file));
  const all = new Set([...suites.map(({ file }) => file), ...files]);
  throw new BrokenFiles(
    errors,
    `${count(files.size, "suite")} of ${all.size} cannot be read, and nothing else can be asked.`,
  );
}

export function nothingToAsk(prepared: readonly Exam[], { filters }: ExamOptions, cwd: string): UsageError {
  const skills = prepared.flatMap(({ library }) => library.skills);
  const files = prepared.flatMap(({ plan }) => plan.suite.files);
  const paths = prepared[0]?.paths;
  if (filters.failed && files.length === 0)
    return nothing("Nothing failed in the last run, so there is nothing to ask again.");
  const named = describeFilters(filters);
  if (named.length > 0) return nothing(`No question matches ${named.join(" ")}.`);
  const [first] = skills;
  if (first === undefined)
    return new UsageError("No skill was found here.", "Give the path of a folder with skills: proctor run PATH.");
  const reasons = ["suite/not-read", "suite/placeholder", "suite/empty"];
  const reason = prepared.flatMap(({ problems }) => problems).find(({ code }) => reasons.includes(code));
  if (reason !== undefined) {
    const place = relativePosix(cwd, reason.location.file);
    return nothing(`${count(skills.length, "skill")}, but no question. ${place}: ${reason.message}`, reason.fix);
  }
  if (paths === undefined)
    return nothing(
      `${count(skills.length, "skill")}, but no suite with a question.`,
      `proctor init ${first.id} drafts one beside the skill.`,
    );
  const [inside] = skills.filter(({ dir, file }) => paths.some((path) => isWithin(path, dir) || path === file));
  const shown = (here: string) => paths.map((path) => relativePosix(cwd, path) || here);
  return inside === undefined
    ? nothing(
        `There is no question in ${shown("this folder").join(", ")}.`,
        "Give the path of a skill or a suite, or none to ask everything.",
      )
    : nothing(
        `There is no question in ${shown("this folder").join(", ")} or about a skill in it.`,
        `proctor init ${inside.id} ${shown(".").join(" ")} drafts some beside the skill.`,
      );
}

function nothing(message: string, hint?: string): UsageError {
  return new UsageError(message, hint, 3);
}
