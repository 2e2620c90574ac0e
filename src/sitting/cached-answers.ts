import { decided, type Judge } from "../graders/index.ts";
import type { PreparedExam } from "../plan/index.ts";
import { type CachedSkill, type Mask, openCache, type TargetCache, type TrialLine } from "../records/index.ts";
import type { Activation } from "../transcripts/index.ts";
import type { Job, JobResult } from "./executor.ts";
import { gradeTrial } from "./grade-trial.ts";
import { cachedLine } from "./trial-line.ts";

/** Answers that were measured before, and the new ones for the next time. */
export interface Answers {
  /** The trial as the cache answers it, graded by today's questions. */
  find(job: Job): Promise<TrialLine | undefined>;
  /** Why it is asked although a similar answer is kept. */
  whyAsked(job: Job): Promise<string | undefined>;
  learn(job: Job, result: JobResult): void;
  /** Why nothing more is kept, if that is so. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/** Targets that answer from text in no time, and replays, have nothing to gain from a cache. */
const NEVER_CACHED = new Set(["embedded", "replay"]);

export function openAnswers(exam: PreparedExam, skills: readonly CachedSkill[], mask: Mask, judge?: Judge): Answers {
  const { options, targets } = exam;
  const cache = options.cache ? openCache(exam.home, { mask }) : undefined;
  const caches = new Map<string, TargetCache>();
  for (const { target, identity } of targets) {
    if (cache === undefined || NEVER_CACHED.has(target.kind)) continue;
    const { id, kind, perSkill } = target;
    caches.set(id, cache.forTarget({ id, kind, identity, ...(perSkill && { perSkill }) }, skills));
  }
  return {
    async find(job) {
      const enough = (activations: readonly Activation[]) =>
        job.questions.every((question) => "expect" in question && decided(question.expect, activations, job.evidence));
      const answer = options.refresh ? undefined : await caches.get(job.target)?.get(job.ask, job.run, enough);
      if (answer === undefined) return undefined;
      const { checks } = await gradeTrial(job, answer.transcript, { judge });
      // A check that needs the workspace cannot be made on a kept answer.
      if (checks.some((check) => check.passed === null)) return undefined;
      return cachedLine({ target: job.target, ask: job.ask.key, run: job.run }, answer, checks);
    },
    async whyAsked(job) {
      return options.refresh ? undefined : caches.get(job.target)?.whyAsked(job.ask, job.run);
    },
    learn(job, { startedAt, ms, transcript }) {
      if (transcript.outcome.status !== "error") caches.get(job.target)?.put(job.ask, job.run, { measuredAt: startedAt, ms, transcript });
    },
    problem: () => cache?.problem(),
    async close() {
      await cache?.close();
    },
  };
}
