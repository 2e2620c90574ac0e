import { basename, dirname, sep } from "node:path";
import { isWithin } from "../../base/index.ts";
import { type Names, namesNear } from "../../formats/index.ts";
import type { Suite } from "../../model/index.ts";
import { isTestData } from "../find/index.ts";

/** The path below the root: the names of the folders above it mean nothing. */
export function placeOf(file: string, { library }: Names): string {
  return isWithin(library.root, file) ? file.slice(library.root.length) : file;
}

/** Prompts and labels that are nobody's questions, by their place: what cases are staged with, test data, templates, what a skill ships. */
export function isMaterial(file: string, names: Names): boolean {
  const place = placeOf(file, names);
  // Most files are in no such place, and need no search for whose folder it is.
  if (!telling.test(place)) return false;
  return isTestData(place.replaceAll(fixtures, "")) || isTemplate(place, names) || isShipped(file, names);
}

/** In a folder of fixtures, what is understood to the last row is a suite; anything else is what it seems. */
export function isFixture(suite: Suite, names: Names): boolean {
  if (!isTestData(placeOf(suite.file, names))) return false;
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

const telling =
  /test[-_]?data|__|[\\/]files[\\/]|template|boilerplate|[\\/](?:assets|references?|resources|scripts|examples?)[\\/]/i;

const fixtures = /[\\/]fixtures?(?=[\\/])/gi;

const template = /^(?:[._-]*templates?|.+[-_.]templates?|templates?[-_.].+|boilerplate)$/i;

/** A skill may well be about templates. */
function isTemplate(place: string, names: Names): boolean {
  const parts = place.split(sep);
  const stem = basename(place).replace(/\.[^.]+$/, "");
  return [...parts.slice(0, -1), stem].some((part) => template.test(part) && names.resolve(part) === undefined);
}

/** What a skill hands to a model is for its work. */
const shipped = /^(?:assets|references?|resources|scripts|templates?|examples?)$/i;

function isShipped(file: string, names: Names): boolean {
  const folder = names.owner(file)?.folder;
  if (folder === undefined) return false;
  const [first = ""] = dirname(file)
    .slice(folder.length + 1)
    .split(sep);
  return shipped.test(first) && !namesNear(names.library, file).has(first);
}
