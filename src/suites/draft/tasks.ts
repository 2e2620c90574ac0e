/** Something a card says its skill is for, taken apart far enough to be put into a user's mouth. */
export interface Task {
  /** How it reads: "create a chart", "creating charts", "a chart", "where my order is", "moved house", or a user's words quoted in the card. */
  kind: "verb" | "gerund" | "noun" | "question" | "statement" | "quote";
  text: string;
  /** The clause it comes from. */
  from: string;
}

/** What a card's clauses are for, as tasks; each once, in the order of the card. */
export function tasksOf(purposes: readonly string[]): Task[] {
  const found = new Map<string, Task>();
  for (const clause of purposes) {
    for (const task of clauseTasks(plain(clause))) {
      const key = task.text.toLowerCase();
      if (wordCount(task.text) >= 2 && !found.has(key)) found.set(key, { ...task, from: clause });
    }
  }
  return [...found.values()];
}

type Found = Omit<Task, "from">;

const WHO =
  "(?:(?:the|a|an|any|some)\\s+)?(?:users?|customers?|developers?|persons?|people|someone|somebody|teams?|engineers?|you|they|clients?)";
const LEAD = new RegExp(
  `^(?:(?:this|the) skill (?:should be used|is used|applies|helps)|(?:proactively )?use(?: this(?: skill)?| it)?|triggers?|invoke(?: this| it)?|activate|apply|also use(?: this| it)?)\\s*(?:on|for|to|in|by|when(?:ever)?|if|after|before|while|where)\\b\\s*(?:(?:asked|requests?) (?:to|for)\\s+)?(?:${WHO}\\b)?\\s*`,
  "i",
);
const ASKING =
  /^(?:(?:is|are)\s+)?(?:ask(?:s|ed|ing)?|says?|saying|want(?:s|ed|ing)?|needs?|needing|mentions?|mentioning|requests?|requesting|would like|wish(?:es)?|tr(?:ies|ying)|has|have)\b(?:\s+(?:to|for|about|help with|help)\b)?\s*/i;
const LABEL = /^(?:use for|use when|triggers?(?: phrases| keywords| on| when)?|keywords|examples?|when to use)\s*:?\s*$/i;
const WH = /^(?:where|why|when|what|which|who|how|whether|if)\b/i;

function clauseTasks(clause: string): Found[] {
  if (LABEL.test(clause)) return [];
  const isLead = LEAD.test(clause);
  const quotes = quotedPhrases(clause, isLead);
  if (quotes.length > 0) return quotes.map((text): Found => ({ kind: "quote", text: text.replace(/[.,!]+$/, "") }));
  if (!isLead) return ownWork(clause);
  const said = clause.replace(LEAD, "");
  const asks = ASKING.exec(said);
  if (asks === null) return pieces(said).map(shaped);
  const rest = said.slice(asks[0].length);
  if (WH.test(rest))
    return rest
      .split(/,\s*(?:or|and)?\s*(?=(?:where|why|when|what|which|who|how|whether)\b)/i)
      .map((text): Found => ({ kind: "question", text: first(text) }));
  return pieces(rest).map((text, at) => (at === 0 && /\bto\s*$/i.test(asks[0]) ? { kind: "verb", text } : shaped(text)));
}

/** What users say, where the card quotes them; a quotation that only gives an example of something else is none. */
function quotedPhrases(clause: string, isLead: boolean): string[] {
  const open = clause.search(/["“]/);
  if (open === -1) return [];
  const before = clause.slice(0, open).replace(LEAD, "").trim();
  const isSaid =
    before === "" ||
    (isLead &&
      /^(?:.{0,40}\b(?:ask|say|mention|request|phrase|want)\w*(?: (?:to|for|about|things like|something like))?[:,]?)$/i.test(before));
  if (!isSaid) return [];
  return [...clause.matchAll(/["“]([^"”]{6,90})["”]/g)].map((match) => match[1]!.trim());
}

/** "Creates charts, maps and tables": what the skill does, in the third person or as an order. */
function ownWork(clause: string): Found[] {
  const [, verb, rest] = /^(\p{L}+)\s+(.*)$/su.exec(clause) ?? [];
  if (verb === undefined || rest === undefined) return [];
  const base = baseForm(verb);
  const object = first(rest);
  if (base === undefined || object === "") return [];
  return WH.test(object) ? [{ kind: "question", text: object }] : [{ kind: "verb", text: `${base} ${object}` }];
}

/** "creates" → "create"; an order stays as it is. Anything else is no verb that we can be sure of. */
function baseForm(verb: string): string | undefined {
  const lower = verb.toLowerCase();
  if (/^(?:this|always|its|his|was|is|has|does|skills?|tools?|rules|patterns|best|guidelines|docs|access|process|css)$/.test(lower))
    return undefined;
  if (/[^aeiou]ies$/.test(lower)) return lower.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|zz)es$/.test(lower)) return lower.replace(/es$/, "");
  if (/[^s]s$/.test(lower)) return lower.replace(/s$/, "");
  return ORDERS.has(lower) ? lower : undefined;
}

const ORDERS = new Set(
  `add analyze analyse answer apply audit author automate break build bundle call change check choose clean collect compare compose configure connect convert create customize debug define
  deploy design detect diagnose document draft edit enrich evaluate examine execute explain explore export extract fetch file find fix format generate get guide handle
  identify implement import improve index install integrate interview investigate list load locate look maintain make manage map measure merge migrate model monitor
  move open optimize orchestrate organize package parse perform pick plan prepare process produce profile publish pull push query rank read record refactor release
  remove rename render report research resolve respond restore retrieve review rewrite route run scaffold scan schedule score search secure select send set setup ship
  show sort split start stop store structure style submit summarize sync test trace track train transcribe transform translate triage troubleshoot tune turn
  understand update upgrade upload use validate verify visualize watch wire work wrap write`.split(/\s+/),
);

function shaped(text: string): Found {
  const word = text.split(" ")[0]!.toLowerCase();
  if (WH.test(text)) return { kind: "question", text };
  if (/^\p{L}{2,}ing$/u.test(word)) return { kind: "gerund", text };
  if (/^(?:moved|lost|forgot|mistyped|has|had|cannot|can't|did|does|is|was|wants?|needs?|got|received|\p{L}{3,}ed)$/u.test(word))
    return { kind: "statement", text };
  return ORDERS.has(word) ? { kind: "verb", text } : { kind: "noun", text };
}

/** The parts of a list that stand for themselves, without what is only an example. */
function pieces(text: string): string[] {
  return text
    .split(/,\s+(?:(?:or|and)\s+)?|;\s*/i)
    .map((piece) => first(piece.replace(/^(?:or|and)\s+/i, "")))
    .filter((piece) => wordCount(piece) >= 2 && wordCount(piece) <= MOST_WORDS);
}

const MOST_WORDS = 14;

/** The head of a phrase: what comes before examples and asides, and not too much of it. */
function first(text: string): string {
  const head = text.split(/\s+(?:such as|including|like|e\.g\.|for example|meaning|so that|as long as)\s|[:;—–]|\.(?:\s|$)/i)[0]!;
  const whole = wordCount(head) <= MOST_WORDS ? head : (head.split(/,\s+/)[0] ?? head);
  return whole
    .split(/\s+/)
    .slice(0, MOST_WORDS)
    .join(" ")
    .replace(/[.,;:!?\s]+$/, "")
    .trim();
}

function plain(clause: string): string {
  return clause
    .replaceAll(/\([^)]*\)|[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/^[-•\s]+/, "")
    .trim();
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
