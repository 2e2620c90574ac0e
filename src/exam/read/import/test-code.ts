import { dirname, resolve } from "node:path";
import { isWithin, kindAt, type Problem } from "../../../base/index.ts";
import {
  type CodeFile,
  emptySuite,
  giveIds,
  loadText,
  makeDocument,
  parseCode,
  readCode,
  readRows,
  suiteProblem,
} from "../../../formats/index.ts";
import type { Library, Suite } from "../../../model/index.ts";
import { namesNear, namesOf, pathInLibrary } from "../../find/index.ts";
import { isResult } from "../candidates.ts";

const testName = /\.(?:test|spec|eval)\.[cm]?[jt]sx?$|[\\/](?:test_[^\\/]*|[^\\/]*_test)\.py$/;
const codeName = /\.(?:[cm]?[jt]sx?|py)$/;
const evalPlace = /[\\/]evals?[\\/]|[\\/][^\\/]*(?:trigger|routing|activation)[^\\/]*$/i;
const about = /trigger|activat|\broute|routing|expected_?skill|\bskill/i;
const telling = /trigger|activat|routing|skill|eval|prompt/i;

export function isTestCode(file: string): boolean {
  return testName.test(file) || (codeName.test(file) && evalPlace.test(file));
}

/**
 * Reads prompts and labels from hand-written tests (Jest, Vitest, pytest) by their syntax tree. The code is never run;
 * computed values are reported.
 */
export async function readTestCode(
  files: readonly string[],
  library: Library,
): Promise<{ suites: Suite[]; problems: Problem[] }> {
  const suites: Suite[] = [];
  const problems: Problem[] = [];
  for (const file of files.filter(isTestCode)) {
    const content = loadText(file, isWithin(library.root, file) ? library.root : undefined);
    if ("problem" in content || !about.test(content.text + file) || isResult(file, namesOf(library))) continue;
    // A test of something else may contain sentences, too.
    if (!telling.test(pathInLibrary(file, library)) && !namesSkill(content.text, library)) continue;
    const read = await readOne(file, content.text, library);
    if (read.suite !== undefined) suites.push(read.suite);
    problems.push(...read.problems);
  }
  return { suites, problems };
}

function namesSkill(code: string, { skills }: Library): boolean {
  return skills.some(({ name }) => ['"', "'", "`"].some((quote) => code.includes(`${quote}${name}${quote}`)));
}

async function readOne(file: string, text: string, library: Library): Promise<{ suite?: Suite; problems: Problem[] }> {
  const names = namesNear(library, file);
  const beside = (from: string) => loadBeside(file, from, library.root);
  const read = await readTree(file, text, (code) => readCode(code, beside, names.has));
  const { root, partial } = read ?? { root: { type: "map" as const, start: 0, end: 0, entries: [] }, partial: [] };
  const document = makeDocument({ file, syntax: "json", text, root });
  const rows = readRows(document, names);
  const tell = (message: string, start: number) =>
    suiteProblem("suite/not-understood", {
      message,
      fix: "Write the prompts out, or add them to the imported file by hand.",
      location: document.at(start),
    });
  if (read === undefined)
    return { problems: [tell("This code is too long, too broken or too deeply nested to be read.", 0)] };
  if (rows === null || rows.triggers.length === 0) {
    const isMeant = /trigger|activation|routing/i.test(pathInLibrary(file, library));
    return {
      problems: isMeant
        ? [tell("No prompt with a label was found in this code: only what is written out in it is read.", 0)]
        : [],
    };
  }
  const problems = partial.map(({ name, start }) =>
    tell(`Some items of ${name} are computed: only what is written out was imported.`, start),
  );
  const [open] = rows.unlabelled;
  if (open !== undefined)
    problems.push(
      tell(
        `${rows.unlabelled.length} of ${rows.unlabelled.length + rows.triggers.length} prompts in this file have no label and were not imported; this is the first.`,
        open.at.start,
      ),
    );
  const suite = { ...emptySuite(file, "test-code"), triggers: rows.triggers, problems: rows.problems };
  return { suite: giveIds(suite), problems };
}

/**
 * Undefined for code that is too long, too broken or too deeply nested: parser and reader recurse, and the stack is
 * limited.
 */
async function readTree<T>(file: string, text: string, read: (code: CodeFile) => Promise<T>): Promise<T | undefined> {
  try {
    const code = await parseCode(file, text);
    return code && (await read(code));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const endings = ["", ".ts", ".js", ".mts", ".mjs", ".tsx", ".jsx", ".cjs", "/index.ts", "/index.js"];

async function loadBeside(file: string, from: string, root: string): Promise<CodeFile | undefined> {
  const found = placesOf(file, from, root).find(
    (path) => isWithin(root, path) && codeName.test(path) && kindAt(path, root) === "file",
  );
  const content = found === undefined ? undefined : loadText(found, root);
  return found === undefined || content === undefined || "problem" in content
    ? undefined
    : parseCode(found, content.text);
}

function placesOf(file: string, from: string, root: string): string[] {
  const folder = dirname(file);
  if (file.endsWith(".py")) {
    const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(from) ?? [];
    const path = `${rest.replaceAll(".", "/")}.py`;
    const up = "../".repeat(Math.max(dots.length - 1, 0));
    return [resolve(folder, up, path), ...(dots === "" ? [resolve(root, path)] : [])];
  }
  if (!/^\.{1,2}\//.test(from)) return [];
  const bare = resolve(folder, from.replace(/\.[cm]?jsx?$/, ""));
  return [resolve(folder, from), ...endings.map((ending) => `${bare}${ending}`)];
}
