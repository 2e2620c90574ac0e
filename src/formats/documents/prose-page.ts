import { basename, dirname } from "node:path";

/**
 * A page that talks about prompts, by its folder or by a word in its name. In a folder of prompts, such a word is part
 * of a skill's name.
 */
export function isProsePage(place: string): boolean {
  return isInDocs(place) || (proseWords.test(stemOf(place)) && !promptFolders.test(basename(dirname(place))));
}

/** Documentation shows examples, but a page named after prompts may hold real ones. */
export function isDocumentation(place: string): boolean {
  return isInDocs(place) && (!promptWords.test(stemOf(place)) || proseWords.test(stemOf(place)));
}

function isInDocs(place: string): boolean {
  return dirname(place)
    .split(/[\\/]/)
    .some((folder) => docsFolders.test(folder));
}

function stemOf(place: string): string {
  return basename(place).replace(/\.[^.]+$/, "");
}

const docsFolders = /^(?:docs?|documentation|guides?|wiki|adrs?|rfcs?|commands|agents)$/i;
const promptFolders = /^(?:triggers?|prompts?|quer(?:y|ies)|positives?|negatives?)$/i;
const promptWords = /trigger|routing|activation|prompts|queries/i;
const proseWords =
  /(?:^|[-_. ])(?:guides?|guidelines?|how[-_]?to|plans?|planning|checklists?|criteria|rubrics?|graders?|judges?|strateg(?:y|ies)|methodology|notes|reports?|design|spec|overview|summary|instructions|testing)(?:$|[-_. ])/i;
