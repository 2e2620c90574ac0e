/** A verb as an order: "creates" → "create". Undefined for other words, and for verbs on how the skill works. */
export function baseForm(verb: string, opening: boolean): string | undefined {
  const lower = verb.toLowerCase();
  const base = withoutEnding(lower);
  if (ABOUT_ITSELF.has(base)) return undefined;
  if (ORDERS.has(base)) return base;
  // The first word of a card in the third person is a verb, known or not: "Hardens apps …".
  return opening && base !== lower && !NO_VERBS.has(lower) ? base : undefined;
}

export function isOrder(word: string): boolean {
  return ORDERS.has(word);
}

/** In "pull request" or "test coverage" the first word is as likely a noun, unless the card uses it as a verb. */
export function isNounPair(text: string, card: string, opening: boolean): boolean {
  const [first = "", second = ""] = text.toLowerCase().split(/\s+/);
  if (
    !NOUNS_TOO.has(first) ||
    BETWEEN.test(second) ||
    (opening && OPENERS.has(first) && card.toLowerCase().startsWith(first))
  )
    return false;
  return !new RegExp(`\\b(?:to ${first}|${first}(?:e?s))\\s`, "i").test(card);
}

const BETWEEN =
  /^(?:an?|the|my|our|your|this|these|that|those|all|any|every|each|some|new|existing|another|more|up|out|off|down|over|back|on|in|into|to|from|for|with|about|how|what|why|where|\d+)$/;
const NOUNS_TOO = words(`
  alert refactor render book break build bundle call change check clean commit debug deploy export fill fix go import install push secure set ship
  book break call commit cut design document file filter format index land list load map mark model pair pass pin plan port price process profile pull query quiz rank record release
  reply report request research return roll route scale schedule score scrape search stage stand start stop store structure study style sync test trace track train turn view wire wrap`);

/** At the start of a card these are verbs. */
const OPENERS = words("build change check clean debug deploy export fix import install ship");

function withoutEnding(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.replace(/es$/, "");
  return /[^s]s$/.test(word) ? word.replace(/s$/, "") : word;
}

const ORDERS = words(`
  accept adapt add adjust alert analyze analyse answer apply approve arrange ask assess assign audit author automate backfill book break bring brainstorm build bundle buy calculate call cancel capture change check choose
  classify clean collect combine commit compare compile compose compute configure connect convert copy create customize cut debug decode decrypt deduplicate define delete deploy describe design detect diagnose
  disable document download draft edit enable encode encrypt enrich enter estimate evaluate examine execute expand explain explore export extract fetch file fill filter find finish fix
  format generate get give go harden help identify implement import improve index initialize insert inspect install integrate interview investigate keep land learn lint list
  load localize locate look maintain make manage map mark measure merge migrate mock model monitor mount move normalize onboard open optimize orchestrate organize override package pair paraphrase parse pass
  pause pick pin plan port prepare price prioritize process produce profile proofread propose prove publish pull push query quiz rank read rebuild recommend reconcile record recover
  redact redeem reduce refactor refine register release remove rename render repair replace reply report reproduce request research reset resize resolve respond restart restore
  restructure retrieve retry return reuse revert review rewrite roll rotate route run save scaffold scale scan schedule score scrape search secure select send serve set setup ship shorten show
  simplify solve sort split stage stand start stop store structure study style submit suggest summarize swap sync teach tell test tidy trace track train transcribe transform translate triage trim
  troubleshoot tune turn develop understand unzip update upgrade upload validate verify view visualize wire wrap write`);
const ABOUT_ITSELF = words(
  "handle guide facilitate enforce offer allow drive require own cover act take present include activate support provide ensure invoke output use work know",
);
const NO_VERBS = words(
  "this always its his was is has does skills tools rules patterns guidelines docs access css https windows kubernetes postgres",
);

/** Everyday synonyms, because a prompt in the card's own words proves little. */
const EVERYDAY: Record<string, string> = {
  analyse: "look into",
  analyze: "look into",
  audit: "check",
  author: "write",
  compose: "write",
  configure: "set up",
  create: "make",
  debug: "find out what is wrong with",
  delete: "get rid of",
  diagnose: "find out what is wrong with",
  examine: "look at",
  execute: "run",
  extract: "pull out",
  fetch: "get",
  generate: "make",
  identify: "find",
  initialize: "set up",
  inspect: "look at",
  investigate: "look into",
  locate: "find",
  merge: "put together",
  monitor: "keep an eye on",
  produce: "make",
  remove: "get rid of",
  repair: "fix",
  retrieve: "get",
  review: "look over",
  scaffold: "set up",
  summarize: "sum up",
  troubleshoot: "find out what is wrong with",
  validate: "check",
  verify: "double-check",
};

/** What people do themselves: "I need to understand this", not "Please understand this". */
export function isOnesOwn(order: string): boolean {
  return ONES_OWN.has(order.split(" ")[0]?.toLowerCase() ?? "");
}

const ONES_OWN = words("bring buy choose learn pick understand");

/** Known faults are sorted out ("sort out a crash"), not debugged ("debug the login"). */
const TROUBLE = /\b(?:bug|complaint|conflict|crash|error|failure|issue|problem|warning)(?:e?s)?\b/i;

/** Replaces the verb of an order with an everyday synonym, if there is one. */
export function inOtherWords(order: string): string {
  const [verb = "", ...rest] = order.split(" ");
  const isTrouble = /^(?:debug|diagnose|resolve|troubleshoot)$/i.test(verb) && TROUBLE.test(order);
  const isThought =
    /^(?:create|generate|produce)$/i.test(verb) && /\b(?:ideas?|options?|hypothes[ei]s|names?)\b/i.test(order);
  const other = isThought ? "come up with" : isTrouble ? "sort out" : EVERYDAY[verb.toLowerCase()];
  return other === undefined ? order : [other, ...rest].join(" ");
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
