import type { Term } from "../words/terms.ts";

export interface CommonPhrase {
  phrase: string;
  /** Number of texts with this phrase. */
  texts: number;
}

/** Distinctive words in a row, and the clause they come from. */
export interface WordRun {
  terms: Term[];
  clause: string;
}

const LONGEST = 4;

/** Every run of one to four distinctive words, keyed by its terms. `counts` excludes terms. */
export function wordRuns(
  clauses: readonly Term[][],
  texts: readonly string[],
  counts: (term: string) => boolean = () => true,
): Map<string, WordRun> {
  const found = new Map<string, WordRun>();
  clauses.forEach((clause, at) => {
    const text = texts[at] ?? "";
    for (let from = 0; from < clause.length; from++) {
      for (let size = 1; size <= LONGEST && from + size <= clause.length; size++) {
        const last = clause[from + size - 1];
        if (last === undefined || !counts(last.term)) break;
        const terms = clause.slice(from, from + size);
        const key = terms.map(({ term }) => term).join(" ");
        if (!found.has(key)) found.set(key, { terms, clause: text });
      }
    }
  });
  return found;
}

/** The run as written, including small words in between ("state of the art"); undefined if the text differs. */
function asWritten({ terms, clause }: WordRun): string | undefined {
  const words = terms.map(({ word }) => word);
  const [first = "", ...rest] = words;
  const text = clause.toLowerCase();
  // Lower-casing can change a text's length, and then its offsets do not apply to the original.
  if (text.length !== clause.length) return undefined;
  for (let from = wordAt(text, first, 0); from !== -1; from = wordAt(text, first, from + 1)) {
    let end = from + first.length;
    const isWhole = rest.every((word) => {
      const next = wordAt(text, word, end);
      const isNear = next !== -1 && next - end <= WIDEST_GAP;
      if (isNear) end = next + word.length;
      return isNear;
    });
    const phrase = clause.slice(from, end);
    if (isWhole && !NO_PHRASE.test(phrase)) return phrase;
  }
  return undefined;
}

/** Fragments that are not phrases, such as "e.g" or "ty (or pyright". */
const NO_PHRASE = /^(?:e\.g|i\.e|etc|vs)\.?$|^[^()]*[()][^()]*$/i;

function says(clauses: readonly string[], phrase: string): boolean {
  const wanted = phrase.toLowerCase();
  return clauses.some((clause) => wordAt(clause.toLowerCase(), wanted, 0) !== -1);
}

function wordAt(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length))) return at;
  }
  return -1;
}

const LETTER = /[\p{L}\p{N}]/u;

/** The longest gap between two distinctive words of a phrase, as in " of the ". */
const WIDEST_GAP = 16;

/** Phrases in both texts, word for word, the most distinctive first. */
export function sharedPhrases(
  a: ReadonlyMap<string, WordRun>,
  b: ReadonlyMap<string, WordRun>,
  clausesOfB: readonly string[],
  rarityOf: (term: string) => number,
  most: number,
): string[] {
  const shared = [...a]
    .filter(([key]) => b.has(key))
    .map(([key, run]) => ({
      key: ` ${key} `,
      run,
      telling: run.terms.reduce((sum, { term }) => sum + rarityOf(term), 0),
    }))
    .sort((x, y) => y.telling - x.telling || (x.key < y.key ? -1 : 1));
  const chosen: { key: string; phrase: string }[] = [];
  for (const { key: own, run } of shared) {
    if (chosen.length === most) break;
    if (chosen.some(({ key }) => key.includes(own) || overlapping(key, own))) continue;
    const phrase = asWritten(run);
    if (phrase !== undefined && says(clausesOfB, phrase)) chosen.push({ key: own, phrase });
  }
  return chosen.map(({ phrase }) => phrase);
}

export function commonPhrases(
  texts: readonly ReadonlyMap<string, WordRun>[],
  clauses: readonly (readonly string[])[],
  least: number,
  most: number,
): CommonPhrase[] {
  const found = new Map<string, { run: WordRun; texts: number }>();
  for (const runs of texts) {
    for (const [key, run] of runs) {
      if (run.terms.length < 2) continue;
      const before = found.get(key);
      if (before === undefined) found.set(key, { run, texts: 1 });
      else before.texts++;
    }
  }
  const common = [...found]
    .filter(([, one]) => one.texts >= least)
    .map(([key, one]) => ({ key: ` ${key} `, ...one }))
    .sort((a, b) => b.texts * b.run.terms.length - a.texts * a.run.terms.length || (a.key < b.key ? -1 : 1));
  const chosen: (CommonPhrase & { key: string })[] = [];
  for (const { key: own, run } of common) {
    if (chosen.length === most) break;
    const phrase = chosen.some(({ key }) => overlapping(key, own)) ? undefined : asWritten(run);
    if (phrase === undefined) continue;
    const saying = clauses.filter((text) => says(text, phrase)).length;
    if (saying >= least) chosen.push({ key: own, phrase, texts: saying });
  }
  return chosen.map(({ phrase, texts: saying }) => ({ phrase, texts: saying }));
}

/** True if both are cut from one sentence: they share two words or more. */
function overlapping(a: string, b: string): boolean {
  const other = new Set(b.trim().split(" "));
  return (
    a
      .trim()
      .split(" ")
      .filter((word) => other.has(word)).length >= 2
  );
}
