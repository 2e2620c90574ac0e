import type { ErrorReason, TrialLine, TrialStats, Usage } from "../../../model/index.ts";
import { errorLabel } from "../labels.ts";
import { type AskTally, statesOf } from "./ask-tally.ts";

/** Target kinds that cost nothing and need not report it. */
const free = new Set(["embedded", "script", "replay"]);

export class TrialStatsTally {
  readonly #kind: string;
  readonly #messages = new Map<ErrorReason, string>();
  readonly #raw = new Set<ErrorReason>();
  readonly #because = new Map<string, number>();
  readonly #stats = {
    retries: 0,
    cached: 0,
    savedMs: 0,
    savedUsd: 0,
    ms: 0,
    timed: 0,
    cpuMs: 0,
    metered: 0,
    peakBytes: 0,
    input: 0,
    output: 0,
  };
  readonly #cost = { usd: 0, known: 0, unknown: 0, estimated: 0 };
  #oldestCached: string | undefined;

  constructor(kind: string) {
    this.#kind = kind;
  }

  add(trial: TrialLine): void {
    if (trial.error !== undefined && !this.#messages.has(trial.error.reason))
      this.#messages.set(trial.error.reason, trial.error.message);
    if (trial.error !== undefined && trial.raw !== undefined) this.#raw.add(trial.error.reason);
    if (trial.cached !== undefined) {
      this.#stats.cached++;
      this.#stats.savedMs += trial.cached.savedMs;
      this.#stats.savedUsd += trial.cached.savedUsd ?? 0;
      if (this.#oldestCached === undefined || trial.cached.measuredAt < this.#oldestCached)
        this.#oldestCached = trial.cached.measuredAt;
      return;
    }
    this.#stats.retries += Math.max(0, trial.attempts.length - 1);
    if (trial.error === undefined) {
      this.#stats.ms += trial.ms;
      this.#stats.timed++;
    }
    if (trial.resources !== undefined) {
      this.#stats.cpuMs += trial.resources.cpuMs;
      this.#stats.metered++;
      this.#stats.peakBytes = Math.max(this.#stats.peakBytes, trial.resources.peakMemoryBytes);
    }
    // A trial that failed before the target was asked has not been asked again.
    if (trial.askedBecause !== undefined && trial.error === undefined)
      this.#because.set(trial.askedBecause, (this.#because.get(trial.askedBecause) ?? 0) + 1);
    this.#addUsage(trial);
    this.#addCost(trial);
  }

  explain(reason: ErrorReason): string {
    const message = this.#messages.get(reason);
    return message === undefined || message === "" ? errorLabel(reason) : `${errorLabel(reason)} (${message})`;
  }

  finish(asks: Iterable<AskTally>): TrialStats {
    const errors: TrialStats["errors"] = {};
    let total = 0;
    let measured = 0;
    for (const ask of asks) {
      const states = statesOf(ask);
      total += states.measured + states.errors.length;
      measured += states.measured;
      for (const state of states.errors) {
        errors[state] ??= {
          trials: 0,
          message: this.#messages.get(state) ?? "",
          raw: this.#raw.has(state) ? true : undefined,
        };
        errors[state].trials++;
      }
    }
    const { retries, cached, savedMs, savedUsd, ms, timed, cpuMs, metered, peakBytes, input, output } = this.#stats;
    return {
      total,
      measured,
      errors,
      retries,
      cached,
      oldestCached: this.#oldestCached,
      savedMs,
      savedUsd,
      cost: { ...this.#cost },
      perTrial: {
        ms: timed === 0 ? null : ms / timed,
        usd: this.#cost.known === 0 ? null : this.#cost.usd / this.#cost.known,
        cpuMs: metered === 0 ? null : cpuMs / metered,
      },
      peakMemoryBytes: metered === 0 ? null : peakBytes,
      tokens: { input, output },
      askedBecause: [...this.#because]
        .map(([reason, trials]) => ({ reason, trials }))
        .sort((a, b) => b.trials - a.trials || (a.reason < b.reason ? -1 : 1))
        .slice(0, 20),
    };
  }

  #addUsage({ usage, attempts }: TrialLine): void {
    let reported = false;
    for (const attempt of attempts) {
      if (attempt.usage === undefined) continue;
      reported = true;
      this.#count(attempt.usage);
    }
    if (!reported && usage !== undefined) this.#count(usage);
  }

  #count({ inputTokens = 0, outputTokens = 0 }: Usage): void {
    this.#stats.input += inputTokens;
    this.#stats.output += outputTokens;
  }

  /** A trial's own cost is that of its last attempt if attempts report costs; failed attempts cost money too. */
  #addCost({ costUsd, costEstimated, attempts, error }: TrialLine): void {
    let tried: number | undefined;
    for (const attempt of attempts) if (attempt.costUsd !== undefined) tried = (tried ?? 0) + attempt.costUsd;
    // These targets report that an answer was free. If they report nothing, a judge without a known price was asked.
    const isFree = free.has(this.#kind) && (error !== undefined || this.#kind === "embedded");
    if (costUsd !== undefined || tried !== undefined || isFree) this.#cost.known++;
    else this.#cost.unknown++;
    if (costEstimated === true) this.#cost.estimated++;
    this.#cost.usd += Math.max(costUsd ?? 0, tried ?? 0);
  }
}
