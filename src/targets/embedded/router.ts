import type { Ranked } from "../../transcripts/index.ts";
import { PARAMETERS, type Parameters, UNCERTAIN_BELOW } from "./firing/parameters.ts";
import { type Candidate, createScorer, type RouterCard, rounded } from "./firing/score-cards.ts";
import { type CardIndex, indexCards } from "./ranking/card-index.ts";
import { createReader, type Reading, withSimilarities } from "./ranking/evidence.ts";
import { type Background, shippedBackground } from "./words/word-frequencies.ts";

export interface RoutedSkill extends Ranked {
  /** The clause of its card that is most like the query, in the author's words. */
  clause?: string;
  /** What its card says it is not for, where the query is more like that than like the rest of the card. */
  notFor?: string;
  /** How far its score is from the best other skill's: positive for the winner, negative for the rest. */
  margin: number;
}

export interface Routing {
  /** Best first. Skills that share next to nothing with the query are left out: they are silent. */
  ranking: RoutedSkill[];
  /** The score a skill needs to fire. */
  needs: number;
}

export interface Router {
  needs: number;
  /** Who would get this query, and why. `similarities`, one number per card, are a second opinion from a model of meaning. */
  route(query: string, similarities?: ArrayLike<number>): Routing;
  /** The score of every skill that has one, best first, without the reasons. */
  scores(query: string, similarities?: ArrayLike<number>): { skill: string; score: number }[];
}

export interface RouterOptions {
  /** Other parameters than the shipped ones: for calibration and benchmarks. */
  parameters?: Parameters;
  background?: Background;
  /** The score a skill needs to fire on this query, where that depends on the query (calibration). */
  needsFor?(query: string): number;
  /** Explain at most so many skills; those that fire are always explained. */
  most?: number;
}

/** A router over a library's cards: offline, deterministic, and as fast as the words a query shares with the cards. */
export function createRouter(cards: readonly RouterCard[], options: RouterOptions = {}): Router {
  const { parameters = PARAMETERS, background = shippedBackground(), most = 10 } = options;
  const index = indexCards(cards, background);
  const read = createReader(index);
  const score = createScorer(cards, parameters);
  const candidatesOf = (query: string, similarities: ArrayLike<number> | undefined) => {
    const reading = similarities === undefined ? read(query) : withSimilarities(read(query), similarities);
    return { reading, candidates: score(query, reading) };
  };
  return {
    needs: parameters.needs,
    route(query, similarities) {
      const { reading, candidates } = candidatesOf(query, similarities);
      const needs = options.needsFor?.(query) ?? parameters.needs;
      const ranking = candidates
        .filter(({ score }, at) => at < most || score >= needs)
        .map((candidate) => explain(index, reading, candidate, candidates, needs));
      return { ranking, needs };
    },
    scores(query, similarities) {
      const { candidates } = candidatesOf(query, similarities);
      return candidates.map(({ evidence, score }) => ({ skill: cards[evidence.card]!.id, score }));
    },
  };
}

function explain(index: CardIndex, reading: Reading, candidate: Candidate, all: readonly Candidate[], needs: number): RoutedSkill {
  const { evidence, score } = candidate;
  const rival = all[0] === candidate ? all[1] : all[0];
  const clause = index.clauses[evidence.clauseAt]?.text;
  const notFor = index.clauses[evidence.notForAt]?.text;
  return {
    skill: index.entries[evidence.card]!.id,
    score,
    probability: score,
    verdict: score >= needs ? "fires" : score >= needs - UNCERTAIN_BELOW ? "uncertain" : "silent",
    words: sharedWords(index, reading, evidence.card),
    ...(clause === undefined ? {} : { clause }),
    ...(notFor === undefined ? {} : { notFor }),
    margin: rounded(score - (rival?.score ?? 0)),
  };
}

/** The query's words that are in the card, the rarest first. */
function sharedWords(index: CardIndex, { terms }: Reading, card: number): string[] {
  const { starts, docs } = index.cardTerms;
  const shared = new Map<string, { word: string; idf: number }>();
  for (const { word, term } of terms) {
    const id = index.terms.numbers.get(term);
    if (id === undefined || shared.has(term)) continue;
    if (docs.subarray(starts[id]!, starts[id + 1]!).includes(card)) shared.set(term, { word, idf: index.terms.idf[id]! });
  }
  return [...shared.values()].sort((a, b) => b.idf - a.idf).map(({ word }) => word);
}
