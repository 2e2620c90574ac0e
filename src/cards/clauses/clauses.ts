import type { Card } from "../../model/index.ts";
import { maskQuotes, splitExclusions } from "./exclusions.ts";

/** What a card says its skill is for and not for, as clauses in the author's words. */
export interface Clauses {
  positive: string[];
  negative: string[];
}

export function purposesOf(card: Card): string[] {
  return [...describedIn(card).positive, ...card.triggers];
}

/** The clauses of a card's description, cached because the search for collisions needs them several times. */
export function describedIn(card: Card): Clauses {
  const known = described.get(card);
  if (known !== undefined) return known;
  const clauses = clausesOf([card.description, card.whenToUse ?? ""].join("\n\n"), card.name);
  described.set(card, clauses);
  return clauses;
}

const described = new WeakMap<Card, Clauses>();

/**
 * Cuts a description into clauses. "Do NOT use for X" names prompts that belong elsewhere, so nothing from such words
 * to the end of the sentence (or to the next "use when") may attract a prompt.
 */
export function clausesOf(description: string, own = ""): Clauses {
  const clauses: Clauses = { positive: [], negative: [] };
  for (const sentence of sentences(description)) {
    let rest = sentence;
    while (rest !== "") {
      const from = MAY_BE_NEGATIVE.test(rest) ? notFor(rest) : null;
      if (from === null) {
        addPieces(clauses, rest, own);
        break;
      }
      addPieces(clauses, rest.slice(0, from.index), own);
      const after = rest.slice(from.index + from[0].length);
      const back = FOR_AGAIN.exec(after);
      const end = back === null ? after.length : back.index;
      clauses.negative.push((from[0] + after.slice(0, end)).trim());
      rest = after.slice(end);
    }
  }
  return clauses;
}

/** Finds where a sentence starts to say what a skill is not for. Quoted users say nothing about the skill. */
function notFor(sentence: string): RegExpExecArray | null {
  const from = NOT_FOR.exec(maskQuotes(sentence));
  // "Trigger even when the user does not use the word X" is about X.
  if (from === null || OF_THE_USER.test(sentence.slice(0, from.index))) return null;
  // "Flags what the policy does not cover" is about what is not covered.
  return /^(?:do|does)\b/i.test(from[0]) && RELATIVE.test(sentence.slice(0, from.index)) ? null : from;
}

const RELATIVE = /\b(?:what|whatever|which|that|who) [^.,;:]*$/i;

const OF_THE_USER = /\beven (?:if|when|though|where)\b[^.;]*$/i;

function addPieces(clauses: Clauses, text: string, own: string): void {
  const found = splitExclusions(pieces(text), own);
  clauses.positive.push(...found.positive);
  clauses.negative.push(...found.negative);
}

