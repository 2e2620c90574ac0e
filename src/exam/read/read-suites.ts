import { dirname, resolve } from "node:path";
import { isWithin, type Problem, tellLongWork } from "../../base/index.ts";
import type { ReadContext } from "../../formats/index.ts";
import {
  type Document,
  emptySuite,
  giveIds,
  holdsResults,
  loadText,
  type Names,
  namesNear,
  namesOf,
  parseDocument,
  readers,
} from "../../formats/index.ts";
import type { Library, Question, Suite } from "../../model/index.ts";
import { emptyFile } from "./empty.ts";
import { evolveSettings } from "./evolve-settings.ts";
import { unreadCode } from "./import/unread-code.ts";
import { isKnownName, looksLikeSuite, mayBeSuite, smellsLikeSuite } from "./is-suite-file.ts";
import { holdsPrompts, notRead, seemsToAsk, writesPrompts } from "./not-read.ts";
import { isFixture, isMaterial, placeOf } from "./place.ts";
import { withoutPlaceholders } from "./placeholders.ts";
import { gradersAlone, isStrayPrompt, unreadFolders, unreadFormats } from "./unread-places.ts";

/**
 * Every suite among these files, with its questions; `paths` keep only what is in one of them, or about a skill in one of them (a SKILL.md
 * stands for its skill).
 * `named` are files that somebody names one by one: of those, every one that has prompts in it and is not understood is told.
 * `exam` are all files that hold questions, whatever the paths: nothing an examinee may read.
 */
export async function readSuites(options: {
  library: Library;
  files: string[];
  paths?: string[];
  named?: string[];
}): Promise<{ suites: Suite[]; problems: Problem[]; exam: string[] }> {
  const names = namesOf(options.library);
  const problems: Problem[] = [];
  const claimed = new Set<string>();
  const suites: Suite[] = [];
  // The triggers in a prompt folder's meta.yml are its card, not questions.
  const cards = new Set(options.library.skills.map((skill) => skill.file));
  const notUnderstood: string[] = [];
  const named = new Set(options.named);
  const candidates = options.files
    .filter((file) => mayBeSuite(placeOf(file, names)) && !cards.has(file) && !isMaterial(file, names))
    .sort(particularFirst);
  for (const [index, file] of candidates.entries()) {
    if (claimed.has(file)) continue;
    tellLongWork(() => `Reading what may be a suite: ${index + 1} of ${candidates.length} files, ${file}`);
    const content = loadText(file, options.library.root);
    if ("problem" in content) {
      if (looksLikeSuite(placeOf(file, names))) problems.push(content.problem);
      continue;
    }
    const isNamed = named.has(file);
    if (
      !(isNamed || smellsLikeSuite(placeOf(file, names), content.text)) ||
      holdsResults(namesNear(options.library, file))
    )
      continue;
    const read = await readText(file, content.text, names, { claim: (other) => claimed.add(other), isNamed });
    problems.push(...read.problems);
    if (read.suite === null) {
      if (read.problems.length === 0 && read.seemsToAsk) notUnderstood.push(file);
    } else if (!isFixture(read.suite, names)) suites.push(read.suite);
  }
  problems.push(...evolveSettings(options.files, options.library.root));
  problems.push(
    ...notRead(
      notUnderstood.filter((file) => !claimed.has(file)),
      named,
    ),
  );
  problems.push(...unreadFormats(options.files, names));
  problems.push(...(await unreadCode(options.files, suites, options.library)));
  problems.push(...gradersAlone(options.files, claimed, names));
  const known = new Set([
    ...suites.map(({ file }) => file),
    ...problems.map(({ location }) => location.file),
    ...claimed,
  ]);
  problems.push(...unreadFolders(options.files, known, names));
  const exam = [
    ...new Set([...suites.map(({ file }) => file), ...problems.map(({ location }) => location.file), ...claimed]),
  ];
  const once = withModels(withoutCopies(suites, names));
  const sorted = once.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  if (options.paths === undefined) return { suites: sorted, problems, exam };
  const inside = insideOf(options.paths, options.library);
  return {
    suites: narrowSuites(sorted, options.library, options.paths),
    problems: problems.filter(({ location }) => inside(location.file)),
    exam,
  };
}

/** What is in one of the paths, or about a skill in one of them. */
export function narrowSuites(suites: readonly Suite[], library: Library, paths: readonly string[]): Suite[] {
  const inside = insideOf(paths, library);
  return suites.flatMap((suite) => narrowed(suite, inside, namesOf(library)));
}

function insideOf(paths: readonly string[], library: Library): (file: string) => boolean {
  const folders = paths.map((path) => folderOf(resolve(path), library));
  return (file) => folders.some((folder) => isWithin(folder, file));
}

