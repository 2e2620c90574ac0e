import { dirname, resolve } from "node:path";
import { isWithin, type Problem, tellLongWork } from "../../base/index.ts";
import {
  type Document,
  emptySuite,
  formats,
  giveIds,
  hasPromptsAndLabels,
  isLikelySuite,
  loadText,
  mayBeIn,
  parseDocument,
  type ReadContext,
} from "../../formats/index.ts";
import type { Library, Question, Suite } from "../../model/index.ts";
import { type Names, namesNear, namesOf, pathInLibrary } from "../find/index.ts";
import { candidatesAmong, isFixture, isMaterial } from "./candidates.ts";
import { unreadCode } from "./import/unread-code.ts";
import { emptyFile, holdsPrompts, notRead, seemsToAsk, writesPrompts } from "./not-read.ts";
import { withoutPlaceholders } from "./placeholders.ts";
import { isStrayPrompt, unreadFolders, unreadFormats } from "./unread-places.ts";

/**
 * Every suite among these files, with its questions.
 * `paths` keep only what is in one of them or about a skill in one of them; a SKILL.md stands for its skill.
 * `named` are files that the user named one by one: those with prompts that are not understood are reported.
 * `exam` lists all files that hold questions, whatever the paths; an examinee must not read them.
 */
export async function readSuites(options: {
  library: Library;
  files: string[];
  paths?: string[];
  named?: string[];
}): Promise<{ suites: Suite[]; problems: Problem[]; exam: string[] }> {
  const { library, files } = options;
  const names = namesOf(library);
  const problems: Problem[] = [];
  const claimed = new Set<string>();
  const found: Suite[] = [];
  const notUnderstood: string[] = [];
  const named = new Set(options.named);
  const candidates = candidatesAmong(files, names).sort();
  for (const [index, file] of candidates.entries()) {
    if (claimed.has(file)) continue;
    tellLongWork(() => `Reading what may be a suite: ${index + 1} of ${candidates.length} files, ${file}`);
    const content = loadText(file, library.root);
    if ("problem" in content) {
      if (isLikelySuite(pathInLibrary(file, library))) problems.push(content.problem);
      continue;
    }
    const read = await readText({ file, text: content.text }, library, {
      claim: (other) => claimed.add(other),
      isNamed: named.has(file),
    });
    problems.push(...read.problems);
    if (read.suite === null) {
      if (read.problems.length === 0 && read.seemsToAsk) notUnderstood.push(file);
    } else if (!isFixture(read.suite, names)) found.push(read.suite);
  }
  // A suite may claim a file that was read before it.
  const suites = found.filter(({ file }) => !claimed.has(file));
  problems.push(
    ...notRead(
      notUnderstood.filter((file) => !claimed.has(file)),
      named,
    ),
  );
  problems.push(...unreadFormats(files, names));
  problems.push(...(await unreadCode(files, suites, library)));
  const others = files.filter((file) => !isMaterial(file, names));
  problems.push(...formats.flatMap((format) => format.findProblems?.(others, { names, read: claimed }) ?? []));
  const known = () =>
    new Set([...suites.map(({ file }) => file), ...problems.map(({ location }) => location.file), ...claimed]);
  problems.push(...unreadFolders(files, known(), names));
  const exam = [...known()];
  const once = withModels(withoutCopies(suites, names));
  const sorted = once.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  if (options.paths === undefined) return { suites: sorted, problems, exam };
  const inside = insideOf(options.paths, library);
  return {
    suites: narrowSuites(sorted, library, options.paths),
    problems: problems.filter(({ location }) => inside(location.file)),
    exam,
  };
}

export function narrowSuites(suites: readonly Suite[], library: Library, paths: readonly string[]): Suite[] {
  const inside = insideOf(paths, library);
  return suites.flatMap((suite) => narrowed(suite, inside, namesOf(library)));
}

function insideOf(paths: readonly string[], library: Library): (file: string) => boolean {
  const folders = paths.map((path) => folderOf(resolve(path), library));
  return (file) => folders.some((folder) => isWithin(folder, file));
}

export async function readSuiteFile(file: string, library: Library): Promise<Suite | null> {
  const path = resolve(file);
  const content = loadText(path);
  if ("problem" in content) return { ...emptySuite(path, "unreadable"), problems: [content.problem] };
  const { suite, problems } = await readText({ file: path, text: content.text }, library, {
    claim() {},
    isNamed: true,
  });
  return suite === null && problems.length > 0 ? { ...emptySuite(path, "unreadable"), problems } : suite;
}

async function readText(
  { file, text }: { file: string; text: string },
  library: Library,
  { claim, isNamed }: Pick<ReadContext, "claim" | "isNamed">,
): Promise<{ suite: Suite | null; problems: Problem[]; seemsToAsk?: boolean }> {
  const { root } = library;
  const within = isWithin(root, file) ? root : dirname(file);
  const path = pathInLibrary(file, library);
  const { document, problems } = parseDocument(file, text, within);
  const isMeant = isLikelySuite(path) || (isNamed && writesPrompts(file, text));
  if (document === undefined) return { suite: null, problems: isMeant ? problems : [] };
  const others: Problem[] = [];
  const context: ReadContext = {
    names: namesNear(library, file),
    claim,
    isNamed,
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
    if (isStrayPrompt(path)) return { suite: null, problems: [], seemsToAsk: text.trim() !== "" };
    if (!hasPromptsAndLabels(document, context)) return { suite: null, problems: [] };
    if (!isLikelySuite(path))
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
  for (const format of formats) {
    if (!mayBeIn(format, context.names.path) || !format.recognises?.(document, context)) continue;
    const suite = await format.read?.(document, context);
    if (suite != null) return suite;
  }
  return null;
}

/** A skill copied into several hosts' folders often has its suite copied too; that is one suite. */
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

/** evolve's trigger files have no `models`; those of the evals in the same folder apply to them. */
function withModels(suites: Suite[]): Suite[] {
  for (const { file, format, defaults } of suites) {
    if (format !== "evals" || defaults.models === undefined) continue;
    const neighbours = suites.filter((suite) => suite.format === "triggers" && dirname(suite.file) === dirname(file));
    for (const trigger of neighbours.flatMap((suite) => suite.triggers)) trigger.models = defaults.models;
  }
  return suites;
}

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
