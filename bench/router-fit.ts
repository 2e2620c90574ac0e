import type { Parameters } from "../src/cards/firing/parameters.ts";
import {
  behindOf,
  fireLogit,
  isDoubtful,
  netStrength,
  restsOnOneWord,
  strengthOf,
} from "../src/cards/firing/strength.ts";
import { attractingText, indexCards } from "../src/cards/ranking/card-index.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "../src/cards/ranking/evidence.ts";
import { createReader } from "../src/cards/ranking/read-query.ts";
import type { RouterLimits } from "../src/cards/router.ts";
import { createForeign } from "../src/cards/words/language.ts";
import type { WordFrequencies } from "../src/cards/words/word-frequencies.ts";
import type { Repository } from "./router-corpus.ts";
import { hasBothClasses, mean } from "./router-measure.ts";
import { type Choice, conditionalLogit, logistic, type Observation } from "./router-newton.ts";

/** A repository's labels with the evidence they are to be decided on. */
export interface Evidenced {
  repository: Repository;
  rows: { reading: WholeReading; card: number; positive: boolean }[];
  none: WholeReading[];
}

export type Similarities = (repository: Repository, query: string) => ArrayLike<number> | undefined;

/** Reads at most `most` of a repository's rows, spread evenly. */
export function evidenceFor(
  repository: Repository,
  frequencies: WordFrequencies,
  similarities?: Similarities,
  most = Number.POSITIVE_INFINITY,
): Evidenced {
  const read = createReader(indexCards(repository.cards, frequencies));
  const isForeign = createForeign(() => repository.cards.map(({ card }) => attractingText(card)));
  const cached = new Map<string, WholeReading>();
  const readOnce = (query: string) => {
    const known = cached.get(query);
    if (known !== undefined) return known;
    const reading = wholeReading(read(query, similarities?.(repository, query)), isForeign(query));
    cached.set(query, reading);
    return reading;
  };
  const positions = new Map(repository.cards.map(({ id }, at) => [id, at]));
  return {
    repository,
    rows: spread(repository.rows, most).map(({ query, skill, positive }) => ({
      reading: readOnce(query),
      card: positions.get(skill)!,
      positive,
    })),
    none: repository.none.map(readOnce),
  };
}

/** A reading to keep: with what speaks for every card, written down. */
interface WholeReading {
  /** In another language than the cards. */
  foreign: boolean;
  evidence: CardEvidence[];
}

export function wholeReading({ cards, evidenceOf }: QueryReading, foreign = false): WholeReading {
  return { foreign, evidence: Array.from(cards, (card) => evidenceOf(card)) };
}

/** How much the repositories without both classes count in the choice of weights for firing, beside 1 for those with both. */
const ONE_CLASS_WEIGHT = 0.05;
const NONE_WEIGHT = 0.15;
const CHOICES_PER_REPOSITORY = 80;
const ALTERNATIVES = 40;

/** Fits everything in Parameters: which card wins, then when it fires, then from where on. Every repository counts the same. */
export function fitParameters(training: readonly Evidenced[], { similarity = false } = {}): Parameters {
  const names = similarity ? RANKING : RANKING.filter(({ name }) => name !== "similarity");
  const found = conditionalLogit(
    training.flatMap((one) => choicesOf(one, names)),
    0.01,
  );
  const weights = { bm25: 0, grams: 0, clause: 0, name: 0, matched: 0, coverage: 0, similarity: 0 };
  names.forEach(({ name, scale }, i) => {
    weights[name] = Math.max(0, found[i]!) * scale;
  });
  const parameters: Parameters = {
    weights,
    against: AGAINST,
    fire: NO_FIRE,
    even: 0.5,
    needs: 1,
    wins: 1,
    silentBelow: 0,
  };
  const parts = training.map((one) => ({ one, observations: observationsOf(one, parameters) }));
  const fireOf = (some: typeof parts): Parameters["fire"] => {
    const [strength, behind, single, bias] = logistic(
      some.flatMap(({ observations }) => observations),
      0.003,
    ) as [number, number, number, number];
    return { strength, behind, single, bias };
  };
  parameters.fire = fireOf(parts);
  // Every repository is judged by numbers that were fitted without it: only so is "sure" what it will be elsewhere.
  const unseen = parts
    .filter(({ one }) => hasBothClasses(one.repository))
    .map((part) => judged(part.one, { ...parameters, fire: fireOf(parts.filter((other) => other !== part)) }));
  return { ...parameters, even: bestEven(unseen), ...chooseLimits(unseen) };
}

