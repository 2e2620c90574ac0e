import { asksForExplanation } from "../cards/explanations.ts";
import { GRAM_NUMBERS, gramsOf } from "../words/character-grams.ts";
import { conflict, type Sides, sidesOf } from "../words/technologies.ts";
import { type Term, termsOf } from "../words/terms.ts";
import type { CardIndex } from "./card-index.ts";
import type { CardEvidence, QueryReading } from "./evidence.ts";
import { Sums } from "./postings.ts";

// Cards, clauses, terms and grams are numbered from 0, and every array here is as long as its numbering.
// In these innermost loops `!` only tells the compiler so.

/** Reads queries against an index. The sums are scratch space, cleared after each query. */
export function createReader(index: CardIndex): (query: string) => QueryReading {
  const sums = createSums(index);
  const gramScratch = new Uint16Array(GRAM_NUMBERS);
  const none = () => new Int32Array(index.entries.length).fill(-1);
  const best = { name: none(), for: none(), notFor: none() };

  return (query) => {
    const terms = termsOf(query, index.english);
    const unknown = addTerms(index, sums, terms);
    addGrams(index, sums, terms, gramScratch);
    for (const at of sums.clauses.touched) {
      const { card, kind } = index.clauses[at]!;
      const before = best[kind][card]!;
      if (before === -1 || sums.clauses.values[at]! > sums.clauses.values[before]!) best[kind][card] = at;
    }

    const about = { asks: asksForExplanation(query), sides: sidesOf(terms.map(({ word }) => word)) };
    const evidence: CardEvidence[] = [];
    const touched = [...sums.matched.touched, ...sums.grams.touched.filter((card) => sums.matched.values[card] === 0)];
    for (const card of touched) {
      if (!related(sums, card)) continue;
      evidence.push(evidenceOf(index, sums, card, best, about));
    }

    for (const at of sums.clauses.touched) best[index.clauses[at]!.kind][index.clauses[at]!.card] = -1;
    for (const sum of Object.values(sums)) sum.clear();
    return { terms, unknown, evidence };
  };
}

/** Most cards share some word with a long query. With one common word and few letters in common, a card is as good as unrelated. */
function related(sums: ReaderSums, card: number): boolean {
  return (
    sums.matched.values[card]! >= 2 ||
    sums.bm25.values[card]! >= 3 ||
    sums.coverage.values[card]! >= 0.15 ||
    sums.grams.values[card]! >= 0.1
  );
}

type ReaderSums = ReturnType<typeof createSums>;

function createSums(index: CardIndex) {
  const cards = index.entries.length;
  return {
    bm25: new Sums(cards),
    coverage: new Sums(cards),
    matched: new Sums(cards),
    grams: new Sums(cards),
    name: new Sums(cards),
    clauses: new Sums(index.clauses.length),
  };
}

/** What the sums say about one card. */
function evidenceOf(
  index: CardIndex,
  sums: ReaderSums,
  card: number,
  best: Record<"name" | "for" | "notFor", Int32Array>,
  about: { asks: boolean; sides: Sides },
): CardEvidence {
  const entry = index.entries[card]!;
  const worth = (at: number) => (at === -1 ? 0 : sums.clauses.values[at]!);
  const [nameAt, forAt, notForAt] = [best.name[card]!, best.for[card]!, best.notFor[card]!];
  const clause = Math.max(worth(nameAt), worth(forAt));
  return {
    card,
    bm25: sums.bm25.values[card]!,
    grams: sums.grams.values[card]!,
    clause,
    clauseAt: forAt === -1 ? nameAt : forAt,
    name: sums.name.values[card]!,
    coverage: sums.coverage.values[card]!,
    matched: sums.matched.values[card]!,
    conflict: about.sides.size > 0 && conflict(about.sides, entry.sides),
    notForAt: worth(notForAt) > clause ? notForAt : -1,
    asks: about.asks && !entry.explains,
    similarity: 0,
  };
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
    sums.bm25.add(index.cardTerms, number, 1);
    sums.coverage.addEach(index.cardTerms, number, idf[number]! / mass);
    sums.matched.addEach(index.cardTerms, number, 1);
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
