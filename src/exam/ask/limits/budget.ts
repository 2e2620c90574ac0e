import type { RunLimits } from "../../../base/options/index.ts";
import { totalTokens, type Usage } from "../../../model/index.ts";

/** Expected use of each limit by one attempt or one judgement; null if unknown. */
export interface Expectation {
  usd: number | null;
  /** Upper bound from the token limit. It is reserved until SEEN_ENOUGH real costs are known. */
  mostUsd?: number | undefined;
  tokens: number | null;
}

export interface Spent {
  usd: number;
  tokens: number;
  trials: number;
  unpriced: number;
}

export interface Need {
  kind: "trial" | "retry" | "judgement";
  judgements: number;
}

export type Admission = { admit: true; release(actual: Actual): void } | Refusal;

export interface Refusal {
  admit: false;
  wait: boolean;
  limit: keyof RunLimits;
}

export interface Actual {
  usd?: number;
  usage?: Usage;
  /** The attempt brought an answer. If its cost is unknown, the expected cost is counted. */
  measured?: boolean;
  judged?: { asked: number; usd: number; unpriced: boolean; usage?: Usage };
}

/** Costs to see before their maximum replaces the upper bound. */
const SEEN_ENOUGH = 3;

/**
 * Keeps a run below its limits. Every attempt in flight reserves the largest cost seen for its target so far, or an
 * upper bound until a few costs are known, so no attempt that could exceed a limit starts. Only a few start at first,
 * to learn what the others will take.
 */
export class Budget {
  readonly spent: Spent = { usd: 0, tokens: 0, trials: 0, unpriced: 0 };
  readonly #limits: RunLimits;
  readonly #lanes = new Map<string, Lane>();
  #judges: Lane | undefined;
  #reserved = { usd: 0, tokens: 0 };
  #inFlight = 0;

  constructor(limits: RunLimits) {
    this.#limits = limits;
  }

  expect(target: string, expectation: Expectation): void {
    this.#lanes.set(target, new Lane(expectation));
  }

  expectJudge(expectation: Expectation): void {
    this.#judges = new Lane(expectation);
  }

