import { basename, dirname, relative, sep } from "node:path";
import { formats, mayBeIn } from "../../formats/index.ts";
import type { Suite } from "../../model/index.ts";
import { isTestData, type Names, namesNear, pathInLibrary } from "../find/index.ts";

/**
 * The files that are offered to the formats: those that a format may be in, without what is known to be something
 * else. Everything
 * further is for the formats to decide.
 */
export function candidatesAmong(files: readonly string[], names: Names): string[] {
  // The triggers in a prompt folder's meta.yml are its card, not questions.
  const cards = new Set(names.library.skills.map(({ file }) => file));
  return files.filter((file) => {
    const path = pathInLibrary(file, names.library);
    return (
      !otherNames.test(basename(file)) &&
      !otherPlaces.test(path) &&
      formats.some((format) => mayBeIn(format, path)) &&
      !cards.has(file) &&
      !isMaterial(file, names) &&
      !isResult(file, names)
    );
  });
}

const otherNames =
  /^(?:package(?:-lock)?|tsconfig.*|composer|deno|biome|renovate|marketplace|plugin|hooks|settings.*|\.?mcp|openapi|swagger)\.jsonc?$|^(?:SKILL|README|CHANGELOG|AGENTS|CLAUDE|GEMINI|CONTRIBUTING|LICENSE)\.(?:md|txt)$|-lock\.ya?ml$|\.schema\.json$/i;
/** What GitHub reads; a skill may live in another folder there. */
const otherPlaces = /[\\/]\.github[\\/](?:workflows|ISSUE_TEMPLATE|actions|instructions)[\\/]/i;

/**
 * Files that are no questions because of where they are: what cases are staged with, test data, templates, what a
 * skill ships.
 */
export function isMaterial(file: string, names: Names): boolean {
  const path = pathInLibrary(file, names.library);
  // Most files are in no such place, and need no search for whose folder it is.
  if (!telling.test(path)) return false;
  return isTestData(path.replaceAll(fixtures, "")) || isTemplate(path, names) || isShipped(file, names);
}

const telling =
  /test[-_]?data|__|[\\/]files[\\/]|template|boilerplate|[\\/](?:assets|references?|resources|scripts|examples?)[\\/]/i;

const fixtures = /[\\/]fixtures?(?=[\\/])/gi;

/** In a folder of fixtures, only what is understood to the last row is a suite. */
export function isFixture(suite: Suite, names: Names): boolean {
  if (!isTestData(pathInLibrary(suite.file, names.library))) return false;
  const known = (name: string) => names.resolve(name, suite.file) !== undefined;
  const named = suite.triggers.flatMap(({ expect }) => [
    ...expect.required_skills,
    ...expect.forbidden_skills,
    ...expect.also_fine,
  ]);
  return (
    suite.triggers.length === 0 || suite.problems.some(({ severity }) => severity === "error") || !named.every(known)
  );
}

const template = /^(?:[._-]*templates?|.+[-_.]templates?|templates?[-_.].+|boilerplate)$/i;

/** A folder called after templates, unless a skill has that name. */
function isTemplate(path: string, names: Names): boolean {
  const parts = path.split(sep);
  const stem = basename(path).replace(/\.[^.]+$/, "");
  return [...parts.slice(0, -1), stem].some((part) => template.test(part) && names.resolve(part) === undefined);
}

const shipped = /^(?:assets|references?|resources|scripts|templates?|examples?)$/i;

/** In a folder of the skill that is handed to a model. */
function isShipped(file: string, names: Names): boolean {
  const folder = names.owner(file)?.folder;
  if (folder === undefined) return false;
  const [first = ""] = dirname(file)
    .slice(folder.length + 1)
    .split(sep);
  return shipped.test(first) && !namesNear(names.library, file).has(first);
}

const resultFolder = /^(?:results?|reports?|outputs?|runs|logs?|transcripts?|predictions?|iteration[-_]?\d+)$/i;
const resultName = /(?:^|[._-])(?:results|outputs?|predictions?|transcripts?|report)(?:[._-]|$)/i;

/** What runs leave behind, by its path: old answers, or old labels. */
export function isResult(file: string, names: Names): boolean {
  if (!/result|report|output|runs|log|transcript|prediction|iteration/i.test(file)) return false;
  const owner = names.owner(file);
  const parts = relative(owner?.folder ?? names.library.root, dirname(file)).split(/[\\/]/);
  const stem = basename(file).replace(/\.[^.]+$/, "");
  return (
    parts.some((part) => resultFolder.test(part) && names.resolve(part, file) === undefined) ||
    (resultName.test(stem) && owner?.by !== "file")
  );
}
