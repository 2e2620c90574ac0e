import { asksForExplanation, declinedNames } from "../clauses/prompt-intent.ts";
import { GRAM_NUMBERS } from "../words/character-grams.ts";
import { conflict, type Sides, sidesOf } from "../words/technologies.ts";
import type { CardIndex } from "./card-index.ts";
import { type CardEvidence, type KnownTerm, noEvidence, type QueryReading } from "./evidence.ts";
import { addWeights, clearSums, WordSums } from "./postings.ts";
import { QueryClauses } from "./query-clauses.ts";
import { createQueryWords, type QueryWord } from "./query-words.ts";

// Cards, clauses, terms and grams are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/**
 * Reads queries against an index; `similarities`, one number per card, come from an embedding model. The sums are
 * scratch space, so a reading is valid only until the next query.
 */
export function createReader(index: CardIndex): (query: string, similarities?: ArrayLike<number>) => QueryReading {
  const sums = createSums(index);
  const gramScratch = createGramScratch();
  const related = new Int32Array(index.entries.length);
  const wordsOf = createQueryWords(index);
  const weigh = createWeighing(index);
  let known: readonly KnownTerm[] = [];

  return (query, similarities) => {
    for (const { number } of known) {
      sums.words.clear(index.cardTerms, number);
      clearSums(sums.name, index.nameTerms, number);
      clearSums(sums.excluded, index.excludedTerms, number);
    }
    const words = wordsOf(query);
    const weighed = weigh(words);
    known = weighed.known;
    addTerms(index, sums, weighed);
    addGrams(index, sums, words, gramScratch);
    const about = {
      asks: asksForExplanation(query),
      sides: words.some(({ hasSide }) => hasSide) ? sidesOf(words.map(({ word }) => word)) : NO_SIDES,
      declines: declinedNames(query),
    };
    const most = clauseBound(weighed);
    return {
      known: weighed.known,
      unknown: weighed.mass === 0 ? 0 : weighed.unknown / weighed.mass,
      cards: relatedCards(sums, similarities, related),
      mostOf(card, into) {
        fillSums(into, sums, card, similarities);
        into.clause = Math.min(MOST_CLAUSE, most * Math.sqrt(into.coverage));
        return into;
      },
      numbersOf(card, into) {
        fillSums(into, sums, card, similarities);
        into.clause = sums.clauses.likest(card);
        return into;
      },
      evidenceOf(card) {
        const evidence = noEvidence(card);
        fillSums(evidence, sums, card, similarities);
        return withClauses(evidence, index, sums, about);
      },
    };
  };
}

const NO_SIDES: Sides = new Map();

/** From this similarity on, a card counts even if it shares no word. */
const LEAST_SIMILARITY = 0.25;

function relatedCards(sums: ReaderSums, similarities: ArrayLike<number> | undefined, into: Int32Array): Int32Array {
  let count = 0;
  for (let card = 0; card < into.length; card++) {
    if (isRelated(sums, card) || (similarities !== undefined && similarities[card]! > LEAST_SIMILARITY))
      into[count++] = card;
  }
  return into.subarray(0, count);
}

/** Most cards share some word with a long query; one common word and few shared grams do not count. */
function isRelated({ words, grams }: ReaderSums, card: number): boolean {
  return words.matched(card) >= 2 || words.bm25(card) >= 3 || words.coverage(card) >= 0.15 || grams[card]! >= 0.1;
}

type ReaderSums = ReturnType<typeof createSums>;

function createSums(index: CardIndex) {
  const cards = index.entries.length;
  return {
    words: new WordSums(cards),
    grams: new Float64Array(cards),
    name: new Float64Array(cards),
    excluded: new Float64Array(cards),
    clauses: new QueryClauses(index),
  };
}

function fillSums(
  into: CardEvidence,
  { words, grams, name }: ReaderSums,
  card: number,
  similarities: ArrayLike<number> | undefined,
): void {
  into.card = card;
  into.bm25 = words.bm25(card);
  into.grams = grams[card]!;
  into.name = name[card]!;
  into.coverage = words.coverage(card);
  into.matched = words.matched(card);
  into.similarity = similarities === undefined ? 0 : Math.max(0, similarities[card] ?? 0);
}

interface AboutQuery {
  asks: boolean;
  sides: Sides;
  declines(name: string): boolean;
}

