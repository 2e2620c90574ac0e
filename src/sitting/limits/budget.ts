import type { RunLimits } from "../../options/index.ts";
import type { Usage } from "../../transcripts/index.ts";

/** What one attempt is expected to take of each limit; null = not known. */
export interface Expectation {
  usd: number | null;
  tokens: number | null;
}

export interface Spent {
  usd: number;
  tokens: number;
  trials: number;
  /** Attempts whose cost nobody knows: unknown, not zero. */
  unpriced: number;
}

/** Says whether an attempt fits: `wait` means that what is in flight has to end first to know. */
export type Admission = { admit: true; release(actual: Actual): void } | Refusal;

/** `limit`: the one that it would pass. */
export interface Refusal {
  admit: false;
  wait: boolean;
  limit: keyof RunLimits;
}

export interface Actual {
  usd?: number;
  usage?: Usage;
}

/**
 * Keeps a run below its limits. An attempt in flight reserves what it is expected to take, so nothing starts that would pass a limit.
 * The expectation is the mean of what the target has taken so far, and before that what was said of it.
 */
export class Budget {
  readonly spent: Spent = { usd: 0, tokens: 0, trials: 0, unpriced: 0 };
  readonly #limits: RunLimits;
  readonly #lanes = new Map<string, Lane>();
  #reserved = { usd: 0, tokens: 0 };
  #inFlight = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  expect(target: string, expectation: Expectation): void {
    this.#lanes.set(target, { expectation, inFlight: 0, usd: 0, priced: 0, tokens: 0, counted: 0 });
  }

  /** Trials, unlike attempts, are counted once; a retry of a trial is a further attempt, which is paid for like the first. */
  admit(target: string, kind: "trial" | "retry"): Admission {
    const lane = this.#lanes.get(target)!;
    if (kind === "trial" && this.#limits.trials !== undefined && this.spent.trials >= this.#limits.trials)
      return { admit: false, wait: false, limit: "trials" };
    const usd = this.#fits("usd", meanOf(lane.usd, lane.priced) ?? lane.expectation.usd, lane.inFlight);
    if (!usd.admit) return usd;
    const tokens = this.#fits("tokens", meanOf(lane.tokens, lane.counted) ?? lane.expectation.tokens, lane.inFlight);
    if (!tokens.admit) return tokens;
    lane.inFlight++;
    this.#inFlight++;
    this.#reserved.usd += usd.amount;
    this.#reserved.tokens += tokens.amount;
    if (kind === "trial") this.spent.trials++;
    return {
      admit: true,
      release: (actual) => {
        lane.inFlight--;
        this.#reserved.usd -= usd.amount;
        this.#reserved.tokens -= tokens.amount;
        if (--this.#inFlight === 0) this.#reserved = { usd: 0, tokens: 0 };
        this.#pay(lane, actual);
      },
    };
  }

  /** What an earlier part of the same run has spent already. */
  add(target: string, actual: Actual): void {
    this.#pay(this.#lanes.get(target)!, actual);
  }

  /** The mean of what the target's attempts cost so far, or what they are expected to; null = not known. */
  expectedUsd(target: string): number | null {
    const lane = this.#lanes.get(target)!;
    return meanOf(lane.usd, lane.priced) ?? lane.expectation.usd;
  }

  #pay(lane: Lane, actual: Actual): void {
    if (actual.usd === undefined) {
      if (lane.expectation.usd !== 0) this.spent.unpriced++;
    } else {
      this.spent.usd += actual.usd;
      lane.usd += actual.usd;
      lane.priced++;
    }
    const tokens = tokensOf(actual.usage);
    if (tokens !== undefined) {
      this.spent.tokens += tokens;
      lane.tokens += tokens;
      lane.counted++;
    }
  }

  #fits(what: "usd" | "tokens", expected: number | null, inFlight: number): { admit: true; amount: number } | Refusal {
    const limit = this.#limits[what];
    if (limit === undefined) return { admit: true, amount: 0 };
    const left = limit - this.spent[what] - this.#reserved[what];
    // The first of an unknown size goes alone: it teaches what the others take.
    if (expected === null)
      return left <= 0 || inFlight > 0 ? { admit: false, wait: inFlight > 0, limit: what } : { admit: true, amount: left };
    if (expected <= left + 1e-9) return { admit: true, amount: expected };
    return { admit: false, wait: this.#inFlight > 0, limit: what };
  }
}

interface Lane {
  expectation: Expectation;
  inFlight: number;
  usd: number;
  priced: number;
  tokens: number;
  counted: number;
}

function meanOf(sum: number, n: number): number | null {
  return n === 0 ? null : sum / n;
}

function tokensOf(usage: Usage | undefined): number | undefined {
  if (usage === undefined) return undefined;
  const counts = [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens].filter(
    (count) => count !== undefined,
  );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
