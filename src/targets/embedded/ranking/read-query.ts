import { declinedNames } from "../cards/declined.ts";
import { asksForExplanation } from "../cards/explanations.ts";
import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { conflict, type Sides, sidesOf } from "../words/technologies.ts";
import { type Term, termsOf } from "../words/terms.ts";
import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "./evidence.ts";
import { Sums, WordSums } from "./postings.ts";

// Cards, clauses, terms and grams are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

const [NAME, FOR, NOT_FOR] = [CLAUSE_KINDS.indexOf("name"), CLAUSE_KINDS.indexOf("for"), CLAUSE_KINDS.indexOf("notFor")];

/**
 * Reads queries against an index; `similarities`, one number per card, are a second opinion from a model of meaning.
 * The sums are scratch space: a reading holds until the next query is read.
 */
export function createReader(index: CardIndex): (query: string, similarities?: ArrayLike<number>) => QueryReading {
  const sums = createSums(index);
  const gramScratch = new Uint16Array(GRAM_NUMBERS);
  const best = new BestClauses(index);
  const related = new Int32Array(index.entries.length);

  return (query, similarities) => {
    for (const sum of Object.values(sums)) sum.clear();
    const terms = termsOf(query, index.english);
    const unknown = addTerms(index, sums, terms);
    addGrams(index, sums, terms, gramScratch);
    best.choose(sums.clauses);
    const about = {
      asks: asksForExplanation(query),
      sides: sidesOf(terms.map(({ word }) => word)),
      declines: declinedNames(query),
    };
    return {
      terms,
      unknown,
      cards: relatedCards(sums, similarities, related),
      numbersOf: (card, into) => fillNumbers(into, sums, card, best, similarities),
      evidenceOf(card) {
        const evidence = fillNumbers(noEvidence(card), sums, card, best, similarities);
        return withFlags(evidence, index, sums, best, about);
      },
    };
  };
}

/** A card that shares no word may still mean the same: from this similarity on it counts. */
const LEAST_SIMILARITY = 0.25;

/** Written into `into`, which has room for all. */
function relatedCards(sums: ReaderSums, similarities: ArrayLike<number> | undefined, into: Int32Array): Int32Array {
  const { words, grams } = sums;
  let count = 0;
  for (let at = 0; at < words.count; at++) if (isRelated(sums, words.touched[at]!)) into[count++] = words.touched[at]!;
  for (let at = 0; at < grams.count; at++) {
    const card = grams.touched[at]!;
    if (words.matched[card] === 0 && isRelated(sums, card)) into[count++] = card;
  }
  for (let card = 0; similarities !== undefined && card < similarities.length; card++) {
    if (similarities[card]! > LEAST_SIMILARITY && !isRelated(sums, card)) into[count++] = card;
  }
  return into.subarray(0, count);
}

/** Most cards share some word with a long query. With one common word and few letters in common, a card is as good as unrelated. */
function isRelated({ words, grams }: ReaderSums, card: number): boolean {
  return words.matched[card]! >= 2 || words.bm25[card]! >= 3 || words.coverage[card]! >= 0.15 || grams.values[card]! >= 0.1;
}

type ReaderSums = ReturnType<typeof createSums>;

function createSums(index: CardIndex) {
  const cards = index.entries.length;
  return { words: new WordSums(cards), grams: new Sums(cards), name: new Sums(cards), clauses: new Sums(index.clauses.length) };
}

/** For every card the clause of each kind most like the query, the first of equals; -1 where there is none. */
class BestClauses {
  readonly #index: CardIndex;
  /** Three numbers a card, one for each of `CLAUSE_KINDS`. */
  readonly #best: Int32Array;
  /** The cards that have any, so that forgetting costs no more than choosing did. */
  readonly #cards: number[] = [];

  constructor(index: CardIndex) {
    this.#index = index;
    this.#best = new Int32Array(CLAUSE_KINDS.length * index.entries.length).fill(-1);
  }