  admit(target: string, { kind, judgements }: Need): Admission {
    if (kind === "trial" && this.#limits.trials !== undefined && this.spent.trials >= this.#limits.trials)
      return { admit: false, wait: false, limit: "trials" };
    // `!`: every target of the exam has a lane, here and below.
    const lane = this.#lanes.get(target)!;
    const parts: LaneShare[] = kind === "judgement" ? [] : [{ lane, times: 1 }];
    if (judgements > 0 && this.#judges !== undefined) parts.push({ lane: this.#judges, times: judgements });
    const usd = this.#fits("usd", parts);
    if (!usd.admit) return usd;
    const tokens = this.#fits("tokens", parts);
    if (!tokens.admit) return tokens;
    for (const part of parts) part.lane.inFlight++;
    this.#inFlight++;
    this.#reserved.usd += usd.amount;
    this.#reserved.tokens += tokens.amount;
    if (kind === "trial") this.spent.trials++;
    return {
      admit: true,
      release: (actual) => {
        for (const part of parts) part.lane.inFlight--;
        this.#reserved.usd -= usd.amount;
        this.#reserved.tokens -= tokens.amount;
        if (--this.#inFlight === 0) this.#reserved = { usd: 0, tokens: 0 };
        if (kind !== "judgement") this.#pay(lane, actual);
        this.#payJudges(actual);
      },
    };
  }

  add(target: string, actual: Actual): void {
    this.#pay(this.#lanes.get(target)!, actual);
  }

  addTrials(count: number): void {
    this.spent.trials += count;
  }

  addPaid(usd: number): void {
    this.spent.usd += usd;
  }

  /** Adds tokens only: the trial's cost already includes its judges. */
  addJudged(judged: { asked: number; usage: Usage }): void {
    this.#payTokens(judged);
  }

  /** The mean of the costs so far, or the expected cost; null if unknown. */
  expectedUsd(target: string): number | null {
    const { usd, expectation } = this.#lanes.get(target)!;
    return usd.n === 0 ? expectation.usd : usd.sum / usd.n;
  }

  #pay(lane: Lane, { usd, usage, measured = false }: Actual): void {
    if (usd !== undefined) {
      this.spent.usd += usd;
      lane.usd.add(usd);
    } else if (lane.expectation.usd !== 0) {
      this.spent.unpriced++;
      if (measured && lane.expectation.usd === null) lane.unpriced = true;
      if (measured && lane.expectation.usd !== null) {
        this.spent.usd += lane.expectation.usd;
        lane.usd.add(lane.expectation.usd);
      }
    }
    const tokens = totalTokens(usage);
    if (tokens === undefined) return;
    this.spent.tokens += tokens;
    lane.tokens.add(tokens);
  }

  #payJudges({ judged }: Actual): void {
    if (judged === undefined || this.#judges === undefined) return;
    this.spent.usd += judged.usd;
    if (judged.unpriced) this.spent.unpriced++;
    else this.#judges.usd.add(judged.usd / judged.asked);
    this.#payTokens(judged);
  }

  #payTokens({ asked, usage }: { asked: number; usage?: Usage }): void {
    const tokens = totalTokens(usage);
    if (tokens === undefined) return;
    this.spent.tokens += tokens;
    this.#judges?.tokens.add(tokens / asked);
  }

  #fits(what: "usd" | "tokens", parts: readonly LaneShare[]): { admit: true; amount: number } | Refusal {
    const limit = this.#limits[what];
    if (limit === undefined) return { admit: true, amount: 0 };
    const left = limit - this.spent[what] - this.#reserved[what];
    let known = 0;
    let isKnown = true;
    for (const { lane, times } of parts) {
      const each = lane.reserve(what);
      if (each === 0) continue;
      // An answer came without its cost, so the next ones could cost anything.
      if (each === null && lane.unpriced && dollarsAlone(this.#limits))
        return { admit: false, wait: false, limit: what };
      // The first attempt of unknown size goes alone, to learn what the others will take.
      if (lane.inFlight > (each === null ? 0 : lane[what].n)) return { admit: false, wait: true, limit: what };
      if (each === null) isKnown = false;
      else known += times * each;
    }
    // An attempt of unknown size may use up everything left, so there must be something left.
    if (!isKnown && left <= known) return { admit: false, wait: this.#inFlight > 0, limit: what };
    const amount = isKnown ? known : left;
    if (amount <= left + 1e-9) return { admit: true, amount };
    return { admit: false, wait: this.#inFlight > 0, limit: what };
  }
}

/** True if only dollars are limited: an unknown cost would then be unlimited. */
export function dollarsAlone({ usd, tokens, trials }: RunLimits): boolean {
  return usd !== undefined && tokens === undefined && trials === undefined;
}

interface LaneShare {
  lane: Lane;
  times: number;
}

class Lane {
  readonly expectation: Expectation;
  readonly usd = new Seen();
  readonly tokens = new Seen();
  inFlight = 0;
  unpriced = false;

  constructor(expectation: Expectation) {
    this.expectation = expectation;
  }

  reserve(what: "usd" | "tokens"): number | null {
    const { n, most } = this[what];
    if (n >= SEEN_ENOUGH) return most;
    const { usd, mostUsd, tokens } = this.expectation;
    const expected = what === "tokens" ? tokens : usd === 0 ? 0 : (mostUsd ?? usd);
    if (n === 0) return expected;
    return Math.max(most, what === "usd" ? (mostUsd ?? 0) : 0);
  }
}

class Seen {
  n = 0;
  sum = 0;
  most = 0;

  add(value: number): void {
    this.n++;
    this.sum += value;
    this.most = Math.max(this.most, value);
  }
}
