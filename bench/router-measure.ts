import type { Repository } from "./router-corpus.ts";

/** What a method says about one query: which skills fire, and which is ranked first. */
export interface Decision {
  fires(skill: string): boolean;
  /** Undefined when none is, null when the method does not rank. */
  best: string | undefined | null;
}

/** The figures of one repository; null where it has no labels to measure them on. */
export interface Measured {
  repository: string;
  accBoth: number | null;
  balanced: number | null;
  top1: number | null;
  /** Counts, because "none" queries are few. */
  none: { silent: number; asked: number };
  queries: number;
  seconds: number;
}

const FEWEST_OF_A_CLASS = 4;

export function hasBothClasses({ rows }: Repository): boolean {
  const positives = rows.filter(({ positive }) => positive).length;
  return positives >= FEWEST_OF_A_CLASS && rows.length - positives >= FEWEST_OF_A_CLASS;
}

/** Puts every query of a repository to a method, once. */
export function measure(repository: Repository, decide: (query: string) => Decision): Measured {
  const queries = new Set([...repository.rows.map(({ query }) => query), ...repository.none]);
  const started = process.hrtime.bigint();
  const decisions = new Map([...queries].map((query) => [query, decide(query)]));
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;

  const right = { positive: 0, negative: 0, first: 0 };
  const asked = { positive: 0, negative: 0 };
  for (const { query, skill, positive } of repository.rows) {
    const decision = decisions.get(query)!;
    const kind = positive ? "positive" : "negative";
    asked[kind]++;
    if (decision.fires(skill) === positive) right[kind]++;
    if (positive && decision.best === skill) right.first++;
  }
  const both = hasBothClasses(repository);
  return {
    repository: repository.name,
    accBoth: both ? (right.positive + right.negative) / (asked.positive + asked.negative) : null,
    balanced: both ? (right.positive / asked.positive + right.negative / asked.negative) / 2 : null,
    top1: asked.positive === 0 || [...decisions.values()].some(({ best }) => best === null) ? null : right.first / asked.positive,
    none: {
      silent: repository.none.filter((query) => !repository.cards.some(({ id }) => decisions.get(query)!.fires(id))).length,
      asked: repository.none.length,
    },
    queries: queries.size,
    seconds,
  };
}

export interface Figure {
  value: number | null;
  low: number | null;
  high: number | null;
}

export type Figures = Record<"acc_both" | "balanced" | "top1" | "none", Figure> & { queries_per_s: number | null };

/** Macro means over repositories, with 95 % intervals from resampling repositories. */
export function figuresOf(measured: readonly Measured[]): Figures {
  const seconds = measured.reduce((sum, one) => sum + one.seconds, 0);
  return {
    acc_both: withInterval(measured, (list) => mean(list.map(({ accBoth }) => accBoth))),
    balanced: withInterval(measured, (list) => mean(list.map(({ balanced }) => balanced))),
    top1: withInterval(measured, (list) => mean(list.map(({ top1 }) => top1))),
    none: withInterval(measured, noneShare),
    queries_per_s: seconds === 0 ? null : Math.round(measured.reduce((sum, { queries }) => sum + queries, 0) / seconds),
  };
}

/** The mean of the numbers that are known; null when none is. */
export function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function noneShare(list: readonly Measured[]): number | null {
  const asked = list.reduce((sum, { none }) => sum + none.asked, 0);
  return asked === 0 ? null : list.reduce((sum, { none }) => sum + none.silent, 0) / asked;
}

const DRAWS = 2_000;

function withInterval(measured: readonly Measured[], statistic: (list: readonly Measured[]) => number | null): Figure {
  const value = statistic(measured);
  if (value === null) return { value, low: null, high: null };
  const random = mulberry32(1);
  const drawn: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const one = statistic(measured.map(() => measured[Math.floor(random() * measured.length)]!));
    if (one !== null) drawn.push(one);
  }
  drawn.sort((a, b) => a - b);
  return { value, low: drawn[Math.floor(drawn.length * 0.025)]!, high: drawn[Math.floor(drawn.length * 0.975)]! };
}

/** A small seeded generator, so that the intervals are the same on every run. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
