/** Does the prompt ask what something is? Then an answer will do and no skill is needed, unless explaining is what the skill is for. */
export function asksForExplanation(query: string): boolean {
  return QUESTION.test(query) && !OWN.test(query);
}

const QUESTION =
  /^\s*(?:please |can you |could you )?(?:what(?:['’]?s| is| are| does| do| did)|explain|describe|define)\b/i;

/** What is asked about a thing of the asker's own is not explained but looked up: "What is the status of my order?" */
const OWN = /\b(?:my|our|this|these)\b/i;

/** Does the card promise explanations, answers or comparisons? */
export function promisesExplanation(cardText: string): boolean {
  return PROMISE.test(cardText);
}

const PROMISE =
  /\b(?:explains?|understand|explanation|learn|teach|questions?|answers?|what (?:is|does)|describe|compare|research|lookup|look up|reference)\b/i;

/**
 * Says of a skill's name whether a prompt declines it: "do not start deep-research", "why is it not deep-research?", "without using the planner".
 * A name of one common word must follow at once, or "my demo does not work" would decline `demo`.
 */
export function declinedNames(query: string): (name: string) => boolean {
  const lower = query.toLowerCase();
  if (!SAYS_NOT.test(lower)) return () => false;
  const spans = [...lower.matchAll(AFTER_NOT)].map(([span]) => span);
  const next = [...lower.matchAll(NEXT_WORD)].map(([, word = ""]) => word);
  if (spans.length === 0) return () => false;
  return (name) => {
    const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return false;
    if (words.length === 1) return next.includes(words[0] ?? "");
    return spans.some(
      (span) => span.includes(words.join("-")) || span.includes(words.join(" ")) || span.includes(words.join("_")),
    );
  };
}

const NOT = "\\b(?:not|don['’]?t|never|without|instead of|rather than|except)\\b";
const SAYS_NOT = new RegExp(NOT, "u");
const AFTER_NOT = new RegExp(`${NOT}[^.;!?\\n]{1,80}`, "gu");
const FILLERS =
  "(?:to|use|using|invoke|invoking|run|running|start|starting|call|calling|trigger|triggering|load|loading|want|need|the|a|an|any|my|be|for|it|is)";
const NEXT_WORD = new RegExp(`${NOT}(?:\\s+${FILLERS})*\\s+[\`"'/]?([\\p{L}\\p{N}]+)`, "gu");
