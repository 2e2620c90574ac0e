export interface KeywordSource {
  name: string;
  description: string;
  body: string;
}

/** waza's threshold. */
export const KEYWORDS_NEED = 0.6;

/**
 * Scores a query from 0 to 1 as waza's `trigger` grader does: the share of its words among the skill's keywords, or the
 * best match with one of the skill's phrases, whichever is higher.
 */
export function keywordOverlap(skill: KeywordSource): (query: string) => { score: number; words: string[] } {
  const { keywords, phrases } = keywordsOf(skill);
  return (query) => {
    const tokens = new Set(tokenize(query));
    const words = [...tokens].filter((token) => keywords.has(token));
    const score =
      tokens.size === 0 ? 0 : Math.max(words.length / tokens.size, phraseScore(phrases, query.toLowerCase(), tokens));
    return { score, words };
  };
}

const STOP = new Set(
  "the and for with this that from into your you are was were what where how why not can should using about have has had but all any too out get let".split(
    " ",
  ),
);

/** waza measures bytes, so two accented letters are long enough. */
function tokenize(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (token) => Buffer.byteLength(token) >= 3 && !STOP.has(token),
  );
}

interface Phrase {
  text: string;
  tokens: string[];
}

function keywordsOf({ name, description, body }: KeywordSource): { keywords: Set<string>; phrases: Phrase[] } {
  const cut = description.search(/do not use for:/i);
  const useFor = cut < 0 ? description : description.slice(0, cut);
  const phrases = phrasesOf(description).map((text) => ({ text: text.toLowerCase().trim(), tokens: tokenize(text) }));
  return {
    keywords: new Set([...tokenize(`${name} ${useFor} ${body}`), ...phrases.flatMap(({ tokens }) => tokens)]),
    phrases,
  };
}

function phrasesOf(description: string): string[] {
  const start = /(?<!not\s{1,8})use for:/i.exec(description);
  if (start === null) return [];
  const rest = description.slice(start.index + start[0].length);
  const end = rest.search(/do not use for:|invokes:|for single operations:/i);
  const section = (end < 0 ? rest : rest.slice(0, end)).trim().replace(/\.$/, "");
  const quoted = [...section.matchAll(/"([^"]+)"/g)].flatMap(([, phrase]) => phrase ?? []);
  const phrases =
    quoted.length > 0
      ? quoted
      : section.split(",").map((part) => part.trim().replace(/(?<!\s)\s*\([^()]{0,400}\)$/, ""));
  return phrases.filter((phrase) => phrase.trim() !== "");
}

function phraseScore(phrases: readonly Phrase[], lower: string, tokens: ReadonlySet<string>): number {
  let best = 0;
  for (const phrase of phrases) {
    if (lower.includes(phrase.text)) return 1;
    if (phrase.tokens.length > 0)
      best = Math.max(best, phrase.tokens.filter((token) => tokens.has(token)).length / phrase.tokens.length);
  }
  return best;
}
