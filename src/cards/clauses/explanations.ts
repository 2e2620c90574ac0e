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
