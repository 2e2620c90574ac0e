import { remember } from "../../../base/index.ts";
import { declinedNames } from "../cards/declined.ts";
import { asksForExplanation } from "../cards/explanations.ts";
import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { conflict, type Sides, sidesOf } from "../words/technologies.ts";
import { type Term, termsOf } from "../words/terms.ts";
import { type CardIndex, CLAUSE_KINDS } from "./card-index.ts";
import { type CardEvidence, type KnownTerm, noEvidence, type QueryReading } from "./evidence.ts";
import { addWeights, hasDoc, WordSums } from "./postings.ts";
import { QueryClauses } from "./query-clauses.ts";

// Cards, clauses, terms and grams are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

const [NAME, FOR, NOT_FOR] = [CLAUSE_KINDS.indexOf("name"), CLAUSE_KINDS.indexOf("for"), CLAUSE_KINDS.indexOf("notFor")];

/**
 * Reads queries against an index; `similarities`, one number per card, are a second opinion from a model of meaning.
 * The sums are scratch space: a reading holds until the next query is read.
 */
export function createReader(index: CardIndex): (query: string, similarities?: ArrayLike<number>) => QueryReading {
  const sums = createSums(index);
  const gramScratch = createGramScratch();
  const related = new Int32Array(index.entries.length);
  const exclusionOf = createExclusions(index);

  return (query, similarities) => {
    sums.words.clear();
    sums.grams.fill(0);
    sums.name.fill(0);
    const terms = termsOf(query, index.english);
    const known = knownTerms(index, terms);
    const unknown = addTerms(index, sums, terms, known);
    addGrams(index, sums, terms, gramScratch);
    const about = {
      asks: asksForExplanation(query),
      sides: sidesOf(terms.map(({ word }) => word)),
      declines: declinedNames(query),
      terms: known,
      exclusionOf,
    };
    const exact = (card: number, into: CardEvidence) => {
      fillSums(into, sums, card, similarities);
      into.clause = sums.clauses.likest(card);
      return into;
    };
    return {
      known,
      unknown,
      cards: relatedCards(sums, similarities, related),
      numbersOf: exact,
      evidenceOf: (card) => withFlags(exact(card, noEvidence(card)), index, sums.clauses, about),
    };
  };
}

/** A card that shares no word may still mean the same: from this similarity on it counts. */
const LEAST_SIMILARITY = 0.25;

/** Written into `into`, which has room for all. */
function relatedCards(sums: ReaderSums, similarities: ArrayLike<number> | undefined, into: Int32Array): Int32Array {
  let count = 0;
  for (let card = 0; card < into.length; card++) {
    if (isRelated(sums, card) || (similarities !== undefined && similarities[card]! > LEAST_SIMILARITY)) into[count++] = card;
  }
  return into.subarray(0, count);
}

/** Most cards share some word with a long query. With one common word and few letters in common, a card is as good as unrelated. */
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
    clauses: new QueryClauses(index),
  };
}

/** What the sums say about one card. */
function fillSums(into: CardEvidence, { words, grams, name }: ReaderSums, card: number, similarities: ArrayLike<number> | undefined): void {
  into.card = card;
  into.bm25 = words.bm25(card);
  into.grams = grams[card]!;
  into.name = name[card]!;
  into.coverage = words.coverage(card);
  into.matched = words.matched(card);
  into.similarity = similarities === undefined ? 0 : Math.max(0, similarities[card] ?? 0);
}

/** What a query says of itself. */
interface AboutQuery {
  asks: boolean;
  sides: Sides;
  declines(name: string): boolean;
  terms: readonly KnownTerm[];
  /** See `createExclusions`. */
  exclusionOf(clause: number): ReadonlySet<number>;
}

/** And what else there is to say of it. */
function withFlags(evidence: CardEvidence, index: CardIndex, clauses: QueryClauses, about: AboutQuery): CardEvidence {
  const { card, clause } = evidence;
  const entry = index.entries[card]!;
  const { at, cosines } = clauses.of(card);
  evidence.clauseAt = at[FOR] === -1 ? at[NAME]! : at[FOR]!;
  evidence.conflict = about.sides.size > 0 && conflict(about.sides, entry.sides);
  evidence.notForAt = cosines[NOT_FOR]! > clause && isAboutExclusion(about, at[NOT_FOR]!) ? at[NOT_FOR]! : -1;
  evidence.declined = about.declines(entry.card.name);
  evidence.asks = about.asks && !entry.explains;
  return evidence;
}

/** "Not for changing an order" is about changing, not about orders: a query must have a word of the clause that the rest of the card does not have. */
function isAboutExclusion({ terms, exclusionOf }: AboutQuery, clause: number): boolean {
  const own = exclusionOf(clause);
  return own.size > 0 && terms.some(({ number }) => own.has(number));
}

/** The terms of a clause on what a skill is not for that the rest of its card does not have; worked out when a query first comes near it. */
function createExclusions({ clauses, english, terms, cardTerms: { starts, docs } }: CardIndex): AboutQuery["exclusionOf"] {
  const known = new Map<number, ReadonlySet<number>>();
  return (clause) => {
    const made = known.get(clause);
    if (made !== undefined) return made;
    const { card, text } = clauses[clause]!;
    const numbers = termsOf(text, english).flatMap(({ term }) => terms.numbers.get(term) ?? []);
    const own = new Set(numbers.filter((number) => !hasDoc(docs, starts[number]!, starts[number + 1]!, card)));
    known.set(clause, own);
    return own;
  };
}

/** The terms of a query that the library has, each once. */
function knownTerms({ terms: { numbers } }: CardIndex, terms: readonly Term[]): KnownTerm[] {
  const known = new Map<number, string>();
  for (const { word, term } of terms) {
    const number = numbers.get(term);
    if (number !== undefined && !known.has(number)) known.set(number, word);
  }
  return Array.from(known, ([number, word]) => ({ number, word }));
}

/** Adds up what the query's words are worth to each card, and returns how much of the query is on no card. */
function addTerms(index: CardIndex, sums: ReaderSums, terms: readonly Term[], known: readonly KnownTerm[]): number {
  const { numbers, idf, idfOf } = index.terms;
  const { starts } = index.cardTerms;
  let mass = 0;
  let squares = 0;
  let unknown = 0;
  for (const term of new Set(terms.map(({ term }) => term))) {
    const number = numbers.get(term);
    const own = number === undefined ? idfOf(term) : idf[number]!;
    mass += own;
    squares += own ** 2;
    if (number === undefined || starts[number] === starts[number + 1]) unknown += own;
  }
  sums.clauses.take(known, Math.sqrt(squares));
  for (const { number } of known) {
    sums.words.add(index.cardTerms, number, idf[number]! / mass);
    addWeights(sums.name, index.nameTerms, number, 1);
  }
  return mass === 0 ? 0 : unknown / mass;
}

/** Room for the grams of a query, kept from one to the next. */
interface GramScratch {
  /** By gram; all zero before and after. */
  counts: Uint16Array;
  found: Int32Array;
  sides: Float64Array;
}

function createGramScratch(): GramScratch {
  return { counts: new Uint16Array(GRAM_NUMBERS), found: new Int32Array(GRAM_NUMBERS), sides: new Float64Array(GRAM_NUMBERS) };
}

/** Queries have many words in common. */
const gramsIn = remember(gramsOf, 20_000);

/** Adds up the cosine of query and card by character n-grams. */
function addGrams(index: CardIndex, sums: ReaderSums, terms: readonly Term[], { counts, found, sides }: GramScratch): void {
  let many = 0;
  for (const { word } of terms) {
    for (const gram of gramsIn(word)) {
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
