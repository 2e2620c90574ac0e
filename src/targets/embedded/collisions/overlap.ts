import { gramsOf } from "../words/character-grams.ts";
import { type Term, termsOf } from "../words/terms.ts";
import { type Background, shippedBackground } from "../words/word-frequencies.ts";
import { looksEnglish, words } from "../words/words.ts";

/** How much two texts of a library say the same, and in which words. */
export interface Overlap {
  /** 0: nothing, 1: the same text. */
  of(a: number, b: number): number;
  /** What both say, the most telling first, in the words of the first. */
  phrases(a: number, b: number, most: number): string[];
  /** What at least so many texts say, in two words or more; the most common first. */
  common(least: number, most: number): CommonPhrase[];
}

export interface CommonPhrase {
  phrase: string;
  /** How many texts say it. */
  texts: number;
}

/** Compares texts that are given clause by clause. Nothing is worked out for a text before it is compared. */
export function createOverlap(texts: readonly (readonly string[])[], background: Background = shippedBackground()): Overlap {
  const english = looksEnglish(texts.flatMap((clauses) => words(clauses.join(" "))));
  const terms = texts.map((clauses) => clauses.map((clause) => termsOf(clause, english)));
  const rarity = rarityIn(terms, background);
  const vector = remembered((at) => gramVector(terms[at]!.flat(), rarity));
  const runsOf = remembered((at) => wordRuns(terms[at]!, texts[at]!));
  return {
    of: (a, b) => dot(vector(a), vector(b)),
    phrases: (a, b, most) => sharedPhrases(runsOf(a), runsOf(b), rarity, most),
    common: (least, most) =>
      commonPhrases(
        texts.map((_, at) => runsOf(at)),
        least,
        most,
      ),
  };
}

function remembered<T>(make: (at: number) => T): (at: number) => T {
  const made = new Map<number, T>();
  return (at) => {
    if (!made.has(at)) made.set(at, make(at));
    return made.get(at)!;
  };
}

type Rarity = (term: string) => number;

function rarityIn(texts: readonly Term[][][], background: Background): Rarity {
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of new Set(text.flat().map(({ term }) => term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  const total = texts.length + background.cards;
  return (term) => {
    const count = (counts.get(term) ?? 0) + (background.counts.get(term) ?? 0);
    return Math.log(1 + (total - count + 0.5) / (count + 0.5));
  };
}

/** A text by the character n-grams of its words, each as telling as its word is rare; of length 1. */
function gramVector(terms: readonly Term[], rarity: Rarity): Map<number, number> {
  const counts = new Map<string, { word: string; count: number }>();
  for (const { word, term } of terms) counts.set(term, { word, count: (counts.get(term)?.count ?? 0) + 1 });
  const weights = new Map<number, number>();
  for (const [term, { word, count }] of counts) {
    const weight = (1 + Math.log(count)) * rarity(term);
    for (const gram of gramsOf(word)) weights.set(gram, (weights.get(gram) ?? 0) + weight);
  }
  let squares = 0;
  for (const weight of weights.values()) squares += weight * weight;
  const length = Math.sqrt(squares) || 1;
  for (const [gram, weight] of weights) weights.set(gram, weight / length);
  return weights;
}

function dot(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [gram, weight] of small) sum += weight * (large.get(gram) ?? 0);
  return Math.min(1, sum);
}

const LONGEST = 4;

/** Telling words in a row, and the clause they stand in. */
interface Run {
  terms: Term[];
  clause: string;
}

/** Every run of one to four telling words, by its terms. */
function wordRuns(clauses: readonly Term[][], texts: readonly string[]): Map<string, Run> {
  const found = new Map<string, Run>();
  clauses.forEach((clause, at) => {
    for (let from = 0; from < clause.length; from++) {
      for (let size = 1; size <= LONGEST && from + size <= clause.length; size++) {
        const terms = clause.slice(from, from + size);
        const key = terms.map(({ term }) => term).join(" ");
        if (!found.has(key)) found.set(key, { terms, clause: texts[at]! });
      }
    }
  });
  return found;
}

/** The run as its author wrote it, with the small words between: "state of the art". */
function spelled({ terms, clause }: Run): string {
  const words = terms.map(({ word }) => word);
  const text = clause.toLowerCase();
  // Folding can change the length of a text; then the words have to do.
  const isSame = text.length === clause.length;
  for (let from = wordAt(text, words[0]!, 0); isSame && from !== -1; from = wordAt(text, words[0]!, from + 1)) {
    let end = from + words[0]!.length;
    const isWhole = words.slice(1).every((word) => {
      const next = wordAt(text, word, end);
      const isNear = next !== -1 && next - end <= WIDEST_GAP;
      if (isNear) end = next + word.length;
      return isNear;
    });
    if (isWhole) return clause.slice(from, end);
  }
  return words.join(" ");
}

function wordAt(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + word.length))) return at;
  }
  return -1;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Letters between two telling words of one phrase: " of the ". */
const WIDEST_GAP = 16;

function sharedPhrases(a: ReadonlyMap<string, Run>, b: ReadonlyMap<string, Run>, rarity: Rarity, most: number): string[] {
  const shared = [...a]
    .filter(([key]) => b.has(key))
    .map(([key, run]) => ({ key: ` ${key} `, run, telling: run.terms.reduce((sum, { term }) => sum + rarity(term), 0) }))
    .sort((x, y) => y.telling - x.telling || (x.key < y.key ? -1 : 1));
  const kept: typeof shared = [];
  for (const one of shared) {
    if (kept.length === most) break;
    if (!kept.some(({ key }) => key.includes(one.key) || overlapping(key, one.key))) kept.push(one);
  }
  return kept.map(({ run }) => spelled(run));
}

function commonPhrases(texts: readonly ReadonlyMap<string, Run>[], least: number, most: number): CommonPhrase[] {
  const found = new Map<string, { run: Run; texts: number }>();
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
  const kept: typeof common = [];
  for (const one of common) {
    if (kept.length === most) break;
    if (!kept.some(({ key }) => overlapping(key, one.key))) kept.push(one);
  }
  return kept.map(({ run, texts: count }) => ({ phrase: spelled(run), texts: count }));
}

/** Windows on one sentence: one inside the other, or the end of one the start of the other. */
function overlapping(a: string, b: string): boolean {
  const other = new Set(b.trim().split(" "));
  return (
    a
      .trim()
      .split(" ")
      .filter((word) => other.has(word)).length >= 2
  );
}
