import type { Card } from "../../model/index.ts";
import { describedIn, purposesOf } from "../clauses/clauses.ts";
import { promisesExplanation } from "../clauses/prompt-intent.ts";
import { GRAM_NUMBERS } from "../words/character-grams.ts";
import { looksEnglish } from "../words/language.ts";
import { gramRarities, type Vocabulary, vocabularyOf } from "../words/rarity.ts";
import { type Sides, sidesOf } from "../words/technologies.ts";
import type { WordFrequencies } from "../words/word-frequencies.ts";
import { words } from "../words/words.ts";
import { countedIn, Lexicon, type Word } from "./lexicon.ts";
import { type Postings, postingsOf, type Sparse } from "./postings.ts";

export interface RouterCard {
  id: string;
  card: Card;
  /** False if only a command in the prompt may activate it. Defaults to true. */
  modelInvocable?: boolean;
}

/** The router's index of a library; a query touches only cards it shares something with. */
export interface CardIndex {
  entries: IndexedCard[];
  /** The cards are in English, so words are matched by their stems. */
  english: boolean;
  terms: Vocabulary;
  /** Rarity by gram number. */
  gramIdf: Float32Array;
  /** A term's contribution to a card's BM25. */
  cardTerms: Postings;
  /** The card's factor of the cosine by grams. */
  cardGrams: Postings;
  /** The clause's factor of the cosine by terms. */
  clauseTerms: Postings;
  /** A term's share of a skill's name. */
  nameTerms: Postings;
  /** Terms that a card has only in its not-for clauses. */
  excludedTerms: Postings;
  clauses: IndexedClause[];
  /** The clauses of card c are [cardClauses[c], cardClauses[c + 1]). */
  cardClauses: Int32Array;
  /** Keyed by clause: a position in `CLAUSE_KINDS`. */
  clauseKinds: Uint8Array;
}

export const CLAUSE_KINDS = ["name", "for", "notFor"] as const;

interface IndexedCard {
  id: string;
  card: Card;
  /** Clauses on what the skill is for. */
  positive: string[];
  negative: string[];
  /** The technologies it is about. */
  sides: Sides;
  explains: boolean;
}

interface IndexedClause {
  card: number;
  text: string;
  kind: (typeof CLAUSE_KINDS)[number];
}

/** Indexes a library's cards. Word frequencies of other libraries help to tell rare words from common ones. */
export function indexCards(cards: readonly { id: string; card: Card }[], frequencies: WordFrequencies): CardIndex {
  const entries = cards.map(({ id, card }) => indexedCard(id, card));
  const english = looksEnglish(entries.flatMap((entry) => words(entry.positive.join(" "))));
  const lexicon = new Lexicon(english);
  const clausesByCard = entries.map((entry, card) => readClauses(entry, card, lexicon));
  const clauses = clausesByCard.flat();
  const attracting = clausesByCard.map((list) =>
    list.filter(({ kind }) => kind !== "notFor").flatMap(({ words }) => words),
  );

  const termCounts = attracting.map((list) => countedIn(lexicon.counter, list, ({ number }) => number));
  const gramCounter = new Uint16Array(GRAM_NUMBERS);
  const gramCounts = attracting.map((list) => countedIn(gramCounter, list, ({ grams }) => grams));
  const terms = vocabularyOf(lexicon.numbers, termCounts, frequencies);
  const gramIdf = gramRarities(gramCounts, frequencies);
  const averageLength = attracting.reduce((sum, { length }) => sum + length, 0) / Math.max(1, attracting.length);
  const bm25 = termCounts.map((counts, card) =>
    bm25Side(counts, terms.idf, (attracting[card]?.length ?? 0) / averageLength),
  );
  const distinct = (list: readonly Word[]): Sparse =>
    ones(countedIn(lexicon.counter, list, ({ number }) => number).items);
  // "Not for changing an order" is about changing, not about orders.
  const excluded = clausesByCard.map((list, card): Sparse => {
    const attracts = new Set(termCounts[card]?.items);
    const { items } = distinct(list.filter(({ kind }) => kind === "notFor").flatMap(({ words }) => words));
    return ones(items.filter((term) => !attracts.has(term)));
  });
  return {
    entries,
    english,
    terms,
    gramIdf,
    cardTerms: postingsOf(bm25, terms.idf.length),
    cardGrams: postingsOf(
      gramCounts.map((counts) => cosineSide(counts, gramIdf)),
      GRAM_NUMBERS,
    ),
    clauseTerms: postingsOf(
      clauses.map((clause) => cosineSide(distinct(clause.words), terms.idf)),
      terms.idf.length,
    ),
    nameTerms: postingsOf(
      entries.map(({ card }) => shares(distinct(lexicon.read(card.name)), terms.idf)),
      terms.idf.length,
    ),
    excludedTerms: postingsOf(excluded, terms.idf.length),
    clauses: clauses.map(({ card, text, kind }) => ({ card, text, kind })),
    cardClauses: startsOf(clausesByCard),
    clauseKinds: Uint8Array.from(clauses, ({ kind }) => CLAUSE_KINDS.indexOf(kind)),
  };
}

