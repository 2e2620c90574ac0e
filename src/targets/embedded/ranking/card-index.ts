import type { Card } from "../../../skills/index.ts";
import { clausesOf } from "../cards/clauses.ts";
import { explains } from "../cards/explanations.ts";
import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { gramRarities, type Vocabulary, vocabularyOf } from "../words/rarity.ts";
import { type Sides, sidesOf } from "../words/technologies.ts";
import { type Term, termsOf } from "../words/terms.ts";
import type { Background } from "../words/word-frequencies.ts";
import { looksEnglish, words } from "../words/words.ts";
import { type Postings, postingsOf } from "./postings.ts";

/** What the router knows of a library, laid out so that a query touches only the cards it shares something with. */
export interface CardIndex {
  /** One per card. */
  entries: Entry[];
  english: boolean;
  terms: Vocabulary;
  /** How rare each gram is, by its number. */
  gramIdf: Float32Array;
  /** What a term adds to a card's BM25. */
  cardTerms: Postings;
  /** What a gram adds to the cosine with a card, and a term to the cosine with a clause: the document's side of it. */
  cardGrams: Postings;
  clauseTerms: Postings;
  /** A term's part of a skill's name. */
  nameTerms: Postings;
  clauses: IndexedClause[];
}

interface Entry {
  id: string;
  card: Card;
  /** The clauses that say what the skill is for, and what it is not for. */
  positive: string[];
  negative: string[];
  sides: Sides;
  explains: boolean;
}

interface IndexedClause {
  card: number;
  text: string;
  /** The skill's name, a clause on what it is for, or one on what it is not for. */
  kind: "name" | "for" | "notFor";
}

export function indexCards(cards: readonly { id: string; card: Card }[], background: Background): CardIndex {
  const entries = cards.map(({ id, card }) => entryOf(id, card));
  const english = looksEnglish(entries.flatMap((entry) => words(entry.positive.join(" "))));
  const clauses = entries.flatMap((entry, card) => [
    { card, text: entry.card.name, kind: "name" as const },
    ...entry.positive.map((text) => ({ card, text, kind: "for" as const })),
    ...entry.negative.map((text) => ({ card, text, kind: "notFor" as const })),
  ]);
  const clauseTerms = clauses.map(({ text }) => termsOf(text, english));
  const attracting: Term[][] = entries.map(() => []);
  clauses.forEach(({ card, kind }, at) => {
    if (kind !== "notFor") attracting[card]!.push(...clauseTerms[at]!);
  });

  const termCounts = attracting.map((list) => counted(list.map(({ term }) => term)));
  const gramCounts = attracting.map((list) => counted(list.flatMap(({ word }) => gramsOf(word))));
  const terms = vocabularyOf(termCounts, background, new Set(clauseTerms.flat().map(({ term }) => term)));
  const gramIdf = gramRarities(gramCounts, background);
  const numbered = (list: Iterable<string>) => counted([...list].map((term) => terms.numbers.get(term)!));
  const named = ({ card }: Entry) => new Set(termsOf(card.name, english).map(({ term }) => term));
  const averageLength = attracting.reduce((sum, { length }) => sum + length, 0) / Math.max(1, attracting.length);
  const bm25 = attracting.map((list) => bm25Side(numbered(list.map(({ term }) => term)), terms.idf, list.length / averageLength));
  const clauseSides = clauseTerms.map((list) => cosineSide(numbered(new Set(list.map(({ term }) => term))), terms.idf));
  const nameSides = entries.map((entry) => shares(numbered(named(entry)), terms.idf));
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
    clauseTerms: postingsOf(clauseSides, terms.idf.length),
    nameTerms: postingsOf(nameSides, terms.idf.length),
    clauses,
  };
}

/** The part of a card that attracts, as one text. */
export function attractingText(card: Card): string {
  return [card.name, ...entryOf("", card).positive].join("; ");
}

function entryOf(id: string, card: Card): Entry {
  const { positive: described, negative } = clausesOf([card.description, card.whenToUse ?? ""].join("\n\n"));
  const positive = [...described, ...card.triggers];
  const text = [card.name, ...positive].join(" ");
  return { id, card, positive, negative: [...negative, ...card.notFor], sides: sidesOf(words(text)), explains: explains(text) };
}

function counted<T>(list: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function cosineSide(counts: ReadonlyMap<number, number>, idf: ArrayLike<number>): Map<number, number> {
  const weights = new Map<number, number>();
  let squares = 0;
  for (const [item, count] of counts) {
    const weight = (1 + Math.log(count)) * idf[item]!;
    if (weight > 0) weights.set(item, weight);
    squares += weight * weight;
  }
  const length = Math.sqrt(squares);
  for (const [item, weight] of weights) weights.set(item, weight / length);
  return weights;
}

/** Each item's part of the whole, by rarity. */
function shares(counts: ReadonlyMap<number, number>, idf: ArrayLike<number>): Map<number, number> {
  let total = 0;
  for (const item of counts.keys()) total += idf[item]!;
  return new Map([...counts.keys()].map((item) => [item, idf[item]! / total]));
}

const K1 = 1.2;
const B = 0.75;

function bm25Side(counts: ReadonlyMap<number, number>, idf: ArrayLike<number>, relativeLength: number): Map<number, number> {
  const damping = K1 * (1 - B + B * relativeLength);
  return new Map([...counts].map(([item, count]) => [item, (idf[item]! * count * (K1 + 1)) / (count + damping)]));
}
