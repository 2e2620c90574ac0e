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
    const masked = MAY_EXCLUDE.test(clause) ? maskQuotes(clause) : undefined;
    const other: string | undefined =
      masked === undefined ? undefined : (listsOthers ? OTHERS : OTHER).exec(masked)?.slice(1).find(Boolean);
    listsOthers = other !== undefined && other.toLowerCase().split(":").at(-1) !== own.toLowerCase();
    if (listsOthers || (masked !== undefined && ELSEWHERE.test(masked))) negative.push(clause);
    else if (masked !== undefined && !listsSymptoms && DENIES.test(masked)) {
      const back = BUT.exec(masked);
      negative.push(back === null ? clause : clause.slice(0, back.index));
      if (back !== null) positive.push(clause.slice(back.index + back[0].length));
    } else {
      const tail = masked === undefined ? null : TAIL.exec(masked);
      const at = tail === null ? clause.length : tail.index;
      if (clause.slice(0, at).trim() !== "") positive.push(clause.slice(0, at).trim());
      if (at < clause.length) negative.push(clause.slice(at).trim());
    }
    listsSymptoms ||= SYMPTOMS.test(clause);
  }
  return { positive, negative };
}

/** Rules out most clauses quickly. */
const MAY_EXCLUDE =
  /\bnot?\b|n['’]t\b|cannot|\bnever\b|\bexcept|exclud|instead|rather|scope|→|->|\bsee\b|\bfor\b|belong|\bby\b|leave|defer|refer|redirect|elsewhere|separately|unsupported|\b(?:use|try|choose|go(?:es)? to|invoke|load) (?:the )?\S+[-:_]/i;

/** `refund-desk`, `shop:refund-desk`, `/refund-desk`, a name in backticks, "the refund skill". */
const NAME = "(?:the )?(?:`[^`]+`|/?[a-z0-9]+(?:[-:_][a-z0-9]+)+|(?:[\\w-]+ ){1,3}skill\\b)";
const USE = "(?:use|see|prefer|try|choose|pick|invoke|load|consult|reach for|go to|go with|refer to|defer to|turn to|switch to)";

/** "Use refund-desk for refunds", "If money is owed, use refund-desk"; after one of them, "price-desk for prices". Only a name that could be no word: people use many things. */
const ID = "`?/?([a-z0-9]+(?:[-:_][a-z0-9]+)+)`?(?: skill)?";
const OTHER = new RegExp(
  `^(?:and |but |or |otherwise,? )?${USE} (?:the )?${ID} (?:for|when|if)\\b|^(?:if|when)\\b.+?, (?:then )?${USE} ${ID}`,
  "i",
);
const OTHERS = new RegExp(`${OTHER.source}|^(?:and |or )?${ID} (?:for|when|if)\\b`, "i");

/** Somebody else's. */
const ELSEWHERE = new RegExp(
  [
    `^(?:and |but |or )?for\\b.+?\\b${USE} ${NAME}`,
    `\\b${USE} (?:\\S+ ){1,6}?instead\\b(?! of)`,
    `\\bsee (?:the )?[a-z0-9]+(?:-[a-z0-9]+)+$`,
    // One arrow to one name: a workflow has more.
    `^[^→]+(?:→|->) ?${NAME}(?: ?\\([^)]*\\))?[.,]?$`,
    `\\b(?:belongs?|goes|should go) (?:to|in) (?:${NAME}|other skills?|another skill)`,
    `\\b(?:is|are) (?:handled|covered|owned|done|served) by (?:${NAME}|other skills?|another skill)`,
    "\\b(?:is|are|remains?|stays?) (?:explicitly |deliberately |strictly )?(?:out of|not in|outside(?: of)?|beyond)(?: the| its| this skill['’]s| our)? scope\\b",
    "\\b(?:is|are) (?:explicitly |deliberately )?not (?:supported|covered|included|handled|part of)\\b",
    "\\b(?:is|are) (?:handled|covered|owned|done|served) (?:elsewhere|separately)\\b|\\b(?:is|are) unsupported\\b",
    `^(?:leaves?|defers?|refers?|redirects?) .+ to (?:${NAME}|other skills?|another skill)`,
  ].join("|"),
  "i",
);

/** What the skill does not do, said of the skill or of nobody in particular. */
const DENIES =
  /^(?:(?:and|but|also|please|note that|it|this|this skill|the skill|this tool|skill)[ ,]+){0,3}(?:(?:does|do|can|will|would|should|must|may|is|are)(?: not|n['’]t)|cannot|can['’]?t|won['’]t|never|(?:it|this|that)['’]s not|no(?!.*\bwithout\b)(?! (?:matter|need|more|longer|idea|way)\b)|not(?! (?:only|just|merely|limited|necessarily|sure|yet)\b))\b/i;

/** The author comes back to what it does. */
const BUT = /,? but (?!not\b)(?:it |does |will |can )?/i;

/** What a sentence lists after such words is what users see: "Use when the build hangs; does not link". */
const SYMPTOMS =
  /\b(?:use|trigger|invoke|activate|apply)\w*(?: this| it| this skill)?(?: when| if| on| for|:)|\bwhen(?:ever)?\b|\bsymptoms?\b|\bphras|\bsuch as\b|\bquestions? like\b|\bsays?\b/i;

/** What follows is left out. */
const TAIL =
  /(?:,? ?\b(?:except(?: for| when| if| in| on| where| that)?|excluding|but not|with the exception of)|(?<=[,(—–]) ?\bnot)(?= (?!only\b|just\b|merely\b|limited\b|necessarily\b|sure\b|yet\b))/i;
