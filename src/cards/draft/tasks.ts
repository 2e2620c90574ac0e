import { baseForm, isOrder } from "./verbs.ts";

/** Something a card says its skill is for, parsed far enough to become a prompt. */
export interface Task {
  kind: TaskKind;
  text: string;
  from: string;
  /** The card begins with it, so it is what the skill does. */
  opening: boolean;
}

/**
 * In order: "create a chart", "creating charts", "a chart", "where my order is", "is my order late", "moved house",
 * "the build is slow".
 */
type TaskKind = "verb" | "gerund" | "noun" | "indirect" | "direct" | "experience" | "fact";

type FoundTask = Omit<Task, "from" | "opening">;

/** The tasks in a card's clauses, each once, in order. */
export function tasksOf(purposes: readonly string[]): Task[] {
  const found = new Map<string, Task>();
  let listed = false;
  purposes.forEach((clause, at) => {
    const text = plain(clause);
    for (const task of LABEL.test(text) ? [] : clauseTasks(text, { listed, opening: at === 0 })) {
      const key = task.text.toLowerCase();
      if (wordCount(task.text) >= 2 && !found.has(key))
        found.set(key, { ...task, from: clause, opening: at === 0 && !LEAD.test(text) });
    }
    // "USE FOR:" is a clause of its own before its list.
    listed = LABEL.test(text) || (listed && !/[.!?]$/.test(text));
  });
  return [...found.values()];
}

const LABEL =
  /^(?:use for|use when|triggers?(?: phrases| keywords| on| when)?|keywords|examples?|when to use|covers)\s*:?$/i;
const WHO =
  "(?:(?:the|a|an|any|some) )?(?:users?|customers?|developers?|people|someone|somebody|teams?|engineers?|you|they|clients?)\\b";
const LEAD = new RegExp(
  `^(?:(?:this|the) skill (?:should be used|is used|applies|activates)|(?:you must |proactively |also )?use(?: this(?: skill)?| it)?|triggers?|invoke(?: this(?: skill)?| it)?|activates?|apply|applies)\\s*(?:on|for|to|in|by|when(?:ever)?|if|after|before|while|where)\\b\\s*(?:asked (?=to\\b|for\\b|about\\b))?(?:${WHO})?\\s*(?:the (?:task|work|request|prompt|question) (?:involves?|is about|requires?|mentions?|concerns?)\\s+)?`,
  "i",
);
const SOMEBODY = new RegExp(`\\b${WHO}`, "i");
const ASKING =
  /^(?:(?:is|are)\s+)?(?:(?:ask(?:s|ed|ing)?|says?|saying|want(?:s|ed|ing)?|needs?|needing|mentions?|mentioning|requests?|requesting|would like|wish(?:es)?|tr(?:ies|ying)|has|have)\b(?:\s+(?:to|for|about|help with|help)\b)?|(?:to|for|about)\b)\s*/i;
const WH = /^(?:where|why|when|what|which|who|how|whether)\b/i;

function clauseTasks(clause: string, { listed, opening }: { listed: boolean; opening: boolean }): FoundTask[] {
  const isLead = LEAD.test(clause);
  const quotes = quotedPhrases(clause, isLead || listed);
  if (quotes.length > 0) return quotes.flatMap(spoken);
  return unquoted(clause, { isLead, listed, opening }).filter(isWhole);
}

function unquoted(
  clause: string,
  { isLead, listed, opening }: { isLead: boolean; listed: boolean; opening: boolean },
): FoundTask[] {
  if (listed) return pieces(clause).map(shaped);
  if (!isLead) return ownWork(clause, opening);
  const rest = clause.replace(LEAD, "");
  const asks = ASKING.exec(rest)?.[0];
  if (asks === undefined) {
    // "Use when a customer moved house" tells what somebody did; "use for unexpected behavior" does not.
    const isPerson = SOMEBODY.test(clause.slice(0, clause.length - rest.length));
    return pieces(rest).map((text) => (isPerson ? firstPerson(shaped(text)) : topic(text)));
  }
  const wanted = rest.slice(asks.length);
  if (WH.test(wanted)) return indirect(wanted).map(firstPerson);
  const areVerbs = /\bto\s*$/i.test(asks);
  return pieces(wanted).map((text, at) => firstPerson(asked(text, areVerbs && (at === 0 || !FINITE.test(text)))));
}