/** One file as a suite; null if it is none. */
export async function readSuiteFile(file: string, library: Library): Promise<Suite | null> {
  const path = resolve(file);
  const content = loadText(path);
  if ("problem" in content) return { ...emptySuite(path, "unreadable"), problems: [content.problem] };
  const { suite, problems } = await readText(path, content.text, namesOf(library), { claim() {}, isNamed: false });
  return suite === null && problems.length > 0 ? { ...emptySuite(path, "unreadable"), problems } : suite;
}

async function readText(
  file: string,
  text: string,
  names: Names,
  { claim, isNamed }: Pick<ReadContext, "claim"> & { isNamed: boolean },
): Promise<{ suite: Suite | null; problems: Problem[]; seemsToAsk?: boolean }> {
  const { root } = names.library;
  const within = isWithin(root, file) ? root : dirname(file);
  const { document, problems } = parseDocument(file, text, within);
  const isMeant = looksLikeSuite(placeOf(file, names)) || (isNamed && writesPrompts(file, text));
  if (document === undefined) return { suite: null, problems: isMeant ? problems : [] };
  const others: Problem[] = [];
  const context: ReadContext = {
    names: namesNear(names.library, file),
    claim,
    async load(other) {
      const content = loadText(other, within);
      if ("problem" in content) {
        others.push(content.problem);
        return undefined;
      }
      const parsed = parseDocument(other, content.text, within);
      others.push(...parsed.problems);
      return parsed.document;
    },
  };
  const suite = await firstThatReads(document, context);
  if (suite === null) {
    if (isStrayPrompt(placeOf(file, names))) return { suite: null, problems: [], seemsToAsk: text.trim() !== "" };
    if (!looksLikeSuite(placeOf(file, names)))
      return {
        suite: null,
        problems: isMeant ? problems : [],
        seemsToAsk: isNamed && holdsPrompts(document, context.names),
      };
    return {
      suite: null,
      problems: [...problems, ...emptyFile(document)],
      seemsToAsk: seemsToAsk(document, context.names),
    };
  }
  suite.problems.push(...problems, ...others, ...emptyFile(document));
  const skills = new Set([...suite.triggers, ...suite.cases].map((question) => question.skill));
  const [only] = skills;
  if (suite.skill === undefined && skills.size === 1 && only !== undefined) suite.skill = only;
  return { suite: giveIds(withoutPlaceholders(suite)), problems: [] };
}

async function firstThatReads(document: Document, context: ReadContext): Promise<Suite | null> {
  for (const reader of readers) {
    const suite = await reader.read(document, context);
    if (suite !== null) return suite;
  }
  return null;
}

/** A suite that names other files of its own is read before them. */
function particularFirst(a: string, b: string): number {
  const rank = Number(isKnownName(b)) - Number(isKnownName(a));
  return rank !== 0 ? rank : a < b ? -1 : a > b ? 1 : 0;
}

/** A skill that is copied into several hosts' folders often has its suite copied with it; that is one suite. */
function withoutCopies(suites: Suite[], names: Names): Suite[] {
  const copies = new Map<string, string>();
  for (const skill of names.library.skills) for (const copy of skill.source.copies) copies.set(copy, skill.dir);
  if (copies.size === 0) return suites;
  const files = new Set(suites.map((suite) => suite.file));
  return suites.filter((suite) => {
    for (let folder = dirname(suite.file); folder !== dirname(folder); folder = dirname(folder)) {
      const original = copies.get(folder);
      if (original !== undefined) return !files.has(original + suite.file.slice(folder.length));
    }
    return true;
  });
}

/** evolve has no `models` in a file of triggers: those of the evals in the same folder apply to them too. */
function withModels(suites: Suite[]): Suite[] {
  for (const { file, format, defaults } of suites) {
    if (format !== "evals" || defaults.models === undefined) continue;
    const neighbours = suites.filter((suite) => suite.format === "triggers" && dirname(suite.file) === dirname(file));
    for (const trigger of neighbours.flatMap((suite) => suite.triggers)) trigger.models = defaults.models;
  }
  return suites;
}

/** A skill's suite may be in its folder or elsewhere: the path of its SKILL.md means both. */
function folderOf(path: string, { skills }: Library): string {
  return skills.find(({ file }) => file === path)?.dir ?? path;
}

function narrowed(suite: Suite, inside: (file: string) => boolean, names: Names): Suite[] {
  if (inside(suite.file)) return [suite];
  const keep = (question: Question) => {
    const found = question.skill === undefined ? undefined : names.resolve(question.skill, suite.file);
    return found !== undefined && "skill" in found && [found.skill.dir, ...found.skill.source.copies].some(inside);
  };
  const triggers = suite.triggers.filter(keep);
  const cases = suite.cases.filter(keep);
  return triggers.length + cases.length > 0 ? [{ ...suite, triggers, cases }] : [];
}
