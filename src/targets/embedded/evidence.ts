import type { CardIndex } from "./card-index.ts";
import { Sums } from "./postings.ts";
import { conflict, sidesOf } from "./technologies.ts";
import { gramsOf, type Term, termsOf } from "./terms.ts";

/** What speaks for one card, as numbers. All are 0 when nothing is shared, and most are at most 1. */
export interface Evidence {
  /** Position of the card in the library. */
  card: number;
  bm25: number;
  /** Cosine of query and card, by words. */
  words: number;
  /** The same by character n-grams. */
  grams: number;
  /** Cosine of the query and the clause that is most like it. */
  clause: number;
  /** Position of that clause in the index; -1 when no word is shared. */
  clauseAt: number;
  /** How much of the skill's name the query has, by rarity. */
  name: number;
  /** How much of the query the card has, by rarity. */
  coverage: number;
  /** How many different words are shared. */
  matched: number;
  /** The query names a technology that stands against the card's. */
  conflict: boolean;
}

export function noEvidence(card: number): Evidence {
  return { card, bm25: 0, words: 0, grams: 0, clause: 0, clauseAt: -1, name: 0, coverage: 0, matched: 0, conflict: false };
}

export interface Reading {
  terms: Term[];
  evidence: Evidence[];
}

/** A card that shares no word, and less than this of its letters, is as good as unrelated. */
const FEWEST_GRAMS = 0.1;

/** Reads queries against an index. Its sums are scratch space, reused from query to query. */
export function createReader(index: CardIndex): (query: string) => Reading {
  const cards = index.entries.length;
  const sums = {
    bm25: new Sums(cards),
    words: new Sums(cards),
    grams: new Sums(cards),
    clauses: new Sums(index.clauses.length),
    name: new Sums(cards),
    coverage: new Sums(cards),
    matched: new Sums(cards),
  };
  const bestClause = new Int32Array(cards).fill(-1);

  return (query) => {
    const terms = termsOf(query, index.english);
    addTerms(index, sums, terms);
    addGrams(index, sums, terms);
    for (const at of sums.clauses.touched) {
      const { card } = index.clauses[at]!;
      if (bestClause[card] === -1 || sums.clauses.values[at]! > sums.clauses.values[bestClause[card]!]!) bestClause[card] = at;
    }
    const sides = sidesOf(terms.map(({ word }) => word));
    const evidence: Evidence[] = [];
    for (const card of sums.grams.touched) {
      if (sums.matched.values[card] === 0 && sums.grams.values[card]! < FEWEST_GRAMS) continue;
      const clauseAt = bestClause[card]!;
      evidence.push({
        card,
        bm25: sums.bm25.values[card]!,
        words: sums.words.values[card]!,
        grams: sums.grams.values[card]!,
        clause: clauseAt === -1 ? 0 : sums.clauses.values[clauseAt]!,
        clauseAt,
        name: sums.name.values[card]!,
        coverage: sums.coverage.values[card]!,
        matched: sums.matched.values[card]!,
        conflict: sides.size > 0 && conflict(sides, index.entries[card]!.sides),
      });
    }
    for (const card of sums.grams.touched) bestClause[card] = -1;
    for (const sum of Object.values(sums)) sum.clear();
    return { terms, evidence };
  };
}

type ReaderSums = Record<"bm25" | "words" | "grams" | "clauses" | "name" | "coverage" | "matched", Sums>;

function addTerms(index: CardIndex, sums: ReaderSums, terms: readonly Term[]): void {
  const counts = new Map<string, number>();
  for (const { term } of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  let mass = 0;
  let squares = 0;
  let clauseSquares = 0;
  for (const [term, count] of counts) {
    const id = index.terms.ids.get(term);
    const idf = id === undefined ? index.terms.idfOf(term) : index.terms.idf[id]!;
    mass += idf;
    squares += ((1 + Math.log(count)) * idf) ** 2;
    clauseSquares += idf ** 2;
  }
  for (const [term, count] of counts) {
    const id = index.terms.ids.get(term);
    if (id === undefined) continue;
    const idf = index.terms.idf[id]!;
    sums.bm25.add(index.bm25, id, 1);
    sums.words.add(index.cardTerms, id, ((1 + Math.log(count)) * idf) / Math.sqrt(squares));
    sums.clauses.add(index.clauseTerms, id, idf / Math.sqrt(clauseSquares));
    sums.name.add(index.nameTerms, id, 1);
    const { starts, docs } = index.cardTerms;
    for (let at = starts[id]!; at < starts[id + 1]!; at++) {
      sums.coverage.addTo(docs[at]!, idf / mass);
      sums.grams.addTo(docs[at]!, 0);
      sums.matched.addTo(docs[at]!, 1);
    }
  }
}

function addGrams(index: CardIndex, sums: ReaderSums, terms: readonly Term[]): void {
  const counts = new Map<string, number>();
  for (const { word } of terms) for (const gram of gramsOf(word)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const known: { id: number; weight: number }[] = [];
  let squares = 0;
  for (const [gram, count] of counts) {
    const id = index.grams.ids.get(gram);
    const weight = (1 + Math.log(count)) * (id === undefined ? index.grams.idfOf(gram) : index.grams.idf[id]!);
    squares += weight * weight;
    if (id !== undefined) known.push({ id, weight });
  }
  for (const { id, weight } of known) sums.grams.add(index.cardGrams, id, weight / Math.sqrt(squares));
}