/** A finite verb: "asks", "mistyped", "lost". */
const FINITE = /^(?:\p{L}*[^s\s]s|\p{L}{3,}ed|lost|forgot|got|had|did|can|cannot|can't|are|were|have)\s/iu;

/** In "wants to return something, asks for a label, or lost one" each piece has its own verb. */
function asked(text: string, isVerb: boolean): FoundTask {
  if (isVerb && !WH.test(text) && !/^(?:an?|the|my|their|\p{L}+ing)\b/iu.test(text)) return { kind: "verb", text };
  const asks =
    /^(?:asks? (?:to|for|about)|(?:wants?|needs?|has|have|wish(?:es)?|would like) to|needs? help with)\s+/i.exec(
      text,
    )?.[0];
  if (asks === undefined) return shaped(text);
  const rest = text.slice(asks.length);
  return /to\s+$/i.test(asks) ? { kind: "verb", text: rest } : shaped(rest);
}

/** Users' words that the card quotes, without quotations that only illustrate something else. */
function quotedPhrases(clause: string, isLead: boolean): string[] {
  const open = clause.search(/["“]|(?<![\p{L}\p{N}])'/u);
  if (open === -1) return [];
  const before = clause.slice(0, open).replace(LEAD, "").trim();
  const isSaid =
    before === "" ||
    (isLead &&
      /^.{0,60}\b(?:ask|say|mention|request|phrase|want)\w*(?: (?:to|for|about|things like|something like))?[:,]?$|^to$/i.test(
        before,
      ));
  if (!isSaid) return [];
  return [...clause.matchAll(/["“]([^"”]{6,90})["”]|(?<![\p{L}\p{N}])'([^']{6,90})'(?![\p{L}\p{N}])/gu)].map((match) =>
    (match[1] ?? match[2] ?? "").trim(),
  );
}

function spoken(quote: string): FoundTask[] {
  const text = quote.replace(/(?<![.,!…])[.,!…]+$/, "");
  if (/^[/$]/.test(text)) return [];
  if (/\?$/.test(text) || WH.test(text) || INVERTED.test(text))
    return [{ kind: "direct", text: text.replace(/\?$/, "") }];
  return [shaped(text)];
}

/** A direct question: "how should I test this", "did it work", "what if it fails". */
const INVERTED =
  /^(?:what if\b|(?:(?:where|why|when|what|which|who|how)(?: \p{L}+)? )?(?:should|do|does|did|is|are|was|were|can|could|would|will|has|have) (?:I|we|you|they|it|this|that|these|those|there|an?|any|anyone|anybody|the|my|our|your|their)\b)/iu;

/** What the skill does: in the third person, as an order, or as a mere topic. */
function ownWork(clause: string, opening: boolean): FoundTask[] {
  const topics =
    /^(?:covers?|covering|(?:an? )?(?:skill|guide|guidance|guidelines|workflow|reference|conventions?|helper)s? (?:for|to|on))\s+(.*)$/is.exec(
      clause,
    )?.[1];
  if (topics !== undefined) return pieces(topics).map(shaped);
  const [, verb, rest] = /^(\p{L}+)\s+(.*)$/su.exec(clause) ?? [];
  if (verb === undefined || rest === undefined) return [];
  if (/^\p{L}{3,}ing$/iu.test(verb)) return pieces(clause).slice(0, 3).map(shaped);
  const base = baseForm(verb, opening);
  if (base === undefined) return opening ? pieces(clause).slice(0, 3).map(topic) : [];
  const object = firstOf(head(rest));
  // "Runs a safe, fast migration": cut at the comma, nothing is left of what is run.
  if (/^(?:an?|the)\s+\S+$/i.test(object) && rest.startsWith(`${object},`)) return [];
  // Later sentences say how the skill works; the first one and "use when" say what people want.
  return WH.test(object)
    ? indirect(rest)
    : object === ""
      ? []
      : [{ kind: opening ? "verb" : "noun", text: `${base} ${object}` }];
}

/** In "sick plants and gives advice" the second verb starts another task. */
function firstOf(object: string): string {
  const second = /^(.*?\S)\s+(?:and|or|then|and then|but)\s+(?:also\s+)?(\p{L}+s)\s/su.exec(object);
  const [, first = object, verb = ""] = second ?? [];
  if (second === null) return object;
  // "and flags what is missing": such a word follows a verb, never a noun.
  const hasObject = /^(?:what|whether|how|which|where|if|the|an?|any|all|every|each|it|them|your?)\b/i.test(
    object.slice(second[0].length),
  );
  return hasObject || baseForm(verb, false) !== undefined ? first : object;
}

function indirect(text: string): FoundTask[] {
  // "where my order, parcel or package is": people ask about one.
  return text
    .replaceAll(/(?<!\p{L})(\p{L}+)(?:, \p{L}+)+,? (?:or|and) \p{L}+/gu, "$1")
    .split(/,\s*(?:or|and)?\s*(?=(?:where|why|when|what|which|who|how|whether)\b)/i)
    .filter((part) => !/\bsuch as\b|["“]/i.test(part))
    .map((part) => ({ kind: INVERTED.test(part) ? "direct" : "indirect", text: head(part, 20) }));
}

function shaped(text: string): FoundTask {
  const [first = ""] = text.split(" ");
  const word = first.toLowerCase();
  if (INVERTED.test(text)) return { kind: "direct", text: text.replace(/\?$/, "") };
  if (WH.test(text)) return { kind: "indirect", text };
  if (/^\p{L}{3,}ing$/u.test(word)) return { kind: "gerund", text };
  if (isOrder(word)) return { kind: "verb", text };
  if (/^(?:lost|forgot|has|had|cannot|can't|did|got|\p{L}{3,}ed)$/u.test(word) && !isQuality(word))
    return { kind: "experience", text };
  // "A refund that has not arrived" is a thing; "the refund has not arrived" is a fact.
  if (
    /^(?:an?|the|my|their|some|any)\s.*\s(?:that|which|who|whose|I|they|(?:the|an?) (?:user|customer|developer))\s/i.test(
      text,
    )
  )
    return { kind: "noun", text };
  if (
    /\s(?:is|are|was|were|does|do|doesn't|don't|fails?|crash(?:es)?|needs?|has|have|must|should|can|cannot|can't|takes?|looks?)\s/i.test(
      ` ${text} `,
    )
  )
    return { kind: "fact", text };
  return { kind: "noun", text };
}

/** Participles that describe a thing ("undefined behavior"), not something that somebody did. */
function isQuality(word: string): boolean {
  return /^(?:un(?!do)|non|pre|multi|over|self)/.test(word) || QUALITIES.has(word);
}

const QUALITIES = new Set(
  "advanced automated broken certified combined complicated connected dedicated detailed distributed embedded encrypted estimated expected failed generated hosted integrated limited managed missed mixed named nested paginated parameterized related repeated required scheduled shared signed structured supported trusted typed versioned weighted".split(
    " ",
  ),
);

/** False for fragments, which would make odd prompts. */
function isWhole({ kind, text }: FoundTask): boolean {
  if (kind === "indirect" || kind === "direct") return true;
  if (FRAGMENT.test(text) || (kind !== "verb" && kind !== "experience" && AUXILIARY.test(text))) return false;
  return !(kind === "noun" || kind === "fact") || NO_THING.every((pattern) => !pattern.test(`${text} `));
}

/** Sentences without their subject, or not the user's: "shows the wrong page", "all tests pass". */
const NO_THING = [
  /^(?:I|lost|forgot|got|\p{L}+ly|fails?)\s/iu,
  /(?:^|\s)(?:asks?|wants?|says?|mentions?)\s/i,
  /^(?!all|both|half)\p{L}+ (?:the|an?|both|any|every|your)\s/iu,
  /\s(?:pass(?:es)?|fails?|exists?|breaks?)\s$/i,
];
const FRAGMENT = new RegExp(
  `^(?:(?:the|an?) (?:users?|customers?|developers?)|${[
    "such as|including|like|e\\.g\\.|i\\.e\\.|for example|rather than|instead of|not|no|never|only|also|even|just|other|etc",
    "it|its|they|them|their|he|she|we|you|this|that|these|those|there|which|whose",
    "and|or|but|nor|so|yet|because|since|although|though|unless|until|if|than|then|as|whenever|when|while|before|after|especially",
    "of|from|into|to|by|via|per|about|for|with|without|between|across|through|in|on|at|using|based",
  ].join("|")})(?=\\s|$)`,
  "i",
);
const AUXILIARY =
  /^(?:does|do|did|is|are|was|were|be|been|has|have|had|can|could|may|might|must|shall|should|will|would)(?:n't| not)?(?=\s|$)|^(?:doesn't|don't|didn't|isn't|aren't|won't|can't|cannot)\s/i;

function topic(text: string): FoundTask {
  const { kind } = shaped(text);
  return { kind: kind === "experience" ? "noun" : kind, text };
}

/** Cards are about "the user"; users say "I". */
function firstPerson({ kind, text }: FoundTask): FoundTask {
  const own = text
    .replaceAll(/\b(?:the|a|an) (?:user|customer|developer)['’]s\b|\btheir\b/gi, "my")
    .replaceAll(/\b(?:[Tt]he|[Aa]n?) (?:user|customer|developer)\b(?! \p{Lu})|\b[Tt]hey\b/gu, "I")
    .replaceAll(/\bthem\b/gi, "me")
    .replaceAll(/\bI (needs|wants|has|is|are|were|asks)\b/g, (_, verb: string) => `I ${AGREEING[verb]}`);
  return { kind, text: kind === "experience" ? own.replace(/^has\b/, "have") : own };
}

const AGREEING: Record<string, string> = {
  needs: "need",
  wants: "want",
  has: "have",
  is: "am",
  are: "am",
  were: "was",
  asks: "ask",
};

/** The items of a list, without examples. */
function pieces(text: string): string[] {
  return text
    .split(/,\s+(?:(?:or|and)\s+)?|;\s*/i)
    .map((piece) =>
      head(piece.replace(/^(?:or|and|(?:when|if|where|while)(?! (?:will|is|are|do|does|should|can) ))\s+/i, "")),
    )
    .filter((piece) => wordCount(piece) >= 2);
}

/** The start of a phrase, before examples and asides. */
function head(text: string, most = 14): string {
  const [start = ""] = text.split(
    /(?<!\s)\s+(?:such as|including|like|e\.g\.|for example|meaning|so that|as long as|powered by)\s|[:;—–(→]|\.(?:\s|$)/i,
  );
  const [clause = ""] = start.split(/,\s+/);
  const whole = wordCount(start) <= most ? start : clause;
  return whole
    .split(/\s+/)
    .slice(0, most)
    .join(" ")
    .replace(/(?:(?<!\s)\s+(?:and|or|with|for|the|an?|of|to|in|by|from|plus|across|on|at))+$/i, "")
    .replace(/(?<![.,;:!?"“'\s])[.,;:!?"“'\s]+$/, "")
    .trim();
}

function plain(clause: string): string {
  return clause
    .replaceAll(/\([^)]{0,400}\)|[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^[-•\s]+/, "")
    .trim();
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