/** What each thing that speaks against a card takes off its strength. Anything from 4 to 6 does as well. */
const AGAINST = 6;

const NO_FIRE = { strength: 1, behind: 0, single: 0, bias: 0 };

/** The scales bring the features to a like size, so that one ridge suits all. */
const RANKING: { name: keyof Parameters["weights"]; scale: number; of(evidence: CardEvidence): number }[] = [
  { name: "bm25", scale: 1, of: ({ bm25 }) => Math.log1p(bm25) },
  { name: "grams", scale: 3, of: ({ grams }) => grams },
  { name: "clause", scale: 2, of: ({ clause }) => clause },
  { name: "name", scale: 1, of: ({ name }) => name },
  { name: "matched", scale: 1, of: ({ matched }) => Math.log1p(matched) },
  { name: "coverage", scale: 1, of: ({ coverage }) => coverage },
  { name: "similarity", scale: 5, of: ({ similarity }) => similarity },
];

function choicesOf({ rows }: Evidenced, names: typeof RANKING): Choice[] {
  const choices: Choice[] = [];
  for (const { reading, card } of spread(
    rows.filter(({ positive }) => positive),
    CHOICES_PER_REPOSITORY,
  )) {
    const alternatives = reading.evidence
      .map((evidence) => ({ card: evidence.card, features: names.map(({ scale, of }) => scale * of(evidence)) }))
      .sort((a, b) => total(b.features) - total(a.features));
    const kept = alternatives.filter((alternative, at) => at < ALTERNATIVES || alternative.card === card);
    const chosen = kept.findIndex((alternative) => alternative.card === card);
    if (chosen >= 0 && kept.length > 1)
      choices.push({ weight: 1, features: kept.map(({ features }) => features), chosen });
  }
  for (const choice of choices) choice.weight = 1 / choices.length;
  return choices;
}

function observationsOf({ repository, rows, none }: Evidenced, parameters: Parameters): Observation[] {
  const weight = hasBothClasses(repository) ? 1 : ONE_CLASS_WEIGHT;
  return [
    ...rows.map(({ reading, card, positive }) => ({
      weight: weight / rows.length,
      features: fireFeatures(reading, card, parameters),
      positive,
    })),
    ...none.map((reading) => ({
      weight: NONE_WEIGHT / none.length,
      features: fireFeatures(reading, strongest(reading, parameters), parameters),
      positive: false,
    })),
  ];
}

function fireFeatures(reading: WholeReading, card: number, parameters: Parameters): number[] {
  const { evidence, net, rival } = standing(reading, card, parameters);
  return [net, behindOf(net, rival), restsOnOneWord(evidence) ? 1 : 0];
}

export function probability(reading: WholeReading, card: number, parameters: Parameters): number {
  const { evidence, net, rival } = standing(reading, card, parameters);
  return 1 / (1 + Math.exp(-fireLogit(net, rival, evidence, parameters)));
}

function standing(
  reading: WholeReading,
  card: number,
  parameters: Parameters,
): { evidence: CardEvidence; net: number; rival: number } {
  let rival = 0;
  let evidence = noEvidence(card);
  for (const one of reading.evidence) {
    if (one.card === card) evidence = one;
    else rival = Math.max(rival, netOf(one, parameters));
  }
  return { evidence, net: netOf(evidence, parameters), rival };
}

