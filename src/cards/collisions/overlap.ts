import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { looksEnglish } from "../words/language.ts";
import { rarity } from "../words/rarity.ts";
import { type Term, termsOf } from "../words/terms.ts";
import { shippedFrequencies, type WordFrequencies } from "../words/word-frequencies.ts";
import { words } from "../words/words.ts";
import { type CommonPhrase, commonPhrases, sharedPhrases, wordRuns } from "./phrases.ts";

/** How much the texts of a library overlap, and in which words. */
export interface Overlap {
  /** From 0 (nothing shared) to 1 (the same text). */
  of(a: number, b: number): number;
  above(a: number, least: number): number[];
  /** Phrases in both texts, word for word, the most distinctive first. */
  phrases(a: number, b: number, most: number): string[];
  /** Phrases of two words or more in at least `least` texts, the most common first. */
  common(least: number, most: number): CommonPhrase[];
}

/** Compares texts, given as clauses. Fastest when one text is compared with many others in a row. */
export function createOverlap(
  texts: readonly (readonly string[])[],
  frequencies: WordFrequencies = shippedFrequencies(),
): Overlap {
  const english = looksEnglish(texts.flatMap((clauses) => words(clauses.join(" "))));
  const terms = texts.map((clauses) => clauses.map((clause) => termsOf(clause, english)));
  const counts = textsWith(terms);
  const total = texts.length + frequencies.cards;
  const rarityOf = (term: string) => rarity((counts.get(term) ?? 0) + (frequencies.counts.get(term) ?? 0), total);
  const runsOf = (at: number) => wordRuns(terms[at] ?? [], texts[at] ?? []);
  let products: ((a: number) => Float64Array) | undefined;
  const productsOf = (a: number) => {
    products ??= createProducts(vectorsOf(terms, rarityOf));
    return products(a);
  };
  return {
    of: (a, b) => Math.min(1, productsOf(a)[b] ?? 0),
    above(a, least) {
      const found: number[] = [];
      const products = productsOf(a);
      for (let b = 0; b < products.length; b++) if (products[b]! >= least && b !== a) found.push(b);
      return found;
    },
    phrases: (a, b, most) => sharedPhrases(runsOf(a), runsOf(b), texts[b] ?? [], rarityOf, most),
    // A phrase is on no more texts than each of its words.
    common: (least, most) =>
      commonPhrases(
        terms.map((clauses, at) => wordRuns(clauses, texts[at] ?? [], (term) => (counts.get(term) ?? 0) >= least)),
        texts,
        least,
        most,
      ),
  };
}

function textsWith(texts: readonly Term[][][]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(text.flat().map(({ term }) => term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

interface Vector {
  grams: Int32Array;
  weights: Float64Array;
}

function vectorsOf(texts: readonly Term[][][], rarityOf: (term: string) => number): Vector[] {
  const sums = new Float64Array(GRAM_NUMBERS);
  return texts.map((clauses) => gramVector(clauses.flat(), rarityOf, sums));
}

/**
 * A text as a unit vector over the character n-grams of its words, weighted by the rarity of the word. `sums` is
 * scratch space, all zero before and after.
 */
function gramVector(terms: readonly Term[], rarityOf: (term: string) => number, sums: Float64Array): Vector {
  const counts = new Map<string, { word: string; count: number }>();
  for (const { word, term } of terms) counts.set(term, { word, count: (counts.get(term)?.count ?? 0) + 1 });
  const found: number[] = [];
  for (const [term, { word, count }] of counts) {
    const weight = (1 + Math.log(count)) * rarityOf(term);
    for (const gram of gramsOf(word)) {
      // `!`, here and below: the array covers every gram.
      if (sums[gram] === 0) found.push(gram);
      sums[gram]! += weight;
    }
  }
  let squares = 0;
  for (const gram of found) squares += sums[gram]! * sums[gram]!;
  const length = Math.sqrt(squares) || 1;
  const vector = { grams: Int32Array.from(found), weights: new Float64Array(found.length) };
  for (let at = 0; at < found.length; at++) {
    vector.weights[at] = sums[found[at]!]! / length;
    sums[found[at]!] = 0;
  }
  return vector;
}

/** Dot products of one vector with all others, computed in one pass over its grams; keeps the last result. */
function createProducts(vectors: readonly Vector[]): (a: number) => Float64Array {
  const { starts, texts, weights } = byGram(vectors);
  const sums = new Float64Array(vectors.length);
  let current = -1;
  return (a) => {
    if (current !== a) {
      // `!`, here and below: every text has a vector, every gram of it a weight, and `starts` covers every gram.
      const own = vectors[a]!;
      sums.fill(0);
      for (let i = 0; i < own.grams.length; i++) {
        const weight = own.weights[i]!;
        const end = starts[own.grams[i]! + 1]!;
        for (let at = starts[own.grams[i]!]!; at < end; at++) sums[texts[at]!]! += weight * weights[at]!;
      }
      current = a;
    }
    return sums;
  };
}

/** Inverts the vectors: the texts that have a gram, and its weights, are at starts[gram] to starts[gram + 1]. */
function byGram(vectors: readonly Vector[]): { starts: Int32Array; texts: Int32Array; weights: Float64Array } {
  const starts = new Int32Array(GRAM_NUMBERS + 1);
  for (const { grams } of vectors) for (const gram of grams) starts[gram + 1]!++;
  for (let gram = 0; gram < GRAM_NUMBERS; gram++) starts[gram + 1]! += starts[gram]!;
  const next = starts.slice();
  const texts = new Int32Array(starts[GRAM_NUMBERS]!);
  const weights = new Float64Array(starts[GRAM_NUMBERS]!);
  vectors.forEach((vector, text) => {
    vector.grams.forEach((gram, i) => {
      const at = next[gram]!++;
      texts[at] = text;
      weights[at] = vector.weights[i]!;
    });
  });
  return { starts, texts, weights };
}
