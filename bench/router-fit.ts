import type { Parameters } from "../src/targets/embedded/firing/parameters.ts";
import { behindOf, fireLogit, strengthOf } from "../src/targets/embedded/firing/strength.ts";
import { indexCards } from "../src/targets/embedded/ranking/card-index.ts";
import { type CardEvidence, noEvidence, type QueryReading } from "../src/targets/embedded/ranking/evidence.ts";
import { createReader } from "../src/targets/embedded/ranking/read-query.ts";
import type { WordFrequencies } from "../src/targets/embedded/words/word-frequencies.ts";
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
  const cached = new Map<string, WholeReading>();
  const readOnce = (query: string) => {
    const known = cached.get(query);
    if (known !== undefined) return known;
    const reading = wholeReading(read(query, similarities?.(repository, query)));
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
  unknown: number;
  evidence: CardEvidence[];
}

export function wholeReading({ unknown, cards, evidenceOf }: QueryReading): WholeReading {
  return { unknown, evidence: Array.from(cards, (card) => evidenceOf(card)) };
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
  const parameters: Parameters = { weights, fire: NO_FIRE, needs: 0.5 };

  const [strength, behind, name, conflict, notFor, asks, unknown, bias] = logistic(
    training.flatMap((one) => observationsOf(one, parameters)),
    0.003,
  ) as [number, number, number, number, number, number, number, number];
  parameters.fire = { strength, behind, name, conflict, notFor, asks, unknown, bias };
  parameters.needs = bestNeeds(training, parameters);
  return parameters;
}

const NO_FIRE = { strength: 1, behind: 0, name: 0, conflict: 0, notFor: 0, asks: 0, unknown: 0, bias: 0 };

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
    if (chosen >= 0 && kept.length > 1) choices.push({ weight: 1, features: kept.map(({ features }) => features), chosen });
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
  const { evidence, strength, rival } = standing(reading, card, parameters);
  const flag = (value: boolean) => (value ? 1 : 0);
  return [
    strength,
    behindOf(strength, rival),
    evidence.name,
    flag(evidence.conflict),
    flag(evidence.notForAt !== -1),
    flag(evidence.asks),
    reading.unknown,
  ];
}

export function probability(reading: WholeReading, card: number, parameters: Parameters): number {
  const own = standing(reading, card, parameters);
  return 1 / (1 + Math.exp(-fireLogit(own, own.rival, reading.unknown, parameters)));
}

function standing(
  reading: WholeReading,
  card: number,
  parameters: Parameters,
): { evidence: CardEvidence; strength: number; rival: number } {
  let rival = 0;
  let evidence = noEvidence(card);
  for (const one of reading.evidence) {
    if (one.card === card) evidence = one;
    else rival = Math.max(rival, strengthOf(one, parameters));
  }
  return { evidence, strength: strengthOf(evidence, parameters), rival };
}

function strongest(reading: WholeReading, parameters: Parameters): number {
  let best = { card: 0, strength: 0 };
  for (const evidence of reading.evidence) {
    const strength = strengthOf(evidence, parameters);
    if (strength > best.strength) best = { card: evidence.card, strength };
  }
  return best.card;
}

/** The point where accuracy and balanced accuracy, averaged over its neighbourhood, are best: a plateau transfers, a peak does not. */
function bestNeeds(training: readonly Evidenced[], parameters: Parameters): number {
  const judged = training
    .filter(({ repository }) => hasBothClasses(repository))
    .map(({ rows }) => rows.map(({ reading, card, positive }) => ({ p: probability(reading, card, parameters), positive })));
  const points = Array.from({ length: 51 }, (_, i) => 0.35 + i / 100);
  const values = points.map((point) => mean(judged.map((rows) => bothAccuracies(rows, point)))!);
  const smooth = values.map((_, i) => mean(values.slice(Math.max(0, i - 5), i + 6))!);
  return Math.round(points[smooth.indexOf(Math.max(...smooth))]! * 100) / 100;
}

function bothAccuracies(rows: readonly { p: number; positive: boolean }[], needs: number): number {
  const share = (list: typeof rows) => list.filter(({ p, positive }) => p >= needs === positive).length / list.length;
  return (share(rows) + (share(rows.filter(({ positive }) => positive)) + share(rows.filter(({ positive }) => !positive))) / 2) / 2;
}

function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  return Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
