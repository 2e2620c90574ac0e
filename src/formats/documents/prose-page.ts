import { basename, dirname } from "node:path";

/**
 * Pages that talk about prompts: by their folder, or by a word in their name. A skill of that name has its page in a
 * folder of prompts.
 */
export function isProsePage(place: string): boolean {
  return isInDocs(place) || (proseWords.test(stemOf(place)) && !promptFolders.test(basename(dirname(place))));
}

/** Documentation shows examples; a page of it that is called after prompts may hold some. */
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
