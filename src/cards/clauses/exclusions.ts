import { BUT, DENIES, HANDS_OVER, MAY_EXCLUDE, NOT_OURS, OTHER, OTHERS, SYMPTOMS, TAIL } from "./exclusion-phrases.ts";

/**
 * Sorts the clauses of a sentence into what attracts prompts and what does not. Besides "not for", authors exclude by
 * what the skill does not do ("Does NOT book hotel rooms"), by who does it instead ("For refunds use refund-desk",
 * "schema design → data-modeling") and by exceptions ("all formats except PDF"). `own` is the skill's own name, which
 * excludes nothing.
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

/** A part of a clause. `other`: it names another skill, and the next clause may do so more briefly. */
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

interface ExcludedPart {
  start: number;
  end: number;
}

/** A denial begins at the start or after a comma. In a list of symptoms ("does not link") it excludes nothing. */
function findDenial(clause: string, context: Context): ExcludedPart | undefined {
  for (const start of [0, ...[...clause.matchAll(/, ?/g)].map((comma) => comma.index + comma[0].length)]) {
    const rest = clause.slice(start);
    const mayBeSymptom = context.listsSymptoms || SYMPTOMS.test(clause.slice(0, start));
    if ((!mayBeSymptom && DENIES.test(rest)) || handsOver(rest, context))
      return { start, end: start + lengthOfDenial(rest, start > 0) };
  }
  return undefined;
}

/** Text in brackets may be an exclusion as a whole. */
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

/**
 * Length of the denied text, which ends where the author returns to what the skill does. An insertion, as in "plain
 * asserts, no mocks, and fakes", ends at its comma.
 */
function lengthOfDenial(text: string, isPutIn: boolean): number {
  const ends = [
    BUT.exec(text)?.index,
    isPutIn ? PUT_IN.exec(text)?.[0].length : undefined,
    UNOPENED.exec(text)?.[0].length,
  ];
  return Math.min(text.length, ...ends.filter((end) => end !== undefined));
}

/** Starts by handing the matter to another skill. */
function handsOver(text: string, context: Context): boolean {
  return HANDS_OVER.test(text) || namesOther(text, context);
}

/** "Use refund-desk for refunds", with a name that is not the skill's own. */
function namesOther(clause: string, { own, listsOthers }: Context): boolean {
  const name = (listsOthers ? OTHERS : OTHER).exec(clause)?.slice(1).find(Boolean);
  return name !== undefined && name.toLowerCase().split(":").at(-1) !== own;
}

const WORD = /[\p{L}\p{N}]/u;

const ASIDES = / ?\(([^()]{3,300})\)/g;

/** Punctuation left over where a clause was cut. */
const EDGES = /^(?:[\s,()]|but (?:it |does |will |can )?)+|[\s,(]+$/gi;

const PUT_IN = /^(?:no|never)\b[^,]*(?=,)/i;
/** Text up to a bracket that was opened earlier. */
const UNOPENED = /^[^()]*(?=\))/;

/** Longer than any valid description. Cutting takes quadratic time, so longer texts are left alone. */
const LONGEST = 2_000;

/** Blanks out everything between quotation marks, keeping the length so that offsets stay valid. */
export function maskQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => "_".repeat(quoted.length));
}

/** A single quote opens only before a word and closes only after one: the one in "doesn't" does neither. */
const QUOTED =
  /"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<![\p{L}\p{N}])['‘][^'’\n]{1,200}(?:n['’]t[^'’\n]{0,200})?['’](?![\p{L}\p{N}])/gu;
