import type { Parameters } from "../src/cards/firing/parameters.ts";
import { createKeywordRouter } from "../src/cards/keyword-router.ts";
import { indexCards } from "../src/cards/ranking/card-index.ts";
import { createReader } from "../src/cards/ranking/read-query.ts";
import { createRouter } from "../src/cards/router.ts";
import type { WordFrequencies } from "../src/cards/words/word-frequencies.ts";
import { predictedVerdict } from "../src/model/index.ts";
import type { Repository } from "./router-corpus.ts";
import { type Similarities, wholeReading } from "./router-fit.ts";
import { type Decision, hasBothClasses, mean } from "./router-measure.ts";

export type Scores = (query: string) => { skill: string; score: number }[];

/** A skill fires when its score is at least `atLeast` and not more than `slack` behind the best other one. */
export interface Rule {
  atLeast: number;
  slack: number;
}

export function keywordScores({ cards }: Repository): Scores {
  return createKeywordRouter(
    cards.map(({ id, card }) => ({ id, name: card.name, description: card.description, body: "" })),
  );
}

export function bm25Scores({ cards }: Repository, frequencies: WordFrequencies): Scores {
  const read = createReader(indexCards(cards, frequencies));
  return (query) =>
    wholeReading(read(query))
      .evidence.filter(({ bm25 }) => bm25 > 0)
      .map(({ card, bm25 }) => ({ skill: cards[card]!.id, score: Math.log1p(bm25) }))
      .sort((a, b) => b.score - a.score);
}

/** The router as it is: which of two answers is more likely, and whether it is sure. */
export function embeddedDecider(
  repository: Repository,
  frequencies: WordFrequencies,
  parameters: Parameters,
  similarities?: Similarities,
): (query: string) => Decision {
  const router = createRouter(repository.cards, { frequencies, parameters });
  return (query) => {
    const similar = similarities?.(repository, query);
    const ranking = router.scores(query, {}, similar);
    const firing = new Set(ranking.filter(({ score }) => score >= parameters.even).map(({ skill }) => skill));
    let routing: ReturnType<typeof router.route> | undefined;
    return {
      fires: (skill) => firing.has(skill),
      best: ranking[0]?.skill,
      verdict(skill) {
        routing ??= router.route(query, similar);
        return predictedVerdict(routing, skill);
      },
    };
  };
}

/** Turns scores into decisions by a rule. */
export function decider(scores: Scores, rule: Rule): (query: string) => Decision {
  return (query) => {
    const ranking = scores(query);
    const firing = new Set(
      ranking
        .filter(({ score }, at) => score >= rule.atLeast && score >= rivalOf(ranking, at) - rule.slack)
        .map(({ skill }) => skill),
    );
    return { fires: (skill) => firing.has(skill), best: ranking[0]?.skill };
  };
}

export const alwaysYes = (): Decision => ({ fires: () => true, best: null });

/** The rule that does best on these repositories, by accuracy and balanced accuracy together. */
export function fitRule(training: readonly { repository: Repository; scores: Scores }[]): Rule {
  const judged = training.filter(({ repository }) => hasBothClasses(repository)).map(judgedRows);
  const known = judged
    .flat()
    .map(({ score }) => score)
    .sort((a, b) => a - b);
  const steps = Array.from({ length: 60 }, (_, i) => known[Math.floor((i * known.length) / 60)]!);
  const span = known.at(-1)! - known[0]!;
  let best = { value: -1, rule: { atLeast: 0, slack: 0 } };
  for (const atLeast of new Set(steps)) {
    for (const slack of [0, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 1].map((part) => part * span)) {
      const value = mean(judged.map((rows) => bothAccuracies(rows, { atLeast, slack })))!;
      if (value > best.value) best = { value, rule: { atLeast, slack } };
    }
  }
  return best.rule;
}

interface Judged {
  score: number;
  ahead: number;
  positive: boolean;
}

function judgedRows({ repository, scores }: { repository: Repository; scores: Scores }): Judged[] {
  const rankings = new Map<string, ReturnType<Scores>>();
  return repository.rows.map(({ query, skill, positive }) => {
    const ranking = rankings.get(query) ?? scores(query);
    rankings.set(query, ranking);
    const at = ranking.findIndex((one) => one.skill === skill);
    const score = at < 0 ? 0 : ranking[at]!.score;
    return { score, ahead: score - rivalOf(ranking, at), positive };
  });
}

function rivalOf(ranking: ReturnType<Scores>, at: number): number {
  return ranking[at === 0 ? 1 : 0]?.score ?? 0;
}

function bothAccuracies(rows: readonly Judged[], { atLeast, slack }: Rule): number {
  let right = 0;
  const of = { positive: [0, 0], negative: [0, 0] } as { positive: [number, number]; negative: [number, number] };
  for (const { score, ahead, positive } of rows) {
    const hit = (score >= atLeast && ahead >= -slack) === positive;
    const counts = of[positive ? "positive" : "negative"];
    counts[1]++;
    if (hit) counts[0]++;
    if (hit) right++;
  }
  return (right / rows.length + (of.positive[0] / of.positive[1] + of.negative[0] / of.negative[1]) / 2) / 2;
}
