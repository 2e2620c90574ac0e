import type { Task } from "./tasks.ts";
import { isNounPair, isOrder } from "./verbs.ts";

const MOST_WORDS = 12;

/** True if the task surely reads like something a user would type. In doubt false: a person fills the slot better. */
export function isPromptable(task: Task): boolean {
  const { kind, text } = task;
  if (text.split(/\s+/).length > MOST_WORDS || NOT_SAID.some((pattern) => pattern.test(text)) || !isBalanced(text))
    return false;
  switch (kind) {
    case "direct":
      // "how should I architect": architect what? "which pattern": what about it?
      return !/^which \S+$|^how (?:should|do|does|can|could|would) \S+ \S+$/i.test(text);
    case "indirect":
      return isIndirect(text);
    case "experience":
      return EXPERIENCE.test(text);
    case "verb":
      return (
        isOrderOf(task) &&
        !(task.opening && PRAISE.test(text)) &&
        !isCut(text, task) &&
        hasArticles(text.split(" ").slice(1))
      );
    case "gerund":
      return isGerundOf(text) && !isCut(text, task) && hasArticles(text.split(" ").slice(1));
    default:
      return false;
  }
}

const NOT_SAID = [
  // Lists, other people's matters, and placeholders.
  /[,;<>{}[\]&…]|\.\.\.|\/\/|\w\/\w+\/\w|\bsame-\p{L}|\b[XYZN]\b/u,
  /\b(?:an?|the) (?:customer|user|developer|agent)\b|^help (?:customers|users|agents|teams|an?|the)\b|\byours?\b|\bthey\b|\bskills leave\b/i,
  // Truncated phrases: "think through", "applying clean or".
  /(?<!\b(?:this|that|it|them|these|those|things|everything|me|us|or|and)) (?:up|out|off|down|over|back|through|on|in)$/i,
  /\bso \S+$|\b(?:to|from|before|after|in|on|with) (?!chunks|detail|full|home|place|production|review|scratch|time|work\b)(?:\p{Ll}+[^s\P{Ll}]|\p{Lu}{2,})$/u,
  /\s(?:and|or|with|for|the|an?|of|to|by|from|plus|across|at|about|into|as|so|than|that|which|only|when|vs\.?)$/i,
];

/** How cards praise their skill ("a unified two-mode workflow"). Users ask for the result instead. */
const PRAISE =
  /^(?:run|execute|apply|orchestrate)\b.*\b(?:workflow|process|loop|protocol|method|methodology|framework|cycle)\b|\b(?:unified|systematic|structured|comprehensive|disciplined|rigorous|measured|opinionated|\p{L}+-(?:mode|first|grade|signal|driven|aware|backed))\b/iu;

function isBalanced(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return count('"') % 2 === 0 && count("“") === count("”") && count("(") === count(")");
}

/** "where my order is" can follow "Tell me"; "which pattern", "how long a task" and "when projects clash" cannot. */
function isIndirect(text: string): boolean {
  // "why it is late": why what is?
  if (/^when\b|\bit\b|^how (?:long|many|much) (?:an?|the)\b/i.test(text)) return false;
  return (
    /^how to \S+ \S/i.test(text) ||
    /\s(?:is|are|was|were|has|have|can|could|should|will|would|went|goes|works?|fits?|means?|needs?|\p{L}+ed)\b|['’]s\b/iu.test(
      text,
    )
  );
}

