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

/** A skill as the router sees it. */
export interface RouterCard {
  id: string;
  card: Card;
  /** False when no model may activate it on its own, only a command in the prompt. Defaults to true. */
  modelInvocable?: boolean;
}

/** What the router knows of a library, laid out so that a query touches only the cards it shares something with. */
export interface CardIndex {
  /** One per card. */
  entries: IndexedCard[];
  /** The cards are in English: words are matched by their stems. */
  english: boolean;
  terms: Vocabulary;
  /** How rare each gram is, by its number. */
  gramIdf: Float32Array;
  /** What a term adds to a card's BM25. */
  cardTerms: Postings;
  /** What a gram adds to the cosine with a card: the card's side of it. */
  cardGrams: Postings;
  /** What a term adds to the cosine with a clause: the clause's side of it. */
  clauseTerms: Postings;
  /** A term's share of a skill's name. */
  nameTerms: Postings;
  /** The terms that a card has only where it says what the skill is not for. */
  excludedTerms: Postings;
  clauses: IndexedClause[];
  /** The clauses of card c are [cardClauses[c], cardClauses[c + 1]). */
  cardClauses: Int32Array;
  /** By clause: its kind, as a position in `CLAUSE_KINDS`. */
  clauseKinds: Uint8Array;
}

export const CLAUSE_KINDS = ["name", "for", "notFor"] as const;

/** One card of the library. */
interface IndexedCard {
  id: string;
  card: Card;
  /** The clauses that say what the skill is for, and what it is not for. */
  positive: string[];
  negative: string[];
  /** The technologies it is about. */
  sides: Sides;
  /** It promises explanations. */
  explains: boolean;
}

interface IndexedClause {
  card: number;
  text: string;
  /** The skill's name, what it is for, or what it is not for. */
  kind: (typeof CLAUSE_KINDS)[number];
}

/** The index of a library's cards. Other libraries' word frequencies help to tell rare words from common ones. */
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

/** The same of a card that is in an index. */
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

/** The name of a card and its clauses, each with its words. */
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
    // What is worth nothing is left out: it would only cost time.
    if (!(weight > 0)) continue;
    squares += weight * weight;
    kept.items[many] = items[at]!;
    kept.values[many++] = weight;
  }
  const length = Math.sqrt(squares);
  for (let at = 0; at < many; at++) kept.values[at]! /= length;
  return { items: kept.items.subarray(0, many), values: kept.values.subarray(0, many) };
}

/** Each item's share of the whole, weighted by rarity. */
function shares({ items }: Sparse, idf: ArrayLike<number>): Sparse {
  let total = 0;
  for (const item of items) total += idf[item]!;
  return { items, values: Float64Array.from(items, (item) => idf[item]! / total) };
}

const K1 = 1.2;
const B = 0.75;

/** What each item of a document adds to its BM25 (Robertson and Zaragoza, 2009). */
function bm25Side({ items, values }: Sparse, idf: ArrayLike<number>, relativeLength: number): Sparse {
  const damping = K1 * (1 - B + B * relativeLength);
  return { items, values: values.map((count, at) => (idf[items[at]!]! * count * (K1 + 1)) / (count + damping)) };
}
