import { basename, dirname, relative, sep } from "node:path";
import { formats, mayBeIn } from "../../formats/index.ts";
import type { Suite } from "../../model/index.ts";
import { isTestData, type Names, namesNear, pathInLibrary } from "../find/index.ts";

/** Files to offer to the formats: all that a format may be in, except what is known to be something else. */
export function candidatesAmong(files: readonly string[], names: Names): string[] {
  // Triggers in a prompt folder's meta.yml are its card, not questions.
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
/** Folders that GitHub reads; other folders in .github may hold skills. */
const otherPlaces = /[\\/]\.github[\\/](?:workflows|ISSUE_TEMPLATE|actions|instructions)[\\/]/i;

export function isMaterial(file: string, names: Names): boolean {
  const path = pathInLibrary(file, names.library);
  // Most files are in no such folder, and finding out who owns a folder is slow.
  if (!telling.test(path)) return false;
  return isTestData(path.replaceAll(fixtures, "")) || isTemplate(path, names) || isShipped(file, names);
}

const telling =
  /test[-_]?data|__|[\\/]files[\\/]|template|boilerplate|[\\/](?:assets|references?|resources|scripts|examples?)[\\/]/i;

const fixtures = /[\\/]fixtures?(?=[\\/])/gi;

/** In a folder of fixtures, a file is a suite only if every row of it is understood. */
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

function isTemplate(path: string, names: Names): boolean {
  const parts = path.split(sep);
  const stem = basename(path).replace(/\.[^.]+$/, "");
  return [...parts.slice(0, -1), stem].some((part) => template.test(part) && names.resolve(part) === undefined);
}

const shipped = /^(?:assets|references?|resources|scripts|templates?|examples?)$/i;

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