/** What somebody did or cannot do ("lost the old one"), unlike things ("reserved instances", "staged rollout"). */
const EXPERIENCE =
  /^(?:(?:cannot|can't|have (?!to\b))\S|(?:\S+ed|lost|forgot|got|had|did) (?:an?|the|my|our|this|that|these|those|some|it|no|nothing|house|home|jobs?)(?=\s|$))(?!.*\b(?:but|contains?|shows?)\b)/i;

function isOrderOf({ text, from, opening }: Task): boolean {
  const [verb = "", second = "", third = "of"] = text.split(" ");
  // "create and manages", "produce turns thinking into": a second verb that lost its subject.
  const isVerb =
    /s$/.test(second) && isOrder(second.replace(/s$/, "")) && !/^(?:of|for|from|to|in|on|with|by|and|or)$/i.test(third);
  const isVague = /^(?:and|or|vs\.?|versus|only|first|in|by|at|as|on|\d+|-.*|\p{L}+ly)$/iu.test(second);
  const isSecond = /\b(?:and|or) (\p{L}+)$/iu.exec(text)?.[1];
  if (!isOrder(verb.toLowerCase()) || isVerb || isVague || (isSecond !== undefined && isOrder(isSecond.toLowerCase())))
    return false;
  return !isFact(text) && !isNounPair(text, from, opening);
}

/** "build execution requires" and "tune is the audit" are sentences, unless they ask or say which. */
function isFact(text: string): boolean {
  const [before = "", ...after] = text.split(
    /\b(?:is|are|was|were|become|becomes|takes|requires?|remains?|contains?|matches|never|fires|fails|hangs|crashes|times out)\b/i,
  );
  return after.length > 0 && !/\b(?:who|what|which|that|where|why|when|whether|how|if|so)\b/i.test(before);
}

function isGerundOf(text: string): boolean {
  const [first = "", second = ""] = text.toLowerCase().split(" ");
  if (text.split(/\s+/).length > 6 || /\b(?:that|which|or|any)\b/i.test(text) || isFact(text)) return false;
  if (
    /^(?:to|for|in|on|at|by|takes|fails|never|not)$/.test(second) ||
    /^\S+ (?:up|out|off) (?:in|on|at|to|by)\b/i.test(text)
  )
    return false;
  return isOrder(ofGerund(first)) && (!THINGS.has(first) || DETERMINER.test(second));
}

/** The verb of a gerund: "reviewing" gives "review". */
function ofGerund(first: string): string {
  const stem = first.replace(/ing$/, "");
  return [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")].find(isOrder) ?? stem;
}

/** Gerunds in the names of things: "landing pages", "breaking changes", "training pipeline". */
const THINGS = new Set(
  "breaking generating landing learning loading looking onboarding pricing serving starting teaching tracking training turning".split(
    " ",
  ),
);

/** Cut at a comma, these lack their end: "a personalized, friendly letter", "Transforms ideas, data and …". */
function isCut(text: string, { from, opening }: Task): boolean {
  const words = text.split(" ");
  if (!from.includes(`${words.slice(-2).join(" ")},`)) return false;
  return (opening && words.length <= 3) || LACKS_MORE.test(words.slice(-2).join(" "));
}

const LACKS_MORE =
  /^(?:an?|the|for|from|across|with|of|as|or|and|by|between|on|in|against|into|to|using|plus) |\s\p{Lu}\S*$|(?:ed|al|ive|ic|ous|less|able)$/u;

const DETERMINER =
  /^(?:an?|the|my|our|his|her|this|that|these|those|all|any|every|each|some|both|several|many|more|one|two|three|another|no|me|it|us|them|\d.*|.*['’]s)$/i;
const MASS =
  /^(?:access|advice|audio|behaviou?r|code|compensation|content|copy|coverage|css|data|documentation|email|evidence|feedback|frontmatter|help|html|inference|infrastructure|input|json|media|memory|music|news|observability|output|people|performance|progress|research|security|software|something|someone|sql|state|storage|support|syntax|text|time|traffic|vocabulary|work|yaml|\p{L}+(?:ity|ness|ing|ance|ence|ware))$/iu;

/** People say "run an eval", "run evals" or "clean my data", but not "run eval". */
function hasArticles(words: readonly string[]): boolean {
  const [first = ""] = words;
  const object = /^(?:up|out|off|down|over|back|at|into|to|from|for|with|about|through)$/i.test(first)
    ? words.slice(1)
    : words;
  if (object.length === 0) return false;
  const end = object.findIndex((word) =>
    /^(?:about|above|across|after|against|and|around|as|at|before|below|between|by|during|for|from|how|if|in|inside|into|of|off|on|or|out|over|so|than|that|the|through|to|under|up|using|via|what|when|where|whether|which|who|why|with|without)$/i.test(
      word,
    ),
  );
  const thing = end === -1 ? object : object.slice(0, end);
  const [determiner = "", ...rest] = thing;
  const noun = thing.at(-1) ?? "";
  if (thing.length === 0 || DETERMINER.test(determiner))
    return rest.length > 0 || !/^(?:an?|the|my|our|every|each|no)$/i.test(determiner);
  return (
    /[^s]s$/i.test(noun) ||
    MASS.test(noun) ||
    /^\p{Lu}\p{Ll}+/u.test(noun) ||
    /^(?:how|what|whether|which|who|why|where|if|the|that)$/i.test(object[0] ?? "")
  );
}
