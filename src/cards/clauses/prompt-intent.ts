/** True if the prompt asks what something is. Then no skill is needed, unless it is there to explain. */
export function asksForExplanation(query: string): boolean {
  return QUESTION.test(query) && !OWN.test(query);
}

const QUESTION =
  /^\s*(?:please |can you |could you )?(?:what(?:['’]?s| is| are| does| do| did)|explain|describe|define)\b/i;

/** Questions about one's own things are looked up, not explained: "What is the status of my order?" */
const OWN = /\b(?:my|our|this|these)\b/i;

export function promisesExplanation(cardText: string): boolean {
  return PROMISE.test(cardText);
}

const PROMISE =
  /\b(?:explains?|understand|explanation|learn|teach|questions?|answers?|what (?:is|does)|describe|compare|research|lookup|look up|reference)\b/i;

/**
 * Tells whether a prompt declines a skill by name: "do not start deep-research", "without using the planner". A
 * one-word name must follow at once, or "my demo does not work" would decline `demo`.
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
