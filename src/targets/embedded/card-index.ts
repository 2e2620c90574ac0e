import type { Card } from "../../skills/index.ts";
import type { Background } from "./background.ts";
import { clausesOf } from "./clauses.ts";
import { type Postings, postingsOf } from "./postings.ts";
import { type Sides, sidesOf } from "./technologies.ts";
import { gramsOf, termsOf } from "./terms.ts";
import { looksEnglish, words } from "./text.ts";

/** What the router knows of a library, laid out so that a query touches only the cards it shares something with. */
export interface CardIndex {
  /** One per card. */
  entries: Entry[];
  english: boolean;
  terms: Vocabulary;
  grams: Vocabulary;
  /** Weights are parts of a cosine: the document's side, already divided by its length. */
  cardTerms: Postings;
  cardGrams: Postings;
  clauseTerms: Postings;
  nameTerms: Postings;
  /** BM25's document side. */
  bm25: Postings;
  /** Which card a clause belongs to, and its text. */
  clauses: { card: number; text: string }[];
}

export interface Entry {
  id: string;
  card: Card;
  /** The clauses that say what the skill is for, and what it is not for. */
  positive: string[];
  negative: string[];
  sides: Sides;
}

export interface Vocabulary {
  ids: Map<string, number>;
  /** By id: how rare it is, in the library and the background together. */
  idf: Float64Array;
  /** Of something the library does not have. */
  idfOf(text: string): number;
}

const K1 = 1.2;
const B = 0.75;

export function indexCards(cards: readonly { id: string; card: Card }[], background: Background): CardIndex {
  const entries = cards.map(({ id, card }) => entryOf(id, card));
  const english = looksEnglish(entries.flatMap((entry) => words(entry.positive.join(" "))));

  const named = entries.map((entry) => termsOf(entry.card.name, english));
  const clauses = entries.flatMap((entry, card) => [entry.card.name, ...entry.positive].map((text) => ({ card, text })));
  const clauseTerms = clauses.map(({ text }) => termsOf(text, english));
  const whole: { word: string; term: string }[][] = entries.map(() => []);
  clauses.forEach(({ card }, at) => {
    for (const term of clauseTerms[at]!) whole[card]!.push(term);
  });

  const wordCounts = whole.map((terms) => counted(terms.map(({ term }) => term)));
  const gramCounts = whole.map((terms) => counted(terms.flatMap(({ word }) => gramsOf(word))));
  const terms = vocabulary(wordCounts, background);
  const grams = vocabulary(gramCounts, gramBackground(background));

  const averageLength = whole.reduce((sum, { length }) => sum + length, 0) / Math.max(1, whole.length);
  const distinct = (list: { term: string }[]) => new Map(list.map(({ term }): [string, number] => [term, 1]));
  return {
    entries,
    english,
    terms,
    grams,
    cardTerms: postingsOf(
      wordCounts.map((counts) => cosineSide(counts, terms)),
      terms.ids.size,
    ),
    cardGrams: postingsOf(
      gramCounts.map((counts) => cosineSide(counts, grams)),
      grams.ids.size,
    ),
    clauseTerms: postingsOf(
      clauseTerms.map((list) => cosineSide(distinct(list), terms)),
      terms.ids.size,
    ),
    nameTerms: postingsOf(
      named.map((list) => share(distinct(list), terms)),
      terms.ids.size,
    ),
    bm25: postingsOf(
      wordCounts.map((counts, card) => bm25Side(counts, terms, whole[card]!.length / averageLength)),
      terms.ids.size,
    ),
    clauses,
  };
}

function entryOf(id: string, card: Card): Entry {
  const { positive, negative } = clausesOf([card.description, card.whenToUse ?? ""].join("\n\n"));
  const wanted = [...positive, ...card.triggers];
  return { id, card, positive: wanted, negative: [...negative, ...card.notFor], sides: sidesOf(words([card.name, ...wanted].join(" "))) };
}

function counted(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function vocabulary(documents: readonly ReadonlyMap<string, number>[], background: Background): Vocabulary {
  const found = new Map<string, number>();
  for (const document of documents) for (const item of document.keys()) found.set(item, (found.get(item) ?? 0) + 1);
  const total = documents.length + background.cards;
  const rarity = (count: number) => Math.log(1 + (total - count + 0.5) / (count + 0.5));

  const ids = new Map<string, number>();
  const idf = new Float64Array(found.size);
  for (const [item, count] of found) {
    idf[ids.size] = rarity(count + (background.counts.get(item) ?? 0));
    ids.set(item, ids.size);
  }
  return { ids, idf, idfOf: (text) => rarity(background.counts.get(text) ?? 0) };
}

/** Grams have no table of their own: a gram is at least as common as the words it is part of. */
function gramBackground({ cards, counts }: Background): Background {
  const grams = new Map<string, number>();
  for (const [term, count] of counts) {
    for (const gram of new Set(gramsOf(term))) grams.set(gram, Math.min(cards, (grams.get(gram) ?? 0) + count));
  }
  return { cards, counts: grams };
}

function cosineSide(counts: ReadonlyMap<string, number>, { ids, idf }: Vocabulary): Map<number, number> {
  const weights = new Map<number, number>();
  let squares = 0;
  for (const [item, count] of counts) {
    const id = ids.get(item)!;
    const weight = (1 + Math.log(count)) * idf[id]!;
    weights.set(id, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares) || 1;
  for (const [id, weight] of weights) weights.set(id, weight / length);
  return weights;
}

/** Each item's part of the whole, by rarity. */
function share(counts: ReadonlyMap<string, number>, { ids, idf }: Vocabulary): Map<number, number> {
  const total = [...counts.keys()].reduce((sum, item) => sum + idf[ids.get(item)!]!, 0) || 1;
  return new Map([...counts.keys()].map((item) => [ids.get(item)!, idf[ids.get(item)!]! / total]));
}

function bm25Side(counts: ReadonlyMap<string, number>, { ids, idf }: Vocabulary, relativeLength: number): Map<number, number> {
  const damping = K1 * (1 - B + B * relativeLength);
  return new Map([...counts].map(([item, count]) => [ids.get(item)!, (idf[ids.get(item)!]! * count * (K1 + 1)) / (count + damping)]));
}
