import { createMask, type Mask } from "../../../base/index.ts";
import type { TrialLine } from "../../../model/index.ts";
import {
  type ComparedReplies,
  comparesReplies,
  gradeTrial,
  isDecided,
  type Job,
  type JobResult,
  type Judges,
  programSetting,
} from "../../grade/index.ts";
import type { Exam } from "../../plan/index.ts";
import { type CachedAnswer, type CachedSkill, openCache, type TargetCache } from "../../record/index.ts";
import { takeSnapshot } from "../snapshot.ts";
import { jobOf } from "../trial.ts";
import { cachedLine } from "./trial-line.ts";

export type CachedAnswers = ReturnType<typeof openAnswers>;

/** Instant targets and replays gain nothing from a cache. */
const NEVER_CACHED = new Set(["embedded", "replay"]);

/** `unjudged`: the answer is cached, but a judge still has to be asked about it. */
export type KeptTrial = { status: "line" | "unjudged"; line: TrialLine; answer: CachedAnswer };

interface AnswersRequest {
  exam: Exam;
  skills: readonly CachedSkill[];
  mask: Mask;
  judges?: Judges | undefined;
  replies?: ComparedReplies;
}

export function openAnswers({ exam, skills, mask, judges, replies }: AnswersRequest) {
  const { home, options, targets } = exam;
  const setting = programSetting(exam);
  const cache = options.cache ? openCache(home, { mask }) : undefined;
  const opened = new Map<string, TargetCache>();
  const byId = new Map(targets.map((one) => [one.target.id, one]));
  // A skill that is left out or replaced cannot change the answer, so its files are not part of the key.
  const cacheFor = ({ target: id, ask: { variant, skill } }: Job): TargetCache | undefined => {
    const found = byId.get(id);
    if (cache === undefined || found === undefined || NEVER_CACHED.has(found.target.kind)) return undefined;
    const without = variant === undefined ? undefined : skill;
    const key = `${id}\0${without ?? ""}`;
    let known = opened.get(key);
    if (known === undefined) {
      const { kind, perSkill } = found.target;
      const staged = without === undefined ? skills : skills.filter((one) => one.id !== without);
      known = cache.forTarget({ id, kind, identity: found.identity, perSkill }, staged);
      opened.set(key, known);
    }
    return known;
  };
  return {
    async find(job: Job): Promise<KeptTrial | undefined> {
      const answer = options.refresh
        ? undefined
        : await cacheFor(job)?.get(job.ask, job.run, (seen) => isDecided(job, seen));
      if (answer === undefined) return undefined;
      const judging = judges?.kept(job);
      const baseline = comparesReplies(job) ? await replies?.to(job) : undefined;
      const checks = await gradeTrial(job, answer.transcript, {
        judge: judging?.judge,
        setting,
        ms: answer.ms,
        baseline,
      });
      const line = cachedLine(job, answer, { checks });
      replies?.note(job, Promise.resolve({ transcript: answer.transcript }));
      if (judging?.missing) return { status: "unjudged", line, answer };
      // The cached answer lacks something that a check needs; a new answer may have it.
      return checks.some((check) => check.passed === null) ? undefined : { status: "line", line, answer };
    },
    async whyAsked(job: Job): Promise<string | undefined> {
      return options.refresh ? undefined : cacheFor(job)?.whyAsked(job.ask, job.run);
    },
    learn(job: Job, { startedAt, ms, transcript }: JobResult): void {
      if (transcript.outcome.status !== "error")
        cacheFor(job)?.put(job.ask, job.run, { measuredAt: startedAt, ms, transcript });
    },
    async close(notice?: (text: string) => void): Promise<void> {
      await cache?.close();
      const problem = cache?.problem();
      if (problem !== undefined) notice?.(`The cache was not written: ${problem}. The next run asks again.`);
    },
  };
}

export async function cachedTrials(exam: Exam): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (!exam.options.cache || exam.options.refresh) return counts;
  const snapshot = await takeSnapshot(exam);
  const answers = openAnswers({ exam: snapshot.exam, skills: snapshot.staged, mask: createMask([]) });
  try {
    for (const ask of snapshot.exam.plan.asks) {
      for (let run = 1; run <= ask.runs; run++) {
        const kept = await answers.find(jobOf({ ask, run }, snapshot.exam));
        if (kept?.status === "line") counts.set(ask.target, (counts.get(ask.target) ?? 0) + 1);
      }
    }
  } finally {
    await answers.close();
    await snapshot.remove();
  }
  return counts;
}