function withClauses(
  evidence: CardEvidence,
  index: CardIndex,
  { clauses, excluded }: ReaderSums,
  about: AboutQuery,
): CardEvidence {
  const entry = index.entries[evidence.card]!;
  const best = clauses.of(evidence.card);
  evidence.clause = Math.max(best.nameCosine, best.forCosine);
  evidence.clauseAt = best.for === -1 ? best.name : best.for;
  evidence.conflict = about.sides.size > 0 && conflict(about.sides, entry.sides);
  evidence.excluded = Math.min(1, excluded[evidence.card]! / evidence.coverage || 0);
  evidence.notFor = evidence.excluded > 0 && (best.notForCosine > evidence.clause || evidence.excluded >= EXCLUDED);
  evidence.notForAt = best.notFor;
  evidence.declined = about.declines(entry.card.name);
  evidence.asks = about.asks && !entry.explains;
  return evidence;
}

/** From this share on, a query is about what the skill is not for: of 43 such labels, 10 are positives. */
const EXCLUDED = 0.5;

/** A query's distinct terms. */
interface WeighedQuery {
  /** Terms that the library has, in query order. */
  known: KnownTerm[];
  /** Sum of the rarities of all terms; `unknown` sums those on no card, and `rarest` is their maximum. */
  mass: number;
  unknown: number;
  rarest: number;
  length: number;
}

function createWeighing({ terms: { idf } }: CardIndex): (words: readonly QueryWord[]) => WeighedQuery {
  /** By term: the last query that had it. */
  const seen = new Int32Array(idf.length);
  let query = 0;
  return (words) => {
    query = query === 2_147_483_647 ? 1 : query + 1;
    const known: KnownTerm[] = [];
    const others = new Set<string>();
    let [mass, squares, unknown, rarest] = [0, 0, 0, 0];
    for (const { word, term, number, idf: own, onNoCard } of words) {
      if (number === -1) {
        if (others.has(term)) continue;
        others.add(term);
      } else {
        if (seen[number] === query) continue;
        seen[number] = query;
        known.push({ number, word });
      }
      mass += own;
      squares += own ** 2;
      if (onNoCard) unknown += own;
      if (own > rarest) rarest = own;
    }
    return { known, mass, unknown, rarest, length: Math.sqrt(squares) };
  };
}

/**
 * Times the root of the card's coverage, this bounds the cosine with a clause: shared terms are on the card, no vector
 * is longer than 1, and the squares of rarities sum to at most the greatest rarity times their sum.
 */
function clauseBound({ mass, rarest, length }: WeighedQuery): number {
  return length === 0 ? 0 : (Math.sqrt(rarest * mass) / length) * MOST_CLAUSE;
}

/** A little more than the largest cosine, since weights are 32-bit floats. */
const MOST_CLAUSE = 1.00001;

function addTerms(index: CardIndex, sums: ReaderSums, { known, mass, length }: WeighedQuery): void {
  const { idf } = index.terms;
  sums.clauses.take(known, length);
  for (const { number } of known) {
    sums.words.add(index.cardTerms, number, idf[number]! / mass);
    addWeights(sums.name, index.nameTerms, number, 1);
    addWeights(sums.excluded, index.excludedTerms, number, idf[number]! / mass);
  }
}

/** Scratch space for the grams of a query. */
interface GramScratch {
  /** Keyed by gram; all zero before and after use. */
  counts: Uint16Array;
  found: Int32Array;
  sides: Float64Array;
}

function createGramScratch(): GramScratch {
  return {
    counts: new Uint16Array(GRAM_NUMBERS),
    found: new Int32Array(GRAM_NUMBERS),
    sides: new Float64Array(GRAM_NUMBERS),
  };
}

/** Sums the cosines of query and cards by character n-grams. */
function addGrams(
  index: CardIndex,
  sums: ReaderSums,
  words: readonly QueryWord[],
  { counts, found, sides }: GramScratch,
): void {
  sums.grams.fill(0);
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
    const side = (1 + Math.log(counts[gram]!)) * index.gramIdf[gram]!;
    sides[at] = side;
    squares += side ** 2;
    counts[gram] = 0;
  }
  const length = Math.sqrt(squares) || 1;
  for (let at = 0; at < many; at++) addWeights(sums.grams, index.cardGrams, found[at]!, sides[at]! / length);
}