  choose({ values, touched, count }: Sums): void {
    const best = this.#best;
    for (const card of this.#cards) best.fill(-1, CLAUSE_KINDS.length * card, CLAUSE_KINDS.length * (card + 1));
    this.#cards.length = 0;
    const { clauseCards, clauseKinds } = this.#index;
    for (let i = 0; i < count; i++) {
      const at = touched[i]!;
      const place = CLAUSE_KINDS.length * clauseCards[at]! + clauseKinds[at]!;
      const before = best[place]!;
      if (before === -1) this.#cards.push(clauseCards[at]!);
      if (before === -1 || values[at]! > values[before]!) best[place] = at;
    }
  }

  of(card: number, kind: number): number {
    return this.#best[CLAUSE_KINDS.length * card + kind]!;
  }
}

/** What the sums say about one card, in numbers. */
function fillNumbers(
  into: CardEvidence,
  { words, grams, name, clauses }: ReaderSums,
  card: number,
  best: BestClauses,
  similarities: ArrayLike<number> | undefined,
): CardEvidence {
  const nameAt = best.of(card, NAME);
  const forAt = best.of(card, FOR);
  into.card = card;
  into.bm25 = words.bm25[card]!;
  into.grams = grams.values[card]!;
  into.clause = Math.max(worth(clauses, nameAt), worth(clauses, forAt));
  into.name = name.values[card]!;
  into.coverage = words.coverage[card]!;
  into.matched = words.matched[card]!;
  into.similarity = similarities === undefined ? 0 : Math.max(0, similarities[card] ?? 0);
  return into;
}

function worth(clauses: Sums, at: number): number {
  return at === -1 ? 0 : clauses.values[at]!;
}

/** And what else there is to say of it. */
function withFlags(
  evidence: CardEvidence,
  index: CardIndex,
  { clauses }: ReaderSums,
  best: BestClauses,
  about: { asks: boolean; sides: Sides; declines(name: string): boolean },
): CardEvidence {
  const { card, clause } = evidence;
  const entry = index.entries[card]!;
  const forAt = best.of(card, FOR);
  const notForAt = best.of(card, NOT_FOR);
  evidence.clauseAt = forAt === -1 ? best.of(card, NAME) : forAt;
  evidence.conflict = about.sides.size > 0 && conflict(about.sides, entry.sides);
  evidence.notForAt = worth(clauses, notForAt) > clause ? notForAt : -1;
  evidence.declined = about.declines(entry.card.name);
  evidence.asks = about.asks && !entry.explains;
  return evidence;
}

/** Adds up what the query's words are worth to each card, and returns how much of the query is on no card. */
function addTerms(index: CardIndex, sums: ReaderSums, terms: readonly Term[]): number {
  const { numbers, idf, idfOf } = index.terms;
  const { starts } = index.cardTerms;
  const known: number[] = [];
  let mass = 0;
  let squares = 0;
  let unknown = 0;
  for (const term of new Set(terms.map(({ term }) => term))) {
    const number = numbers.get(term);
    const own = number === undefined ? idfOf(term) : idf[number]!;
    mass += own;
    squares += own ** 2;
    if (number === undefined || starts[number] === starts[number + 1]) unknown += own;
    if (number !== undefined) known.push(number);
  }
  const length = Math.sqrt(squares);
  for (const number of known) {
    sums.words.add(index.cardTerms, number, idf[number]! / mass);
    sums.name.add(index.nameTerms, number, 1);
    sums.clauses.add(index.clauseTerms, number, idf[number]! / length);
  }
  return mass === 0 ? 0 : unknown / mass;
}

/** Adds up the cosine of query and card by character n-grams. `counts` is scratch space: all zero before and after. */
function addGrams(index: CardIndex, sums: ReaderSums, terms: readonly Term[], counts: Uint16Array): void {
  const found: number[] = [];
  for (const { word } of terms) {
    for (const gram of gramsOf(word)) {
      if (counts[gram] === 0) found.push(gram);
      if (counts[gram]! < 65_535) counts[gram]!++;
    }
  }
  let squares = 0;
  for (const gram of found) squares += ((1 + Math.log(counts[gram]!)) * index.gramIdf[gram]!) ** 2;
  const length = Math.sqrt(squares) || 1;
  for (const gram of found) {
    sums.grams.add(index.cardGrams, gram, ((1 + Math.log(counts[gram]!)) * index.gramIdf[gram]!) / length);
    counts[gram] = 0;
  }
}