/** The part of a card that attracts prompts, as one text. */
export function attractingText(card: Card): string {
  return attracting(indexedCard("", card));
}

export function attracting({ card, positive }: IndexedCard): string {
  return [card.name, ...positive].join("; ");
}

function indexedCard(id: string, card: Card): IndexedCard {
  const { negative } = describedIn(card);
  const positive = purposesOf(card);
  const text = [card.name, ...positive].join(" ");
  return {
    id,
    card,
    positive,
    negative: [...negative, ...card.notFor],
    sides: sidesOf(words(text)),
    explains: promisesExplanation(text),
  };
}

function readClauses({ card: { name }, positive, negative }: IndexedCard, card: number, lexicon: Lexicon) {
  const clause = (text: string, kind: IndexedClause["kind"]) => ({ card, text, kind, words: lexicon.read(text) });
  return [
    clause(name, "name"),
    ...positive.map((text) => clause(text, "for")),
    ...negative.map((text) => clause(text, "notFor")),
  ];
}

function ones(items: Int32Array): Sparse {
  return { items, values: new Float64Array(items.length).fill(1) };
}

/** Where the items of each list begin when all are put in a row, and where they end. */
function startsOf(lists: readonly (readonly unknown[])[]): Int32Array {
  const starts = new Int32Array(lists.length + 1);
  lists.forEach(({ length }, at) => {
    // `!`: the one before was just set.
    starts[at + 1] = starts[at]! + length;
  });
  return starts;
}

// Below, items are numbers of the vocabulary or of grams, and `idf` has an entry for each: hence `idf[item]!`.

/** A document as a vector of length 1, each item weighted by how rare it is. */
function cosineSide({ items, values }: Sparse, idf: ArrayLike<number>): Sparse {
  const kept: Sparse = { items: new Int32Array(items.length), values: new Float64Array(items.length) };
  let squares = 0;
  let many = 0;
  for (let at = 0; at < items.length; at++) {
    const count = values[at]!;
    const weight = (count === 1 ? 1 : 1 + Math.log(count)) * idf[items[at]!]!;
    // Zero weights would only cost time.
    if (!(weight > 0)) continue;
    squares += weight * weight;
    kept.items[many] = items[at]!;
    kept.values[many++] = weight;
  }
  const length = Math.sqrt(squares);
  for (let at = 0; at < many; at++) kept.values[at]! /= length;
  return { items: kept.items.subarray(0, many), values: kept.values.subarray(0, many) };
}

function shares({ items }: Sparse, idf: ArrayLike<number>): Sparse {
  let total = 0;
  for (const item of items) total += idf[item]!;
  return { items, values: Float64Array.from(items, (item) => idf[item]! / total) };
}

const K1 = 1.2;
const B = 0.75;

/** Each item's contribution to a document's BM25 (Robertson and Zaragoza, 2009). */
function bm25Side({ items, values }: Sparse, idf: ArrayLike<number>, relativeLength: number): Sparse {
  const damping = K1 * (1 - B + B * relativeLength);
  return { items, values: values.map((count, at) => (idf[items[at]!]! * count * (K1 + 1)) / (count + damping)) };
}
