import { gramsOf } from "../words/character-grams.ts";
import { termsOf } from "../words/terms.ts";
import type { Sparse } from "./postings.ts";

/** A word of a library: the number of its term, and its character n-grams. */
export interface Word {
  number: number;
  grams: readonly number[];
}

/** The words of a library, each stored once: large libraries repeat few words in thousands of cards. */
export class Lexicon {
  /** Term numbers, from 0. */
  readonly numbers = new Map<string, number>();
  readonly #words = new Map<string, Word>();
  readonly #english: boolean;
  #counter = new Uint16Array(1024);

  constructor(english: boolean) {
    this.#english = english;
  }

  /** The words of a text that carry a topic. */
  read(text: string): Word[] {
    return termsOf(text, this.#english).map(({ word, term }) => this.#words.get(word) ?? this.#learn(word, term));
  }

  /** Scratch space to count terms in. */
  get counter(): Uint16Array {
    if (this.#counter.length < this.numbers.size) this.#counter = new Uint16Array(2 * this.numbers.size);
    return this.#counter;
  }

  #learn(word: string, term: string): Word {
    const number = this.numbers.get(term) ?? this.numbers.size;
    this.numbers.set(term, number);
    const learnt = { number, grams: gramsOf(word) };
    this.#words.set(word, learnt);
    return learnt;
  }
}

/** Counts items in the order of their first occurrence. `counter` is scratch space, all zero before and after. */
export function countedIn(
  counter: Uint16Array,
  list: readonly Word[],
  itemsOf: (word: Word) => number | readonly number[],
): Sparse {
  const found: number[] = [];
  const count = (item: number) => {
    // `!`, here and below: the counter has room for every number.
    if (counter[item] === 0) found.push(item);
    if (counter[item]! < 65_535) counter[item]!++;
  };
  for (const word of list) {
    const items = itemsOf(word);
    if (typeof items === "number") count(items);
    else for (const item of items) count(item);
  }
  const values = new Float64Array(found.length);
  found.forEach((item, at) => {
    values[at] = counter[item]!;
    counter[item] = 0;
  });
  return { items: Int32Array.from(found), values };
}
