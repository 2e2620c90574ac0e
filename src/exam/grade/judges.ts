import { type Mask, withWayOut } from "../../base/index.ts";
import type { Judge, JudgeReply, JudgeRequest } from "../../graders/index.ts";
import { type Ask, addUsage, type Transcript } from "../../model/index.ts";
import { loadModels, type ModelOptions, type TextJudge } from "../../targets/index.ts";
import { type Exam, judgesNamed } from "../plan/index.ts";
import { type Cache, openCache, type TargetCache } from "../record/index.ts";
import type { Job, JudgeBill, KeptJudgement } from "./executor.ts";
import { type Stops, TimeLimit } from "./time-limit.ts";

/** A judge for the graders of one trial, and its bill. */
export interface Judging {
  judge: Judge;
  bill: JudgeBill;
  /** What is to be kept and cannot be here. */
  said: KeptJudgement[];
  /** With `kept`: a judgement was needed that is not in the cache. */
  missing: boolean;
  /** The run was stopped while a judge was asked. */
  stopped: boolean;
}

/** The judges of free text of a run. What they said before is kept like the answers of targets. */
export interface Judges {
  /** Asks; each judgement has the time limit of the trial, and ends with the run. */
  ask(job: Job, stops: Stops): Judging;
  /** Asks nobody: what is in the cache, or an error. */
  kept(job: Job): Judging;
  /** Keeps what judges said elsewhere. */
  learn(said: readonly KeptJudgement[]): void;
  /** What one judgement is expected to cost, and costs at most; null = not known. The dearest of those that may be asked. */
  expectedUsd: number | null;
  mostUsd: number | null;
  close(): Promise<void>;
}

/** The judges, when a grader of what is really asked needs one and a model is named for it. A missing key is said before anything is asked. */
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

/** How judges are found by the names that suites give them. */
export type FindJudges = (
  names: readonly string[],
  models: ModelOptions & { always?: string },
) => Promise<(name: string | undefined) => TextJudge | undefined>;

const findJudges: FindJudges = async (names, models) => (await loadModels()).textJudges(names, models);

interface NamedJudges {
  find(name: string | undefined): TextJudge | undefined;
  names: readonly string[];
  /** Without one, what is to be kept is handed back with the result. */
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
    ask: (job, stops) => open(job, (judge, request, judging) => askLimited(judge, request, judging, job, stops)),
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
  judging: Judging,
  job: Job,
  stops: Stops,
): Promise<JudgeReply> {
  const { bill } = judging;
  const limit = new TimeLimit(job.timeoutMs, stops);
  try {
    bill.asked++;
    const asked = judge.ask(request, { signal: limit.signal, timeoutMs: job.timeoutMs });
    const judgement = await Promise.race([asked, limit.fired()]);
    if (limit.reason?.reason === "interrupted") judging.stopped = true;
    // A judge that does not listen to the signal is not waited for.
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

/** A judgement is kept like the answer to an ask. Its run tells apart what is judged independently: runs of a trial, votes, second attempts. */
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
