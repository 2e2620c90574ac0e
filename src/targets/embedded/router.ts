import type { Card } from "../../skills/index.ts";
import type { Ranked } from "../../transcripts/index.ts";
import { type Background, shippedBackground } from "./background.ts";
import { type CardIndex, indexCards } from "./card-index.ts";
import { createReader, type Evidence, noEvidence, type Reading } from "./evidence.ts";
import { invokedName } from "./invoked.ts";
import { PARAMETERS, type Parameters, UNCERTAIN_BELOW } from "./parameters.ts";
import { probabilityOf, strengthOf } from "./strength.ts";

export interface RoutedSkill extends Ranked {
  /** The clause of its card that is most like the query, in the author's words. */
  clause?: string;
  /** How far its score is from the best other skill's: positive for a winner, negative for the rest. */
  margin: number;
}

export interface Routing {
  /** Best first. Skills that share next to nothing with the query are left out: they are silent. */
  ranking: RoutedSkill[];
  /** The score a skill needs to fire. */
  needs: number;
}

export interface Router {
  /** The cards it knows. */
  skills: readonly string[];
  needs: number;
  route(query: string): Routing;
  /** The score of every skill that has one, without the reasons. */
  scores(query: string): { skill: string; score: number }[];
}

export interface RouterCard {
  id: string;
  card: Card;
  /** False: no model may activate it by itself, only a command in the prompt. True unless said. */
  modelInvocable?: boolean;
}

export interface RouterOptions {
  /** Other parameters than the shipped ones: for benchmarks and calibration. */
  parameters?: Parameters;
  background?: Background;
  /** Explain at most so many skills (those that fire are always explained). */
  most?: number;
}

/** A router over a library's cards: offline, deterministic, and as fast as the words a query shares with the cards. */
export function createRouter(cards: readonly RouterCard[], options: RouterOptions = {}): Router {
  const { parameters = PARAMETERS, background = shippedBackground(), most = 10 } = options;
  const index = indexCards(cards, background);
  const read = createReader(index);
  const score = createScorer(cards, parameters);
  return {
    skills: index.entries.map(({ id }) => id),
    needs: parameters.needs,
    route(query) {
      const reading = read(query);
      const scored = score(query, reading);
      const ranking = scored
        .filter(({ score }, at) => at < most || score >= parameters.needs)
        .map((candidate) => explain(index, reading, candidate, scored, parameters));
      return { ranking, needs: parameters.needs };
    },
    scores(query) {
      return score(query, read(query)).map(({ evidence, score }) => ({ skill: index.entries[evidence.card]!.id, score }));
    },
  };
}

interface Candidate {
  evidence: Evidence;
  strength: number;
  score: number;
}

/** More than any evidence adds up to: what a prompt that calls a skill by command is worth. */
const INVOKED = 100;

function createScorer(cards: readonly RouterCard[], parameters: Parameters): (query: string, reading: Reading) => Candidate[] {
  const byName = new Map(cards.map(({ card }, at) => [card.name.toLowerCase(), at]));
  return (query, { evidence }) => {
    const name = invokedName(query);
    const invoked = name === undefined ? undefined : byName.get(name);
    const candidates: Candidate[] = [];
    if (invoked !== undefined && !evidence.some(({ card }) => card === invoked)) evidence.push(noEvidence(invoked));
    for (const one of evidence) {
      const called = one.card === invoked;
      if (!called && cards[one.card]!.modelInvocable === false) continue;
      candidates.push({ evidence: one, strength: strengthOf(one, parameters) + (called ? INVOKED : 0), score: 0 });
    }
    weigh(candidates, parameters);
    return candidates.sort((a, b) => b.score - a.score || b.strength - a.strength || a.evidence.card - b.evidence.card);
  };
}

/** A candidate's score depends on how far it is behind the best other one. */
function weigh(candidates: readonly Candidate[], parameters: Parameters): void {
  let best = 0;
  let second = 0;
  for (const { strength } of candidates) {
    if (strength > best) [best, second] = [strength, best];
    else if (strength > second) second = strength;
  }
  for (const candidate of candidates) {
    const rival = candidate.strength === best ? second : best;
    candidate.score = rounded(probabilityOf(candidate.strength, rival, parameters));
  }
}

function explain(index: CardIndex, reading: Reading, candidate: Candidate, all: readonly Candidate[], { needs }: Parameters): RoutedSkill {
  const { evidence, score } = candidate;
  const entry = index.entries[evidence.card]!;
  const rival = all[0] === candidate ? all[1] : all[0];
  const clause = evidence.clauseAt === -1 ? undefined : index.clauses[evidence.clauseAt]!.text;
  return {
    skill: entry.id,
    score,
    probability: score,
    verdict: score >= needs ? "fires" : score >= needs - UNCERTAIN_BELOW ? "uncertain" : "silent",
    words: sharedWords(index, reading, evidence.card),
    ...(clause === undefined ? {} : { clause }),
    margin: rounded(score - (rival?.score ?? 0)),
  };
}

/** The query's words that are in the card, the rarest first. */
function sharedWords(index: CardIndex, { terms }: Reading, card: number): string[] {
  const { starts, docs } = index.cardTerms;
  const shared = new Map<string, { word: string; idf: number }>();
  for (const { word, term } of terms) {
    const id = index.terms.ids.get(term);
    if (id === undefined || shared.has(term)) continue;
    if (docs.subarray(starts[id]!, starts[id + 1]!).includes(card)) shared.set(term, { word, idf: index.terms.idf[id]! });
  }
  return [...shared.values()].sort((a, b) => b.idf - a.idf).map(({ word }) => word);
}

/** Four decimals: the same on every machine, whatever its last bit of `exp` and `log` is. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
