import type { Repository } from "./router-corpus.ts";

/** What a method says about one query: which skills fire, and which is ranked first. */
export interface Decision {
  fires(skill: string): boolean;
  /** Undefined when none is, null when the method does not rank. */
  best: string | undefined | null;
  /** Where the method knows what it does not know. */
  verdict?(skill: string): "fires" | "silent" | "uncertain";
}

/** The figures of one repository; null where it has no labels to measure them on. */
export interface Measured {
  repository: string;
  accBoth: number | null;
  balanced: number | null;
  top1: number | null;
  /** Of the questions it is sure about, by its answer; null where it is always sure. */
  sure: { asked: number; yes: Told; no: Told; none: Told & { asked: number } } | null;
  /** It has positives and negatives. */
  both: boolean;
  /** Counts, because "none" queries are few. */
  none: { silent: number; asked: number };
  queries: number;
  seconds: number;
}

interface Told {
  told: number;
  right: number;
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
    top1:
      asked.positive === 0 || [...decisions.values()].some(({ best }) => best === null)
        ? null
        : right.first / asked.positive,
    sure: sureOf(repository, decisions),
    both,
    none: {
      silent: repository.none.filter((query) => !repository.cards.some(({ id }) => decisions.get(query)!.fires(id)))
        .length,
      asked: repository.none.length,
    },
    queries: queries.size,
    seconds,
  };
}

function sureOf({ rows, none, cards }: Repository, decisions: ReadonlyMap<string, Decision>): Measured["sure"] {
  if (rows.length === 0) return null;
  const fired = none.filter((query) => cards.some(({ id }) => decisions.get(query)?.verdict?.(id) === "fires")).length;
  const sure = {
    asked: rows.length,
    yes: { told: 0, right: 0 },
    no: { told: 0, right: 0 },
    none: { asked: none.length, told: fired, right: 0 },
  };
  for (const { query, skill, positive } of rows) {
    const verdict = decisions.get(query)?.verdict?.(skill);
    if (verdict === undefined) return null;
    if (verdict === "uncertain") continue;
    const answer = verdict === "fires" ? sure.yes : sure.no;
    answer.told++;
    if ((verdict === "fires") === positive) answer.right++;
  }
  return sure;
}

export interface Figure {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** What is said of targets that may say that they cannot tell. */
export const WHEN_SURE = [
  "coverage",
  "accuracy_when_sure",
  "yes_right",
  "no_right",
  "coverage_both",
  "accuracy_when_sure_both",
  "coverage_with_none",
  "accuracy_with_none",
] as const;

const FIGURES = ["acc_both", "balanced", "top1", "none", ...WHEN_SURE] as const;

export type Figures = Record<(typeof FIGURES)[number], Figure> & { queries_per_s: number | null };

/** Macro means over repositories, with 95 % intervals from resampling repositories. */
export function figuresOf(measured: readonly Measured[]): Figures {
  const seconds = measured.reduce((sum, one) => sum + one.seconds, 0);
  return {
    acc_both: withInterval(measured, (list) => mean(list.map(({ accBoth }) => accBoth))),
    balanced: withInterval(measured, (list) => mean(list.map(({ balanced }) => balanced))),
    top1: withInterval(measured, (list) => mean(list.map(({ top1 }) => top1))),
    none: withInterval(measured, noneShare),
    coverage: withInterval(measured, (list) => coverageOf(list)),
    accuracy_when_sure: withInterval(measured, (list) => accuracyOf(list)),
    // Of all such answers, not the mean over repositories: some have hardly any.
    yes_right: withInterval(measured, (list) => share(sumOf(list, "yes"))),
    no_right: withInterval(measured, (list) => share(sumOf(list, "no"))),
    // Where all questions are positives, a yes is always right.
    coverage_both: withInterval(measured, (list) => coverageOf(list.filter(({ both }) => both))),
    accuracy_when_sure_both: withInterval(measured, (list) => accuracyOf(list.filter(({ both }) => both))),
    // A query for nobody is a question as well: it is told where a skill is sure to fire, and then told wrong.
    coverage_with_none: withInterval(measured, (list) => coverageOf(list, true)),
    accuracy_with_none: withInterval(measured, (list) => accuracyOf(list, true)),
    queries_per_s: seconds === 0 ? null : Math.round(measured.reduce((sum, { queries }) => sum + queries, 0) / seconds),
  };
}

function coverageOf(list: readonly Measured[], withNone = false): number | null {
  return mean(
    list.map(({ sure }) => sure && toldOf(sure, withNone).told / (sure.asked + (withNone ? sure.none.asked : 0))),
  );
}

function accuracyOf(list: readonly Measured[], withNone = false): number | null {
  return mean(list.map(({ sure }) => sure && share(toldOf(sure, withNone))));
}

function toldOf({ yes, no, none }: NonNullable<Measured["sure"]>, withNone: boolean): Told {
  return { told: yes.told + no.told + (withNone ? none.told : 0), right: yes.right + no.right };
}

function share({ told, right }: Told): number | null {
  return told === 0 ? null : right / told;
}

function sumOf(list: readonly Measured[], answer: "yes" | "no"): Told {
  const sum = (part: keyof Told) => list.reduce((total, { sure }) => total + (sure?.[answer][part] ?? 0), 0);
  return { told: sum("told"), right: sum("right") };
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
