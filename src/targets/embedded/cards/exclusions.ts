import { maskQuotes } from "./quotes.ts";

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
  if (handsOver(plain, context) || NOT_OURS.test(plain)) return [{ text: clause, excluded: true, other: namesOther(plain, context) }];
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
    if ((!mayBeSymptom && DENIES.test(rest)) || handsOver(rest, context)) return { start, end: start + lengthOfDenial(rest, start > 0) };
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
  const ends = [BUT.exec(text)?.index, isPutIn ? PUT_IN_END.exec(text)?.index : undefined, UNOPENED.exec(text)?.[0].length];
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

const PUT_IN_END = /(?<=^(?:no|never)\b[^,]*),/i;
/** Up to a bracket that was opened before. */
const UNOPENED = /^[^()]*(?=\))/;

/** Longer than any description may be: what is longer was not written for readers, and would take its square in time. */
const LONGEST = 2_000;

/** Rules out most clauses quickly. */
const MAY_EXCLUDE =
  /\bnot?\b|n['’]t\b|cannot|\bnever\b|\bexcept|exclud|instead|rather|scope|→|->|\bsee\b|\bfor\b|belong|\bby\b|leave|defer|refer|redirect|route|delegate|hand|send|sent|elsewhere|separately|unsupported|unlike|nothing|other|else|beyond|distinct|different|separate|apart|aside|but|confuse|\b(?:use|try|choose|go(?:es)? to|invoke|load) (?:the )?\S+[-:_]|\w[-:_]\w+ (?:handles|covers|owns|does|takes)\b/i;

/** `refund-desk`, `shop:refund-desk`, `/refund-desk`, a name in backticks, "the refund skill". */
const NAME =
  "(?:the )?(?:`[^`]+`|/?[a-z0-9]+(?:[-:_][a-z0-9]+)+|(?:(?!right\\b|best\\b|correct\\b|appropriate\\b|matching\\b|relevant\\b)[\\w-]+ ){1,3}skill\\b)";
const SOMEBODY = `(?:${NAME}|other skills?|another (?:skill|tool)|an? (?:different|separate|other) (?:skill|tool)|the others?\\b|somebody else|someone else)`;
const USE = "(?:use|see|prefer|try|choose|pick|invoke|load|consult|reach for|go to|go with|refer to|defer to|turn to|switch to)";

/** "Use refund-desk for refunds", "If money is owed, use refund-desk"; after one of them, "price-desk for prices". Only a name that could be no word: people use many things. */
const ID = "`?/?([a-z0-9]+(?:[-:_][a-z0-9]+)+)`?(?: skill)?";
const OTHER = new RegExp(
  [
    `^(?:and |but |or |otherwise,? |please |instead of (?:this|it)[^,]*, )*${USE} (?:the )?${ID} (?:for|when|if)\\b`,
    `^(?:if|when)\\b.+?, (?:then |please )?${USE} ${ID}`,
    `[?:] ${USE} (?:the )?${ID}`,
    `^${ID} (?:handles|covers|owns|does|takes(?: care of)?|is (?:for|responsible for))\\b`,
    `\\b(?:should|must) use (?:the )?${ID}`,
  ].join("|"),
  "i",
);
const OTHERS = new RegExp(`${OTHER.source}|^(?:and |or )?${ID} (?:for|when|if)\\b`, "i");

/** It begins with handing over: "For refunds use refund-desk", "Another skill handles refunds", "Leave refunds to refund-desk". */
const HANDS_OVER = new RegExp(
  [
    `^(?:and |but |or )?for\\b.+?\\b${USE} ${NAME}`,
    `^(?:please )?${USE} (?:another|an? (?:different|separate|other)) (?:skill|tool)\\b`,
    "^(?:another|an? (?:different|separate|other)) (?:skill|tool) (?:handles|covers|owns|does|takes|is for)\\b",
    `^(?:leaves?|defers?|refers?|redirects?|routes?|delegates?|sends?|pass(?:es)?|hands?) .+ to ${SOMEBODY}`,
    "^(?:and |but )?(?:routes?|redirects?|sends?) .*\\belsewhere\\b",
  ].join("|"),
  "i",
);

/** It is somebody else's, or nobody's: "Refunds are out of scope", "refunds → refund-desk". */
const NOT_OURS = new RegExp(
  [
    `\\b${USE} (?:\\S+ ){1,6}?instead\\b(?! of)`,
    `\\bsee (?:the )?[a-z0-9]+(?:-[a-z0-9]+)+$`,
    // One arrow to one name (what is said about it in brackets is blanked out): a workflow has more arrows.
    `^[^→]+(?:→|->) ?${NAME}_*[.,]?$`,
    `\\b(?:belongs?|go(?:es)?|(?:should|must|will) be (?:routed|sent|left|passed|delegated|handed(?: off| over)?)) (?:to|in) ${SOMEBODY}`,
    `\\b(?:is|are) (?:handled|covered|owned|done|served) by ${SOMEBODY}`,
    `\\b(?:is|are) (?:a job |a task |work )(?:for|of) ${SOMEBODY}`,
    "\\b(?:is|are) (?:not (?:its|our|this skill['’]s|the skill['’]s) (?:job|task|business)|(?:somebody|someone) else['’]s)\\b",
    "\\b(?:is|are|remains?|stays?) (?:explicitly |deliberately |strictly )?(?:out of|not in|outside(?: of)?|beyond)(?: the| its| this skill['’]s| our)? scope\\b",
    "\\b(?:is|are) (?:beyond|outside(?: of)?) (?:this|the) skill\\b|\\b(?:is|are) not what (?:this|the skill|it) is for\\b",
    "\\b(?:is|are) (?:explicitly |deliberately )?(?:not (?:supported|covered|included|handled|part of)|excluded|unsupported)\\b",
    "^.+ (?:excluded|not (?:included|supported|covered|in scope))[.!]?$",
    "\\b(?:is|are) (?:handled|covered|owned|done|served) (?:elsewhere|separately)\\b|\\b(?:go|goes|routes?) elsewhere[.!]?$",
  ].join("|"),
  "i",
);

/** What the skill does not do, said of the skill or of nobody in particular. */
const DENIES =
  /^(?:(?:and|but|also|please|note that|it|this|this skill|the skill|this tool)[ ,]+){0,3}(?:(?:does|do|can|will|would|should|must|may|is|are)(?: not|n['’]t)|cannot|can['’]?t|won['’]t|never|(?:it|this|that)['’]s not|no(?!.*\bwithout\b)(?! (?:matter|need|more|longer|idea|way)\b)|not(?! (?:only|just|merely|limited|necessarily|sure|yet)\b)|unlike|distinct from|different from|separate from|(?:any|every)thing (?:except|other than)|other than|apart from|aside from|has nothing to do with)\b/i;

/** The author comes back to what it does. */
const BUT = /(?<!thing),? but (?!not\b)/i;

/** What a sentence lists after such words is what users see: "Use when the build hangs; does not link". */
const SYMPTOMS =
  /\b(?:use|trigger|invoke|activate|apply)\w*(?: this| it| this skill)?(?: when| if| on| for|:)|\bwhen(?:ever)?\b|\bsymptoms?\b|\bphras|\bsuch as\b|\bquestions? like\b|\bsays?\b/i;

/** What follows is left out. */
const TAIL =
  /(?:,? ?\b(?:(?:any|every)thing but|except(?: for| when| if| in| on| where| that)?|excluding|but not|with the exception of)|(?<=[,(—–]) ?\bnot)(?= (?!only\b|just\b|merely\b|limited\b|necessarily\b|sure\b|yet\b))/i;
