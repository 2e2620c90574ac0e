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
  /** The other texts with at least so much overlap. */
  above(a: number, least: number): number[];
  /** What both say, word for word, the most telling first. */
  phrases(a: number, b: number, most: number): string[];
  /** What at least `least` texts say in two words or more, the most common first. */
  common(least: number, most: number): CommonPhrase[];
}

/** Compares texts, given clause by clause. Quickest when one text is compared with many others in a row. */
export function createOverlap(texts: readonly (readonly string[])[], frequencies: WordFrequencies = shippedFrequencies()): Overlap {
  const english = looksEnglish(texts.flatMap((clauses) => words(clauses.join(" "))));
  const terms = texts.map((clauses) => clauses.map((clause) => termsOf(clause, english)));
  const counts = textsWith(terms);
  const total = texts.length + frequencies.cards;
  const rarityOf = (term: string) => rarity((counts.get(term) ?? 0) + (frequencies.counts.get(term) ?? 0), total);
  const runsOf = (at: number) => wordRuns(terms[at] ?? [], texts[at] ?? []);
  let products: Products | undefined;
  const productsOf = () => {
    products ??= createProducts(terms.map((clauses) => gramVector(clauses.flat(), rarityOf)));
    return products;
  };
  return {
    of: (a, b) => Math.min(1, productsOf().of(a, b)),
    above: (a, least) => productsOf().above(a, least),
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

/** A gram in a larger share of the texts tells little and takes the most time. */
const COMMON = 0.05;
/** Among fewer texts there is nothing to save. */
const FEWEST_TEXTS = 500;
/** More than adding numbers in another order can change. */
const ROUNDING = 1e-9;

interface Products {
  of(a: number, b: number): number;
  /** The other vectors whose product with this one is at least so much. */
  above(a: number, least: number): number[];
}

/**
 * The products of vectors, each added up in the order of the first. By the grams that few vectors have, and the length of the rest, it is known at once which
 * products can be large (Cauchy and Schwarz); those are worked out one by one.
 */
function createProducts(vectors: readonly Vector[]): Products {
  const grams = renumber(vectors);
  const { starts, texts, weights, lengths } = byRareGram(
    vectors,
    grams,
    vectors.length < FEWEST_TEXTS ? Infinity : COMMON * vectors.length,
  );
  const sums = new Float64Array(vectors.length);
  /** By gram: its place in the current vector, from 1. */
  const places = new Int32Array(grams);
  /** By place: what the gram adds to the product; all zero before and after. */
  const met = new Float64Array(1 + vectors.reduce((most, vector) => Math.max(most, vector.grams.length), 0));
  let current = -1;
  // `!`, here and below: there is a vector for every text, a weight for every gram of it, and room for every gram.
  const take = (a: number) => {
    if (current === a) return;
    if (current !== -1) for (const gram of vectors[current]!.grams) places[gram] = 0;
    current = a;
    const own = vectors[a]!;
    sums.fill(0);
    for (let i = 0; i < own.grams.length; i++) {
      const gram = own.grams[i]!;
      const weight = own.weights[i]!;
      places[gram] = i + 1;
      const end = starts[gram + 1]!;
      for (let at = starts[gram]!; at < end; at++) sums[texts[at]!]! += weight * weights[at]!;
    }
  };
  const of = (a: number, b: number) => {
    take(a);
    const [own, other] = [vectors[a]!, vectors[b]!];
    for (let i = 0; i < other.grams.length; i++) {
      const place = places[other.grams[i]!]!;
      if (place !== 0) met[place] = own.weights[place - 1]! * other.weights[i]!;
    }
    let sum = 0;
    for (let place = 1; place <= own.grams.length; place++) {
      sum += met[place]!;
      met[place] = 0;
    }
    return sum;
  };
  return {
    of,
    above(a, least) {
      take(a);
      const found: number[] = [];
      for (let b = 0; b < sums.length; b++) {
        if (b !== a && sums[b]! + lengths[a]! * lengths[b]! + ROUNDING >= least && of(a, b) >= least) found.push(b);
      }
      return found;
    },
  };
}

/** Numbers the grams that there are anew, from 0, so that tables of them are small; returns how many there are. */
function renumber(vectors: readonly Vector[]): number {
  const numbers = new Int32Array(GRAM_NUMBERS);
  let many = 0;
  for (const { grams } of vectors) {
    for (let i = 0; i < grams.length; i++) {
      const gram = grams[i]!;
      if (numbers[gram] === 0) numbers[gram] = ++many;
      grams[i] = numbers[gram]! - 1;
    }
  }
  return many;
}

/** For every gram that at most `common` texts have, those texts, from starts[gram] to starts[gram + 1], and its weight there; for every text its length without such grams. */
function byRareGram(vectors: readonly Vector[], grams: number, common: number) {
  const counts = new Int32Array(grams);
  for (const vector of vectors) for (const gram of vector.grams) counts[gram]!++;
  const starts = new Int32Array(grams + 1);
  for (let gram = 0; gram < grams; gram++) starts[gram + 1] = starts[gram]! + (counts[gram]! > common ? 0 : counts[gram]!);
  const next = starts.slice();
  const texts = new Int32Array(starts[grams]!);
  const weights = new Float64Array(starts[grams]!);
  const lengths = new Float64Array(vectors.length);
  vectors.forEach((vector, text) => {
    let squares = 0;
    for (let i = 0; i < vector.grams.length; i++) {
      const gram = vector.grams[i]!;
      if (counts[gram]! > common) {
        squares += vector.weights[i]! ** 2;
        continue;
      }
      const at = next[gram]!++;
      texts[at] = text;
      weights[at] = vector.weights[i]!;
    }
    lengths[text] = Math.sqrt(squares);
  });
  return { starts, texts, weights, lengths };
}
