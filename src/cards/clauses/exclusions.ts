import { BUT, DENIES, HANDS_OVER, MAY_EXCLUDE, NOT_OURS, OTHER, OTHERS, SYMPTOMS, TAIL } from "./exclusion-phrases.ts";

/**
 * Sorts the clauses of a sentence into what attracts and what does not. Authors draw the line in many ways besides "not for": by what the skill does not do ("Does NOT
 * book hotel rooms"), by who does it instead ("For refunds use refund-desk", "Use refund-desk for refunds", "schema design → data-modeling"), and by exceptions ("all
 * formats except PDF"). `own`: the skill's own name, which sends nobody elsewhere.
 */
export function splitExclusions(clauses: readonly string[], own = ""): { positive: string[]; negative: string[] } {
  const positive: string[] = [];
  const negative: string[] = [];
  let listsSymptoms = false;
  let listsOthers = false;
  for (const clause of clauses) {
    if (clause.length > LONGEST || !MAY_EXCLUDE.test(clause)) {
      positive.push(clause);
      listsOthers = false;
    } else {
      const pieces = cut(clause, { own: own.toLowerCase(), listsSymptoms, listsOthers });
      for (const { text, excluded } of pieces) (excluded ? negative : positive).push(text);
      listsOthers = pieces.some(({ other }) => other === true);
    }
    listsSymptoms ||= SYMPTOMS.test(clause);
  }
  return { positive, negative };
}

/** A part of a clause. `other`: it names whose the matter is, and so may the next clause. */
interface Piece {
  text: string;
  excluded: boolean;
  other?: boolean;
}

interface Context {
  own: string;
  listsSymptoms: boolean;
  listsOthers: boolean;
}

function cut(clause: string, context: Context): Piece[] {
  const masked = maskQuotes(clause);
  const plain = masked.replace(ASIDES, (aside) => "_".repeat(aside.length));
  if (handsOver(plain, context) || NOT_OURS.test(plain))
    return [{ text: clause, excluded: true, other: namesOther(plain, context) }];
  const found = findDenial(plain, context) ?? findAside(masked, context) ?? findTail(masked);
  if (found === undefined) return [{ text: clause, excluded: false }];
  const parts = [clause.slice(0, found.start), clause.slice(found.start, found.end), clause.slice(found.end)];
  const [before = "", excluded = "", after = ""] = parts.map((part) => part.replace(EDGES, ""));
  return [...cutRest(before, context), { text: excluded, excluded: true }, ...cutRest(after, context)];
}

function cutRest(clause: string, context: Context): Piece[] {
  return WORD.test(clause) ? cut(clause, context) : [];
}

/** From where to where a clause says what is excluded. */
interface ExcludedPart {
  start: number;
  end: number;
}

/** A denial begins at the start or after a comma. Among symptoms it may be one of them; a name to go to is none. */
function findDenial(clause: string, context: Context): ExcludedPart | undefined {
  for (const start of [0, ...[...clause.matchAll(/, ?/g)].map((comma) => comma.index + comma[0].length)]) {
    const rest = clause.slice(start);
    const mayBeSymptom = context.listsSymptoms || SYMPTOMS.test(clause.slice(0, start));
    if ((!mayBeSymptom && DENIES.test(rest)) || handsOver(rest, context))
      return { start, end: start + lengthOfDenial(rest, start > 0) };
  }
  return undefined;
}

/** What stands in brackets may be all about what is excluded. */
function findAside(clause: string, context: Context): ExcludedPart | undefined {
  const aside = [...clause.matchAll(ASIDES)].find(
    ([, text = ""]) => (!context.listsSymptoms && DENIES.test(text)) || handsOver(text, context) || NOT_OURS.test(text),
  );
  return aside && { start: aside.index, end: aside.index + aside[0].length };
}

function findTail(clause: string): ExcludedPart | undefined {
  const tail = TAIL.exec(clause);
  return tail === null ? undefined : { start: tail.index, end: clause.length };
}

/** How much of the text is denied: all, up to where the author comes back to what the skill does. A word put in, as in "plain asserts, no mocks, and fakes", ends at its comma. */
function lengthOfDenial(text: string, isPutIn: boolean): number {
  const ends = [
    BUT.exec(text)?.index,
    isPutIn ? PUT_IN.exec(text)?.[0].length : undefined,
    UNOPENED.exec(text)?.[0].length,
  ];
  return Math.min(text.length, ...ends.filter((end) => end !== undefined));
}

/** It begins by saying whose the matter is. */
function handsOver(text: string, context: Context): boolean {
  return HANDS_OVER.test(text) || namesOther(text, context);
}

/** "Use refund-desk for refunds", with a name that is not the skill's own. */
function namesOther(clause: string, { own, listsOthers }: Context): boolean {
  const name = (listsOthers ? OTHERS : OTHER).exec(clause)?.slice(1).find(Boolean);
  return name !== undefined && name.toLowerCase().split(":").at(-1) !== own;
}

const WORD = /[\p{L}\p{N}]/u;

/** What stands in brackets. */
const ASIDES = / ?\(([^()]{3,300})\)/g;

/** What is left of the punctuation where a clause was cut. */
const EDGES = /^(?:[\s,()]|but (?:it |does |will |can )?)+|[\s,(]+$/gi;

const PUT_IN = /^(?:no|never)\b[^,]*(?=,)/i;
/** Up to a bracket that was opened before. */
const UNOPENED = /^[^()]*(?=\))/;

/** Longer than any description may be. What is longer was not written for readers, and cutting it up takes time that grows with the square of its length. */
const LONGEST = 2_000;

/** The text with everything between quotation marks blanked out: as long as before, so that places stay the same. */
export function maskQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => "_".repeat(quoted.length));
}

/** A single quote opens only where a word could begin, and closes only where one could end: "doesn't" opens nothing. */
const QUOTED =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<![\p{L}\p{N}])['‘][^'’\n]{1,200}(?:n['’]t[^'’\n]{0,200})?['’](?![\p{L}\p{N}])/gu;
