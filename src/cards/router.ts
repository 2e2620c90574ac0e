import type { Ranked, UnsureOfAll } from "../model/index.ts";
import { invokedName } from "./firing/invoked-skill.ts";
import { PARAMETERS, type Parameters } from "./firing/parameters.ts";
import { createScorer, rounded, type ScoredCard } from "./firing/score-cards.ts";
import { isDoubtful, isPartlyExcluded } from "./firing/strength.ts";
import type { RouterCard } from "./ranking/card-index.ts";
import { attracting, type CardIndex, indexCards } from "./ranking/card-index.ts";
import type { QueryReading } from "./ranking/evidence.ts";
import { hasDoc } from "./ranking/postings.ts";
import { createReader } from "./ranking/read-query.ts";
import { createForeign } from "./words/language.ts";
import { shippedFrequencies, type WordFrequencies } from "./words/word-frequencies.ts";

export interface RoutedSkill extends Ranked {
  /** The clause of its card most similar to the query, in the author's words. */
  clause?: string;
  /** The not-for clause that covers much of the query, if any. */
  notFor?: string;
  /** Its score minus the best other skill's: positive for the winner, negative for the rest. */
  margin: number;
}

export interface RouterLimits {
  /** The score a skill needs to fire. */
  needs: number;
  /** A skill with this score surely wins. */
  wins: number;
  /** Below this score a skill stays silent if another one wins. In between, the router cannot tell. */
  silentBelow: number;
}

export interface Routing extends Omit<RouterLimits, "wins"> {
  /** Best first, without skills that share next to nothing with the query. */
  ranking: RoutedSkill[];
  /** Why the router cannot tell about the skills that do not fire. */
  unsure?: UnsureOfAll;
}

export interface Router {
  needs: number;
  /** Score from which firing is more likely than not. */
  even: number;
  /**
   * Which skills would fire on this query, and why. `similarities`, one number per card, come from an embedding model.
   */
  route(query: string, similarities?: ArrayLike<number>): Routing;
  /** Like `route`, but only for skills that fire or are in `also`, without reasons; margins are not reliable. */
  verdicts(query: string, also: readonly string[]): Routing;
  /** What the verdicts rest on, before limits are applied. */
  grounds(query: string): Grounds;
  /** Scores of the wanted skills, by default of all that have one, best first and without reasons. */
  scores(query: string, wanted?: WantedScores, similarities?: ArrayLike<number>): { skill: string; score: number }[];
}

interface Grounds {
  /** The query is not in a language of the cards. */
  foreign: boolean;
  cards: { skill: string; score: number; mayFire: boolean; excluded: boolean }[];
}

/** Scores of at least `least`, and those of the skills in `also`, however low. */
interface WantedScores {
  least?: number;
  also?: readonly string[];
}

export interface RouterOptions {
  /** Replaces the shipped parameters, for benchmarks. */
  parameters?: Parameters;
  /** Replaces the shipped word frequencies. */
  frequencies?: WordFrequencies;
  /** Explain at most this many skills, and always those that fire. */
  most?: number;
}