function netOf(evidence: CardEvidence, parameters: Parameters): number {
  return netStrength(strengthOf(evidence, parameters), evidence, parameters);
}

function strongest(reading: WholeReading, parameters: Parameters): number {
  let best = { card: 0, strength: 0 };
  for (const evidence of reading.evidence) {
    const strength = netOf(evidence, parameters);
    if (strength > best.strength) best = { card: evidence.card, strength };
  }
  return best.card;
}

interface JudgedRow {
  p: number;
  /** Of the best other card. */
  rival: number;
  excluded: boolean;
  foreign: boolean;
  doubtful: boolean;
  positive: boolean;
}

type Judged = JudgedRow[];

function judged({ rows }: Evidenced, parameters: Parameters): Judged {
  return rows.map(({ reading, card, positive }) => {
    const others = { ...reading, evidence: reading.evidence.filter((one) => one.card !== card) };
    const own = reading.evidence.find((one) => one.card === card);
    return {
      p: probability(reading, card, parameters),
      rival: others.evidence.length === 0 ? 0 : probability(reading, strongest(others, parameters), parameters),
      excluded: own !== undefined && (own.notFor || own.conflict || own.declined),
      foreign: reading.foreign,
      doubtful: own !== undefined && isDoubtful(own),
      positive,
    };
  });
}

/** The point where accuracy and balanced accuracy, averaged over its neighbourhood, are best: a plateau transfers, a peak does not. */
function bestEven(repositories: readonly Judged[]): number {
  const points = Array.from({ length: 51 }, (_, i) => 0.35 + i / 100);
  const values = points.map((point) => mean(repositories.map((rows) => bothAccuracies(rows, point)))!);
  const smooth = values.map((_, i) => mean(values.slice(Math.max(0, i - 5), i + 6))!);
  return Math.round(points[smooth.indexOf(Math.max(...smooth))]! * 100) / 100;
}

function bothAccuracies(rows: Judged, even: number): number {
  const share = (list: typeof rows) => list.filter(({ p, positive }) => p >= even === positive).length / list.length;
  return (
    (share(rows) +
      (share(rows.filter(({ positive }) => positive)) + share(rows.filter(({ positive }) => !positive))) / 2) /
    2
  );
}

/** What is promised is 90 %; the rest is for libraries that are unlike those it was fitted on. */
const SURE = 0.91;

/** The limits between which as little as possible is left open, where the mean accuracy over repositories outside them is high enough. */
function chooseLimits(repositories: readonly Judged[]): RouterLimits {
  let best = { needs: 1, silentBelow: 0, coverage: 0 };
  for (let needs = 0.55; needs < 0.98; needs += 0.01) {
    for (let silentBelow = 0.05; silentBelow < 0.51; silentBelow += 0.01) {
      const told = repositories.map((rows) =>
        rows.filter((row) => answerOf(row, { needs, wins: needs + AHEAD, silentBelow }) !== undefined),
      );
      const coverage = mean(told.map((rows, at) => rows.length / repositories[at]!.length))!;
      if (coverage <= best.coverage) continue;
      const right = mean(
        told.map((rows) =>
          rows.length === 0 ? null : rows.filter(({ p, positive }) => p >= needs === positive).length / rows.length,
        ),
      );
      if (right !== null && right >= SURE) best = { needs, silentBelow, coverage };
    }
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return { needs: rounded(best.needs), wins: rounded(best.needs + AHEAD), silentBelow: rounded(best.silentBelow) };
}

/** To say that all others stay silent takes a little more than to fire. */
const AHEAD = 0.12;

/** As the router answers: a skill is surely silent only where another one surely wins, or where its card excludes the prompt. */
function answerOf(
  { p, rival, excluded, foreign, doubtful }: JudgedRow,
  { needs, wins, silentBelow }: RouterLimits,
): boolean | undefined {
  if (foreign) return undefined;
  if (p >= needs) return doubtful ? undefined : true;
  return p < silentBelow && (rival >= wins || excluded) ? false : undefined;
}

function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
