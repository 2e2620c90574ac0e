import { GRAM_NUMBERS } from "../words/character-grams.ts";
import type { CardIndex } from "./card-index.ts";
import { addWeights, type Postings } from "./postings.ts";
import type { QueryWord } from "./query-words.ts";

// Cards and grams are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** In smaller libraries there is nothing to save. */
const FEWEST_CARDS = 500;
/** A gram on a larger share of the cards tells little and takes the most time. */
const COMMON = 0.04;
/** More than 24 bits of a weight and adding numbers in another order can change. */
const SLACK = 1.000001;

/**
 * How like a query the cards are by their character n-grams: the cosine. It is the same number, to the last bit, whichever way it is worked out: for all cards by
 * the postings of the query's grams, or, where only few cards will be looked at closely, for all of them the most that it can be, by the rare grams alone, and the
 * number itself card by card. Either way a card's sum is added up in the order of the query.
 */
export class QueryGrams {
  readonly #index: CardIndex;
  /** By card: the sum; of the rare grams alone while `#few`. */
  readonly #sums: Float64Array;
  /** By gram; all zero before and after. */
  readonly #counts = new Uint16Array(GRAM_NUMBERS);
  /** The grams of the query in the order of its words, and what each weighs. */
  readonly #found = new Int32Array(GRAM_NUMBERS);
  readonly #sides = new Float64Array(GRAM_NUMBERS);
  #many = 0;
  #few = false;
  /** The length of the query's vector over the common grams. */
  #rest = 0;
  #byCard: GramsByCard | undefined;
  #last = { card: -1, sum: 0 };

  constructor(index: CardIndex) {
    this.#index = index;
    this.#sums = new Float64Array(index.entries.length);
  }

  /** Takes the next query; `few`: only few cards will be looked at closely. */
  take(words: readonly QueryWord[], few: boolean): void {
    this.#byCard?.forget(this.#found, this.#many);
    this.#last = { card: -1, sum: 0 };
    this.#weigh(words);
    this.#sums.fill(0);
    this.#rest = 0;
    this.#few = few && this.#sums.length >= FEWEST_CARDS;
    if (this.#few) this.#addRare();
    else for (let at = 0; at < this.#many; at++) addWeights(this.#sums, this.#index.cardGrams, this.#found[at]!, this.#sides[at]!);
  }

  of(card: number): number {
    if (!this.#few) return this.#sums[card]!;
    // Who looks closely at a card looks more than once.
    if (this.#last.card !== card) this.#last = { card, sum: this.#byCard!.sum(card, this.#sides, this.#many) };
    return this.#last.sum;
  }

  /** At least as much as `of`, at once. By Cauchy and Schwarz, two vectors are no more like each other than both are long. */
  most(card: number): number {
    return this.#few ? (this.#sums[card]! + this.#rest * this.#byCard!.commonLengths[card]!) * SLACK : this.#sums[card]!;
  }

  #weigh(words: readonly QueryWord[]): void {
    const [counts, found, sides] = [this.#counts, this.#found, this.#sides];
    let many = 0;
    for (const { grams } of words) {
      for (const gram of grams) {
        if (counts[gram] === 0) found[many++] = gram;
        if (counts[gram]! < 65_535) counts[gram]!++;
      }
    }
    let squares = 0;
    for (let at = 0; at < many; at++) {
      const gram = found[at]!;
      const side = (1 + Math.log(counts[gram]!)) * this.#index.gramIdf[gram]!;
      sides[at] = side;
      squares += side ** 2;
      counts[gram] = 0;
    }
    const length = Math.sqrt(squares) || 1;
    for (let at = 0; at < many; at++) sides[at]! /= length;
    this.#many = many;
  }

  #addRare(): void {
    this.#byCard ??= gramsByCard(this.#index.cardGrams, this.#sums.length, COMMON * this.#sums.length);
    this.#byCard.take(this.#found, this.#many);
    const { starts } = this.#index.cardGrams;
    let squares = 0;
    for (let at = 0; at < this.#many; at++) {
      const gram = this.#found[at]!;
      if (starts[gram + 1]! - starts[gram]! <= this.#byCard.common) addWeights(this.#sums, this.#index.cardGrams, gram, this.#sides[at]!);
      else squares += this.#sides[at]! ** 2;
    }
    this.#rest = Math.sqrt(squares);
  }
}

type GramsByCard = ReturnType<typeof gramsByCard>;

/** The postings turned round: for every card its grams, which are numbered anew so that a table of them is small. */
function gramsByCard({ starts, docs, weights }: Postings, cards: number, common: number) {
  const cardStarts = new Int32Array(cards + 1);
  for (const card of docs) cardStarts[card + 1]!++;
  for (let card = 0; card < cards; card++) cardStarts[card + 1]! += cardStarts[card]!;
  const next = cardStarts.slice();
  const grams = new Int32Array(docs.length);
  const own = new Float32Array(docs.length);
  const commonLengths = new Float64Array(cards);
  /** By gram: its new number, from 1; 0 where no card has it. */
  const numbers = new Int32Array(starts.length);
  let many = 0;
  for (let gram = 0; gram + 1 < starts.length; gram++) {
    const end = starts[gram + 1]!;
    if (end === starts[gram]) continue;
    numbers[gram] = ++many;
    const isCommon = end - starts[gram]! > common;
    for (let at = starts[gram]!; at < end; at++) {
      const place = next[docs[at]!]!++;
      grams[place] = many;
      own[place] = weights[at]!;
      if (isCommon) commonLengths[docs[at]!]! += weights[at]! ** 2;
    }
  }
  for (let card = 0; card < cards; card++) commonLengths[card] = Math.sqrt(commonLengths[card]!);
  /** By new number: the gram's place in the query, from 1. */
  const places = new Int32Array(many + 1);
  /** By place in the query: the weight on the card; all zero before and after. */
  let met = new Float64Array(1024);
  return {
    common,
    commonLengths,
    /** Takes the grams of the next query. */
    take(found: Int32Array, count: number): void {
      if (met.length <= count) met = new Float64Array(2 * count);
      for (let at = 0; at < count; at++) places[numbers[found[at]!]!] = at + 1;
      places[0] = 0;
    },
    forget(found: Int32Array, count: number): void {
      for (let at = 0; at < count; at++) places[numbers[found[at]!]!] = 0;
    },
    /** What the query's grams, which weigh `sides`, add up to on a card. */
    sum(card: number, sides: Float64Array, count: number): number {
      const end = cardStarts[card + 1]!;
      for (let at = cardStarts[card]!; at < end; at++) {
        const place = places[grams[at]!]!;
        if (place !== 0) met[place] = own[at]!;
      }
      let sum = 0;
      for (let at = 0; at < count; at++) {
        sum += sides[at]! * met[at + 1]!;
        met[at + 1] = 0;
      }
      return sum;
    },
  };
}