function sentences(text: string): string[] {
  return text
    .split(SENTENCE_END)
    .flatMap((part) => part.split(LABEL))
    .map((part) =>
      part
        .replace(/^\s*[-*•]\s+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((part) => part !== "");
}

/** "Looking for a hotel? Use room-finder." stays together: the answer says whose the question is. */
const SENTENCE_END =
  /(?<=[.!?]["'”’)\]*]{0,8})(?<!\s)\s+(?=[^a-z])(?!(?<=\?\s+)(?:Use|See|Try|Choose|Prefer|Load|Invoke|Reach for|Go to) )|(?<=[。！？])|\n\s*\n|\n(?=\s*[-*•])/u;

/** Labels that start a new clause anywhere in a sentence, such as `USE FOR:`, `Skip when:`, `Triggers:`. */
const LABEL =
  /(?=\b(?:(?:do not|don['’]t) (?:use|trigger|invoke|activate) (?:for|when|if|on)|(?<!not |n['’]t )use (?:for|when|if)|skip(?: when| if| for)?|not for|out of scope|non-?goals?|unsupported|limitations|not (?:covered|included|supported|handled|in scope)|exclu(?:ded?|sions?)|(?:negative|anti-?) ?(?:triggers?|examples?|prompts?)|invokes|for single operations|(?<!not |n['’]t |anti-?|negative )triggers?(?: phrases| keywords| on| when)?|keywords|(?<!negative )examples?)\s*:)/i;

const VERB =
  "(?:use|trigger|invoke|activate|apply|fire|load|call|run|reach for|select|choose|be used|be triggered|be invoked|be activated)";
const NOT_FOR = new RegExp(
  [
    `\\b(?:do|does|should|must|shall|will|can)(?: not|n['’]t|not) (?:\\w+ )?${VERB}\\b`,
    `\\bnever (?:${VERB}|for|when|if)\\b`,
    "\\bavoid using (?:this|it)\\b",
    "^out of scope\\b|(?<=[.;:,—–(] ?)out of scope\\b",
    "\\bnot (?:intended |meant |designed |suitable |suited |appropriate |needed |required |necessary |applicable |a fit |the right (?:tool|skill) )?for\\b",
    "\\bnot (?:when|if)\\b|\\bnot (?:intended|meant|designed|supposed) to\\b|\\bnot to be \\w+ed\\b|\\bnot applicable (?:to|in)\\b",
    "^(?:skip|non-?goals?|unsupported|limitations|not (?:covered|included|supported|handled|in scope)|exclu(?:ded?|sions?))(?= ?:)",
    "^negative (?:triggers?|examples?|prompts?)(?= ?:)",
    "\\b(?:unsuitable|unsuited|inappropriate|inapplicable|n/a) (?:for|to)\\b|\\b(?:unrelated|nothing to do) (?:to|with)\\b",
    "\\bwrong (?:skill|tool) (?:for|to)\\b|\\b(?:refuse and )?routes? elsewhere for\\b",
    "\\b(?:skip|avoid|ignore)(?: this| it| this skill)? (?:when|if|for)\\b",
    "\\bdo not cover|\\bdoes(?: not|n['’]t) (?:cover|handle|apply|include|support)\\b",
    "^excludes?\\b|\\bexcludes\\b|\\bnot_for\\b|\\banti-?triggers?\\b|\\bwhen not to use\\b",
    "\\bnicht (?:verwenden|benutzen|nutzen|für|geeignet|bei)|\\bne pas (?:utiliser|employer)|\\bpas pour\\b",
    "\\bno (?:usar|utilizar|usarlo|utilizarlo)\\b|\\bnão (?:use|usar|utilize|utilizar)\\b|\\bnon (?:usare|utilizzare)\\b|\\bniet (?:gebruiken|voor)\\b",
    "не (?:использовать|используй|применять)",
    "不要(?:用|使用|触发|在)|不(?:适用|适合|用于)|请勿|勿用|不應|不該|使用しない|使わない|対象外|사용하지",
  ].join("|"),
  "iu",
);

/** Rules out most sentences quickly. */
const MAY_BE_NEGATIVE =
  /n[o'’]|ne |never|skip|avoid|ignore|out of|exclu|anti|negative|unsu|unrel|ina?pp|n\/a|wrong|elsewhere|limit|nicht|niet|não|не|[不勿使対사]/iu;

/** Where the author returns from what the skill is not for to what it is for. */
const FOR_AGAIN =
  /(?:(?<=[.;—–])|(?<=,)\s*(?:but|only))\s*(?:(?:only |instead,? )?use (?:this|it|when|for|only|if)\b|only (?:use|when|for)\b|trigger (?:on|when)\b)/i;

/** Splits a sentence without a negative at strong separators and between quoted phrases. */
function pieces(sentence: string): string[] {
  return sentence
    .split(
      /(?:(?<!\s)\s+)?[;—–•|；、]\s*|(?<!\s)\s+-{1,2}\s+|:\s+(?!(?:use|see|try|prefer) (?:the )?`?\w+[-:_][\w-]+`?\.?$|not (?:supported|covered|included|in scope)\b)|(?<=["”'’»」』])\s*[,，]\s*(?=["“'‘«「『])/u,
    )
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}
