import { didYouMean, UsageError } from "../../../base/index.ts";
import { type Filters, flagTexts } from "../../../base/options/index.ts";
import type { Library, Question, Suite } from "../../../model/index.ts";
import { findSkill } from "../../find/index.ts";

export interface SuiteQuestion {
  suite: Suite;
  question: Question;
  id: string;
}

/** Returns the questions that pass every filter. A name that matches nothing is an error, not an empty run. */
export function select(all: readonly SuiteQuestion[], filters: Filters, library: Library): SuiteQuestion[] {
  const skills = filters.skills && new Set(filters.skills.flatMap((name) => namedSkill(library, name)));
  if (filters.cases) for (const name of filters.cases) mustBeCase(all, name);
  if (filters.tags) for (const tag of filters.tags) mustBeTag(all, tag);
  const patterns = filters.grep?.map((text) => text.toLowerCase());
  return all.filter(({ question }) => {
    if (skills !== undefined && !mentions(question, skills, library)) return false;
    if (
      filters.cases !== undefined &&
      !(question.kind === "case" && filters.cases.some((name) => isCalled(question, name)))
    )
      return false;
    if (filters.only !== undefined && question.kind !== (filters.only === "triggers" ? "trigger" : "case"))
      return false;
    if (filters.tags !== undefined && !filters.tags.some((tag) => question.tags.includes(tag))) return false;
    return patterns?.some((text) => searchable(question).toLowerCase().includes(text)) ?? true;
  });
}

export function describeFilters(filters: Filters): string[] {
  return flagTexts(filters);
}

function namedSkill(library: Library, name: string): string[] {
  const found = findSkill(library, name);
  if (found.length > 0) return found.map((skill) => skill.id);
  throw unknown("skill", name, { candidates: library.skills.map((skill) => skill.id), where: "this library" });
}

/** A question belongs to its suite's skill, or else to every skill that it requires or forbids. */
function mentions(question: Question, skills: ReadonlySet<string>, library: Library): boolean {
  const expect = question.kind === "trigger" ? question.expect : undefined;
  const names =
    question.skill === undefined
      ? [...(expect?.required_skills ?? []), ...(expect?.forbidden_skills ?? [])]
      : [question.skill];
  return names.some((name) => findSkill(library, name).some((skill) => skills.has(skill.id)));
}

function isCalled(question: Question, name: string): boolean {
  return question.id === name || (question.kind === "case" && question.name === name);
}

function mustBeCase(all: readonly SuiteQuestion[], name: string): void {
  const cases = all.flatMap(({ question }) => (question.kind === "case" ? [question] : []));
  if (cases.some((question) => isCalled(question, name))) return;
  const candidates = cases.flatMap((question) => [question.id, question.name ?? []].flat());
  throw unknown("case", name, { candidates, where: "these suites" });
}

function mustBeTag(all: readonly SuiteQuestion[], tag: string): void {
  const tags = new Set(all.flatMap(({ question }) => question.tags));
  if (!tags.has(tag)) throw unknown("tag", tag, { candidates: tags, where: "these suites" });
}

function searchable(question: Question): string {
  return question.kind === "trigger"
    ? `${question.id}\n${question.query}`
    : `${question.id}\n${question.name ?? ""}\n${question.prompt ?? ""}`;
}

function unknown(
  what: string,
  name: string,
  { candidates, where }: { candidates: Iterable<string>; where: string },
): UsageError {
  const names = [...new Set(candidates)].sort();
  const known = names.length <= 12 ? `Known: ${names.join(", ")}.` : `There are ${names.length}.`;
  const otherwise = names.length === 0 ? `There is no ${what} at all in ${where}.` : known;
  return new UsageError(`There is no ${what} "${name}" in ${where}.`, didYouMean(name, names, otherwise));
}
