import { decided, type Judge } from "../graders/index.ts";
import type { QuestionCheck } from "../plan/index.ts";
import type { Library } from "../skills/index.ts";
import type { Answer, Asking, Sitting, Target } from "../targets/index.ts";
import { type Activation, foldEvents, type Transcript, type TrialError } from "../transcripts/index.ts";
import type { Executor, Job, JobResult } from "./executor.ts";
import { gradeTrial } from "./grade-trial.ts";
import { Stops, TimeLimit } from "./time-limit.ts";

/** How long a target gets to put an answer's things away. */
const DISPOSE_MS = 10_000;

export interface PoolOptions {
  targets: ReadonlyMap<string, Target>;
  library: Library;
  /** The models that were asked for, by target: an answer from another is a lie about its own name. */
  models: ReadonlyMap<string, string>;
  judge?: Judge;
}

/** Executes attempts in this process. One sitting per target, opened when it is first asked. */
export function createPool(options: PoolOptions): Executor {
  const sittings = new Map<string, Promise<Sitting>>();
  const library = options.library.skills.map((skill) => skill.id);
  const skills = new Map([...options.targets].map(([id, { beside = [] }]) => [id, new Set([...library, ...beside])]));

  const room = { ...options, skills, sitting: sittingOf };
  const stops = new WeakMap<AbortSignal, Stops>();

  return {
    execute(job, signal) {
      let known = stops.get(signal);
      if (known === undefined) {
        known = new Stops(signal);
        stops.set(signal, known);
      }
      return attempt(job, known, room);
    },
    async close() {
      const open = await Promise.allSettled(sittings.values());
      await Promise.allSettled(open.flatMap((sitting) => (sitting.status === "fulfilled" ? [sitting.value.close()] : [])));
    },
  };

  function sittingOf(target: string): Promise<Sitting> {
    let sitting = sittings.get(target);
    if (sitting === undefined) {
      sitting = options.targets.get(target)!.open(options.library);
      sittings.set(target, sitting);
      // A target that could not be opened is opened anew for the next attempt.
      sitting.catch(() => sittings.delete(target));
    }
    return sitting;
  }
}

interface Room extends PoolOptions {
  /** The skills that can fire, by target. */
  skills: ReadonlyMap<string, ReadonlySet<string>>;
  sitting(target: string): Promise<Sitting>;
}

async function attempt(job: Job, stops: Stops, room: Room): Promise<JobResult> {
  await ready(job, stops, room);
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const limit = new TimeLimit(job.timeoutMs, stops);
  const enough = (activations: readonly Activation[]) => job.questions.every((question) => isDecided(question, activations, job));
  let answer: Answer | undefined;
  try {
    answer = await ask(job, room, limit, enough);
    const transcript = forgiveLateEnd(await fold(answer, job, room, limit), enough);
    const ms = performance.now() - start;
    const { checks, judgeUsd } = await gradeTrial(job, transcript, { workspace: answer.workspace, judge: room.judge });
    const raw = answer.raw?.();
    return { startedAt, ms, transcript, checks, ...(judgeUsd > 0 && { judgeUsd }), ...(raw !== undefined && { raw }) };
  } catch (error) {
    return { startedAt, ms: performance.now() - start, transcript: failed(limit.reason ?? crash(error)), checks: [] };
  } finally {
    limit.clear();
    await dispose(answer);
  }
}

const ENDLESS_MS = 2 ** 31 - 1;

/** What the target does before its first question takes no question's time; only the end of the run ends it. */
async function ready({ target, timeoutMs }: Job, stops: Stops, room: Room): Promise<void> {
  const sitting = await room.sitting(target).catch(() => undefined);
  if (sitting?.ready === undefined) return;
  const limit = new TimeLimit(ENDLESS_MS, stops);
  try {
    // What goes wrong in it is told by `ask`.
    await Promise.race([sitting.ready({ signal: limit.signal, timeoutMs }).catch(() => {}), limit.fired()]);
  } finally {
    limit.clear();
  }
}

/** Waits for the answer to begin, but not for a target that does not listen to the signal. */
async function ask(job: Job, room: Room, limit: TimeLimit, enough: (activations: readonly Activation[]) => boolean): Promise<Answer> {
  const asking = new LimitedAsking(job, enough, limit);
  const asked = room.sitting(job.target).then((sitting) => sitting.ask(job.ask, asking));
  const winner = await Promise.race([asked, limit.fired()]);
  if (winner !== undefined) return winner;
  asked.then(dispose, () => {});
  throw limit.reason;
}

class LimitedAsking implements Asking {
  readonly run: number;
  readonly timeoutMs: number;
  readonly decided: Asking["decided"];
  readonly #limit: TimeLimit;

  constructor({ run, timeoutMs }: Job, decided: Asking["decided"], limit: TimeLimit) {
    this.run = run;
    this.timeoutMs = timeoutMs;
    this.decided = decided;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }
}

function fold({ events }: Answer, job: Job, room: Room, limit: TimeLimit): Promise<Transcript> {
  const model = room.models.get(job.target);
  // Events that are all there already take no time, so nothing can end them early.
  const signal = Symbol.asyncIterator in events ? { signal: limit.signal } : {};
  return foldEvents(events, { skills: room.skills.get(job.target)!, ...signal, ...(model !== undefined && { model }) });
}

function isDecided(question: QuestionCheck, activations: readonly Activation[], job: Job): boolean {
  return "expect" in question && decided(question.expect, activations, job.evidence);
}

/** A trial that ran out of time after everything on it was decided has been measured. */
function forgiveLateEnd(transcript: Transcript, enough: (activations: readonly Activation[]) => boolean): Transcript {
  const { outcome, activations } = transcript;
  if (outcome.status !== "error" || outcome.error.reason !== "timeout" || !enough(activations)) return transcript;
  return { ...transcript, outcome: { status: "activations", activations }, how: "stopped" };
}

async function dispose(answer: Answer | undefined): Promise<void> {
  if (answer === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DISPOSE_MS);
  });
  await Promise.race([answer.dispose().catch(() => {}), patience]);
  clearTimeout(timer);
}

function crash(error: unknown): TrialError {
  return { reason: "crash", message: `The target failed: ${error instanceof Error ? error.message : String(error)}`, retryable: true };
}

function failed(error: TrialError): Transcript {
  return { outcome: { status: "error", error }, activations: [], calls: [], texts: [], finalText: "", turns: 0, how: "error" };
}
