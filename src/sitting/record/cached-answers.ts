import type { Mask } from "../../base/index.ts";
import type { PreparedExam } from "../../plan/index.ts";
import { type CachedAnswer, type CachedSkill, openCache, type TargetCache, type TrialLine } from "../../records/index.ts";
import { gradeTrial, programSetting } from "../attempts/grade-trial.ts";
import type { Judges } from "../attempts/judges.ts";
import { isDecided, type Job, type JobResult } from "../executor.ts";
import { cachedLine } from "./trial-line.ts";

/** Answers that were measured before, and the new ones for the next time. */
export type CachedAnswers = ReturnType<typeof openAnswers>;

/** Targets that answer from text in no time, and replays, have nothing to gain from a cache. */
const NEVER_CACHED = new Set(["embedded", "replay"]);

/** `line`: the trial as the cache answers it. `unjudged`: a judge that was not asked about it before has to be. */
export type KeptTrial = { status: "line" | "unjudged"; line: TrialLine; answer: CachedAnswer };

export function openAnswers(exam: PreparedExam, skills: readonly CachedSkill[], mask: Mask, judges?: Judges) {
  const { home, options, targets } = exam;
  const setting = programSetting(exam);
  const cache = options.cache ? openCache(home, { mask }) : undefined;
  const caches = new Map<string, TargetCache>();
  for (const { target, identity } of targets) {
    if (cache === undefined || NEVER_CACHED.has(target.kind)) continue;
    const { id, kind, perSkill } = target;
    caches.set(id, cache.forTarget({ id, kind, identity, perSkill }, skills));
  }
  return {
    /** The trial as the cache answers it, graded by today's questions. */
    async find(job: Job): Promise<KeptTrial | undefined> {
      const answer = options.refresh ? undefined : await caches.get(job.target)?.get(job.ask, job.run, (seen) => isDecided(job, seen));
      if (answer === undefined) return undefined;
      const judging = judges?.kept(job);
      const checks = await gradeTrial(job, answer.transcript, { judge: judging?.judge, setting, ms: answer.ms });
      const line = cachedLine(job, answer, checks);
      if (judging?.missing) return { status: "unjudged", line, answer };
      // What was kept is not enough for a check: asked again, it may be.
      return checks.some((check) => check.passed === null) ? undefined : { status: "line", line, answer };
    },
    /** Why it is asked although a similar answer is kept. */
    async whyAsked(job: Job): Promise<string | undefined> {
      return options.refresh ? undefined : caches.get(job.target)?.whyAsked(job.ask, job.run);
    },
    learn(job: Job, { startedAt, ms, transcript }: JobResult): void {
      if (transcript.outcome.status !== "error") caches.get(job.target)?.put(job.ask, job.run, { measuredAt: startedAt, ms, transcript });
    },
    /** Why nothing more is kept, if the disk refuses. */
    problem(): string | undefined {
      return cache?.problem();
    },
    async close(): Promise<void> {
      await cache?.close();
    },
  };
}
