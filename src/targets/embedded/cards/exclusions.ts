import { maskQuotes } from "./quotes.ts";

/**
 * Sorts the clauses of a sentence into what attracts and what does not. Authors draw the line in many ways besides "not for": by what the skill does not do ("Does NOT
 * book hotel rooms"), by who does it instead ("For refunds use refund-desk", "schema design → data-modeling"), and by exceptions ("all formats except PDF").
 */
export function splitExclusions(clauses: readonly string[]): { positive: string[]; negative: string[] } {
  const positive: string[] = [];
  const negative: string[] = [];
  let listsSymptoms = false;
  for (const clause of clauses) {
    const masked = MAY_EXCLUDE.test(clause) ? maskQuotes(clause) : undefined;
    if (masked !== undefined && ELSEWHERE.test(masked)) negative.push(clause);
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
  /\bnot\b|n['’]t\b|cannot|\bnever\b|\bexcept|exclud|instead|rather|scope|→|->|\bsee\b|\bfor\b|belong|\bby\b|leave|defer|refer|redirect/i;

/** `refund-desk`, `shop:refund-desk`, `/refund-desk`, a name in backticks, "the refund skill". */
const NAME = "(?:the )?(?:`[^`]+`|/?[a-z0-9]+(?:[-:_][a-z0-9]+)+|(?:[\\w-]+ ){1,3}skill\\b)";
const USE = "(?:use|see|prefer|try|choose|pick|invoke|load|consult|reach for|go to|go with|refer to|defer to|turn to|switch to)";

/** Somebody else's. */
const ELSEWHERE = new RegExp(
  [
    `^(?:and |but |or )?for\\b.+?\\b${USE} ${NAME}`,
    `\\b${USE} (?:\\S+ ){1,6}?instead\\b(?! of)`,
    `\\bsee (?:the )?[a-z0-9]+(?:-[a-z0-9]+)+$`,
    // One arrow to one name: a workflow has more.
    `^[^→]+(?:→|->) ?${NAME}(?: ?\\([^)]*\\))?[.,]?$`,
    `\\b(?:belongs?|goes) (?:to|in) (?:${NAME}|other skills?|another skill)`,
    `\\b(?:is|are) (?:handled|covered|owned|done|served) by (?:${NAME}|other skills?|another skill)`,
    "\\b(?:is|are|remains?|stays?) (?:explicitly |deliberately |strictly )?(?:out of|not in|outside(?: of)?|beyond)(?: the| its| this skill['’]s| our)? scope\\b",
    "\\b(?:is|are) (?:explicitly |deliberately )?not (?:supported|covered|included|handled|part of)\\b",
    `^(?:leaves?|defers?|refers?|redirects?) .+ to (?:${NAME}|other skills?|another skill)`,
  ].join("|"),
  "i",
);

/** What the skill does not do, said of the skill or of nobody in particular. */
const DENIES =
  /^(?:(?:and|but|also|please|note that|it|this|this skill|the skill|this tool|skill)[ ,]+){0,3}(?:(?:does|do|can|will|would|should|must|may|is|are)(?: not|n['’]t)|cannot|can['’]?t|won['’]t|never)\b/i;

/** The author comes back to what it does. */
const BUT = /,? but (?!not\b)(?:it |does |will |can )?/i;

/** What a sentence lists after such words is what users see: "Use when the build hangs; does not link". */
const SYMPTOMS =
  /\b(?:use|trigger|invoke|activate|apply)\w*(?: this| it| this skill)?(?: when| if| on| for|:)|\bwhen(?:ever)?\b|\bsymptoms?\b|\bphras|\bsuch as\b|\bquestions? like\b|\bsays?\b/i;

/** What follows is left out. */
const TAIL =
  /(?:,? ?\b(?:except(?: for| when| if| in| on| where| that)?|excluding|but not|with the exception of)|(?<=[,(—–]) ?\bnot)(?= (?!only\b|just\b|merely\b|limited\b|necessarily\b|sure\b|yet\b))/i;
