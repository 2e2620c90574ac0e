import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { looksEnglish } from "../words/english.ts";
import { rarity } from "../words/rarity.ts";
import { type Term, termsOf } from "../words/terms.ts";
import { shippedFrequencies, type WordFrequencies } from "../words/word-frequencies.ts";
import { words } from "../words/words.ts";
import { type CommonPhrase, commonPhrases, sharedPhrases, wordRuns } from "./phrases.ts";

/** How far two texts of a library say the same, and in which words. */
export interface Overlap {
  /** 0: nothing, 1: the same text. */
  of(a: number, b: number): number;
  /** What both say, the most telling first, in the words of the first. */
  phrases(a: number, b: number, most: number): string[];
  /** What at least `least` texts say in two words or more, the most common first. */
  common(least: number, most: number): CommonPhrase[];
}

/** Compares texts, given clause by clause. Nothing is computed for a text until it is compared. */
export function createOverlap(texts: readonly (readonly string[])[], frequencies: WordFrequencies = shippedFrequencies()): Overlap {
  const english = looksEnglish(texts.flatMap((clauses) => words(clauses.join(" "))));
  const terms = texts.map((clauses) => clauses.map((clause) => termsOf(clause, english)));
  const counts = textsWith(terms);
  const total = texts.length + frequencies.cards;
  const rarityOf = (term: string) => rarity((counts.get(term) ?? 0) + (frequencies.counts.get(term) ?? 0), total);
  const vector = remembered((at) => gramVector((terms[at] ?? []).flat(), rarityOf));
  const runsOf = (at: number) => wordRuns(terms[at] ?? [], texts[at] ?? []);
  const dot = createDot();
  return {
    of: (a, b) => dot(vector(a), vector(b)),
    phrases: (a, b, most) => sharedPhrases(runsOf(a), runsOf(b), rarityOf, most),
    // A phrase is on no more texts than each of its words.
    common: (least, most) =>
      commonPhrases(
        terms.map((clauses, at) => wordRuns(clauses, texts[at] ?? [], (term) => (counts.get(term) ?? 0) >= least)),
        least,
        most,
      ),
  };
}

function remembered<T extends object>(make: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => {
    const found = known.get(at);
    if (found !== undefined) return found;
    const made = make(at);
    known.set(at, made);
    return made;
  };
}

/** How many texts have each term. */
function textsWith(texts: readonly Term[][][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of new Set(text.flat().map(({ term }) => term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

interface Vector {
  grams: Int32Array;
  weights: Float64Array;
}

/** A text as a vector of length 1 over the character n-grams of its words, each weighted by how rare its word is. */
function gramVector(terms: readonly Term[], rarityOf: (term: string) => number): Vector {
  const counts = new Map<string, { word: string; count: number }>();
  for (const { word, term } of terms) counts.set(term, { word, count: (counts.get(term)?.count ?? 0) + 1 });
  const weights = new Map<number, number>();
  for (const [term, { word, count }] of counts) {
    const weight = (1 + Math.log(count)) * rarityOf(term);
    for (const gram of gramsOf(word)) weights.set(gram, (weights.get(gram) ?? 0) + weight);
  }
  let squares = 0;
  for (const weight of weights.values()) squares += weight * weight;
  const length = Math.sqrt(squares) || 1;
  return { grams: Int32Array.from(weights.keys()), weights: Float64Array.from(weights.values(), (weight) => weight / length) };
}

/** The product of two vectors, at most 1. The first is spread out over all grams and stays so: it is mostly compared with many others in a row. */
function createDot(): (a: Vector, b: Vector) => number {
  const spread = new Float64Array(GRAM_NUMBERS);
  let current: Vector | undefined;
  return (a, b) => {
    if (current !== a) {
      // `!`, here and below: a vector has as many weights as grams, and there is room for each gram.
      for (const gram of current?.grams ?? []) spread[gram] = 0;
      for (let at = 0; at < a.grams.length; at++) spread[a.grams[at]!] = a.weights[at]!;
      current = a;
    }
    let sum = 0;
    for (let at = 0; at < b.grams.length; at++) sum += b.weights[at]! * spread[b.grams[at]!]!;
    return Math.min(1, sum);
  };
}
