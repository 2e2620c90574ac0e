import { type Mask, withWayOut } from "../../base/index.ts";
import type { Judge, JudgeReply, JudgeRequest } from "../../graders/index.ts";
import { type Ask, addUsage, type Transcript } from "../../model/index.ts";
import { loadModels, type ModelOptions, type TextJudge } from "../../targets/index.ts";
import { type Exam, judgesNamed } from "../plan/index.ts";
import { type Cache, openCache, type TargetCache } from "../record/index.ts";
import type { Job, JudgeBill, KeptJudgement } from "./executor.ts";
import { type Stops, TimeLimit } from "./time-limit.ts";

export interface Judging {
  judge: Judge;
  bill: JudgeBill;
  /** New judgements, if there is no cache here to keep them. */
  said: KeptJudgement[];
  missing: boolean;
  stopped: boolean;
}

export interface Judges {
  /** Each judgement has the trial's time limit and ends with the run. */
  ask(job: Job, stops: Stops): Judging;
  /** Uses cached judgements only. Others throw and set `missing`. */
  kept(job: Job): Judging;
  learn(said: readonly KeptJudgement[]): void;
  /** Cost of one judgement by the most expensive judge; null if unknown. */
  expectedUsd: number | null;
  mostUsd: number | null;
  close(): Promise<void>;
}

/** Returns undefined if no grader needs a judge. Throws if a key is missing, before anything is asked. */
export async function openJudges(
  exam: Exam,
  {
    mask,
    find = findJudges,
    named = judgesNamed(exam),
  }: { mask: Mask; find?: FindJudges | undefined; named?: string[] },
): Promise<Judges | undefined> {
  const { options, models, home } = exam;
  if (named.length === 0) return undefined;
  try {
    const cache = options.cache ? openCache(home, { mask }) : undefined;
    const found = await find(named, { ...models, always: options.judge });
    return judgesOf({ find: found, names: named, cache, refresh: options.refresh });
  } catch (error) {
    throw withWayOut(
      error,
      "It judges the text of cases: --only triggers asks none, and -t embedded predicts the triggers offline.",
    );
  }
}

export type FindJudges = (
  names: readonly string[],
  models: ModelOptions & { always?: string },
) => Promise<(name: string | undefined) => TextJudge | undefined>;

const findJudges: FindJudges = async (names, models) => (await loadModels()).textJudges(names, models);

interface NamedJudges {
  find(name: string | undefined): TextJudge | undefined;
  names: readonly string[];
  /** If absent, new judgements are returned in `Judging.said`. */
  cache?: Cache | undefined;
  refresh?: boolean;
}

export function judgesOf({ find, names, cache, refresh = false }: NamedJudges): Judges {
  const caches = new Map<TextJudge, TargetCache>();
  const all = [...new Set(names.flatMap((name) => find(name) ?? []))];
  for (const judge of all) {
    const kept = cache?.forTarget(
      { id: `judge of text ${judge.identity.model ?? ""}`, kind: "text-judge", identity: judge.identity },
      [],
    );
    if (kept !== undefined) caches.set(judge, kept);
  }
  const open = (
    job: Job,
    ask?: (judge: TextJudge, request: JudgeRequest, judging: Judging) => Promise<JudgeReply>,
  ): Judging => {
    const judging: Judging = {
      bill: { asked: 0, usd: 0, unpriced: false },
      said: [],
      missing: false,
      stopped: false,
      async judge(request) {
        const judge = find(request.model);
        if (judge === undefined)
          throw new Error("no judge is set: --judge MODEL, or judge.model or defaults.model in the suite");
        const place = placeOf(request, job.run);
        const known = refresh && ask !== undefined ? undefined : await caches.get(judge)?.get(place.ask, place.run);
        if (known !== undefined) return { text: known.transcript.finalText };
        if (ask === undefined) {
          judging.missing = true;
          throw new Error("this judgement was not kept");
        }
        const startedAt = new Date();
        const reply = await ask(judge, request, judging);
        const keep = () => {
          const ms = Date.now() - startedAt.getTime();
          const answer = { measuredAt: startedAt.toISOString(), ms, transcript: transcriptOf(reply.text) };
          if (cache === undefined) judging.said.push({ model: request.model, ...place, answer });
          else caches.get(judge)?.put(place.ask, place.run, answer);
        };
        return reply.cut ? reply : { ...reply, keep };
      },
    };
    return judging;
  };
  return {
    ask: (job, stops) => open(job, (judge, request, judging) => askLimited(judge, request, { judging, job, stops })),
    kept: (job) => open(job),
    learn(said) {
      for (const { model, ask, run, answer } of said) {
        const judge = find(model);
        if (judge !== undefined) caches.get(judge)?.put(ask, run, answer);
      }
    },
    expectedUsd: dearest(all.map(({ expectedUsd }) => expectedUsd)),
    mostUsd: dearest(all.map(({ mostUsd }) => mostUsd)),
    close: async () => cache?.close(),
  };
}

async function askLimited(
  judge: TextJudge,
  request: JudgeRequest,
  { judging, job, stops }: { judging: Judging; job: Job; stops: Stops },
): Promise<JudgeReply> {
  const { bill } = judging;
  const limit = new TimeLimit(job.timeoutMs, stops);
  try {
    bill.asked++;
    const asked = judge.ask(request, { signal: limit.signal, timeoutMs: job.timeoutMs });
    const judgement = await Promise.race([asked, limit.fired()]);
    if (limit.reason?.reason === "interrupted") judging.stopped = true;
    // A judge that ignores the signal is not waited for.
    if (judgement === undefined) throw new Error(`the judge did not answer: ${limit.reason?.message}`);
    bill.usage = addUsage(bill.usage, judgement.usage);
    if (judgement.costUsd !== undefined) bill.usd += judgement.costUsd;
    else if (judgement.status === "text") bill.unpriced = true;
    if (judgement.status === "error") throw new Error(judgement.message);
    return { text: judgement.text, cut: judgement.cut };
  } finally {
    limit.clear();
  }
}

/**
 * A judgement is cached like the answer to an ask. Runs, votes and second attempts are independent judgements, so each
 * has its own run number.
 */
function placeOf({ system, prompt, vote, attempt }: JudgeRequest, run: number): { ask: Ask; run: number } {
  const ask: Ask = {
    key: "",
    kind: "case",
    prompt: `${system}\n\n${prompt}`,
    files: [],
    messages: [],
    library: "",
    limits: {},
  };
  return { ask, run: (run - 1) * 32 + vote * 2 + attempt + 1 };
}

function transcriptOf(text: string): Transcript {
  const outcome = { status: "activations" as const, activations: [] };
  return { outcome, activations: [], calls: [], texts: [], finalText: text, turns: 1, how: "completed" };
}

function dearest(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((most, cost) => (most === null || cost === null ? null : Math.max(most, cost)), 0);
}