/** An offline, deterministic router over a library's cards. Time grows with the words a query shares with cards. */
export function createRouter(cards: readonly RouterCard[], options: RouterOptions = {}): Router {
  const { parameters = PARAMETERS, frequencies = shippedFrequencies(), most = 10 } = options;
  const index = indexCards(cards, frequencies);
  const read = createReader(index);
  const scoreCards = createScorer(cards, parameters);
  const positions = new Map(cards.map(({ id }, at) => [id, at]));
  const isForeign = createForeign(() => index.entries.map(attracting));
  const isUnread = (query: string) => invokedName(query) === undefined && isForeign(query);
  const positionsOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => positions.get(id) ?? []));
  /** With `also`, only those skills and the ones that fire. */
  const weigh = (
    query: string,
    reading: QueryReading,
    also?: ReadonlySet<number>,
  ): { scored: ScoredCard[]; routing: Routing } => {
    const { needs, wins, silentBelow } = parameters;
    // At least two: the margin of the first is its distance to the second.
    const wanted =
      also === undefined ? { most: Math.max(2, most), least: silentBelow } : { most: 0, least: needs, also };
    const scored = scoreCards(query, reading, wanted);
    const foreign = isUnread(query);
    const fires = new Set(foreign ? [] : scored.filter((card) => card.score >= needs && mayFire(card)));
    const isWon = [...fires].some(({ score }) => score >= wins);
    const unsure = foreign ? "language" : isWon ? undefined : cards.length === 1 ? "alone" : "nobody";
    const verdictOf = (card: ScoredCard) => {
      if (fires.has(card)) return "fires";
      const surely = card.score < silentBelow && !foreign && (unsure === undefined || isExcluded(card));
      return surely ? "silent" : "uncertain";
    };
    const shown = also === undefined ? scored.filter(({ score }, at) => at < most || score >= silentBelow) : scored;
    const ranking = shown.map((card) => weighed(index, card, scored, verdictOf(card)));
    return {
      scored: shown,
      routing: unsure === undefined ? { ranking, needs, silentBelow } : { ranking, needs, silentBelow, unsure },
    };
  };
  return {
    needs: parameters.needs,
    even: parameters.even,
    route(query, similarities) {
      const reading = read(query, similarities);
      const { scored, routing } = weigh(query, reading);
      scored.slice(0, Math.max(most, EXPLAINED)).forEach((card, at) => {
        // `!`: the ranking is these very cards.
        addReasons(routing.ranking[at]!, index, reading, card);
      });
      return routing;
    },
    verdicts: (query, also) => weigh(query, read(query), positionsOf(also)).routing,
    grounds: (query) => ({
      foreign: isUnread(query),
      cards: scoreCards(query, read(query)).map((card) => ({
        skill: idOf(index, card.evidence.card),
        score: card.score,
        mayFire: mayFire(card),
        excluded: isExcluded(card),
      })),
    }),
    scores(query, { least, also = [] } = {}, similarities) {
      const wanted = least === undefined ? undefined : { most: 0, least, also: positionsOf(also) };
      const scored = scoreCards(query, read(query, similarities), wanted);
      return scored.map(({ evidence, score }) => ({ skill: idOf(index, evidence.card), score }));
    },
  };
}

/** Doubtful evidence is never enough, unless the prompt calls the skill by its name. */
function mayFire({ score, evidence }: ScoredCard): boolean {
  return !isDoubtful(evidence) || score === 1;
}

/** The card or the prompt rules the skill out. */
function isExcluded({ evidence: { notFor, conflict, declined } }: ScoredCard): boolean {
  return notFor || conflict || declined;
}

/** At least this many skills get reasons. In a library of thousands, a hundred may be near a query. */
const EXPLAINED = 20;

function weighed(
  index: CardIndex,
  card: ScoredCard,
  all: readonly ScoredCard[],
  verdict: Ranked["verdict"],
): RoutedSkill {
  const { evidence, score } = card;
  const rival = all[0] === card ? all[1] : all[0];
  const routed: RoutedSkill = {
    skill: idOf(index, evidence.card),
    score,
    probability: score,
    verdict,
    words: [],
    margin: rounded(score - (rival?.score ?? 0)),
  };
  if (isExcluded(card) || isPartlyExcluded(evidence)) routed.excluded = true;
  return routed;
}

function addReasons(routed: RoutedSkill, index: CardIndex, reading: QueryReading, { evidence }: ScoredCard): void {
  routed.words = sharedWords(index, reading, evidence.card);
  routed.clause = index.clauses[evidence.clauseAt]?.text;
  if (isPartlyExcluded(evidence)) routed.notFor = index.clauses[evidence.notForAt]?.text;
}

function idOf({ entries }: CardIndex, card: number): string {
  // `!`: card numbers come from this index.
  return entries[card]!.id;
}

function sharedWords(
  { terms: { idf }, cardTerms: { starts, docs } }: CardIndex,
  { known }: QueryReading,
  card: number,
): string[] {
  return (
    known
      // `!`: the vocabulary covers every number it has given out.
      .filter(({ number }) => hasDoc(docs, starts[number]!, starts[number + 1]!, card))
      .sort((a, b) => idf[b.number]! - idf[a.number]!)
      .map(({ word }) => word)
  );
}
