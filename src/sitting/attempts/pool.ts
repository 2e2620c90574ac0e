import type { PreparedExam } from "../../plan/index.ts";
import type { CachedAnswer } from "../../records/index.ts";
import type { Library } from "../../skills/index.ts";
import type { Answer, Asking, Sitting, Target } from "../../targets/index.ts";
import { foldEvents, type Transcript, type TrialError } from "../../transcripts/index.ts";
import { type Executor, isDecided, type Job, type JobResult } from "../executor.ts";
import { gradeTrial } from "./grade-trial.ts";
import type { Judges, Judging } from "./judges.ts";
import { Stops, TimeLimit } from "./time-limit.ts";

/** How long a target gets to put an answer's things away. */
const DISPOSE_MS = 10_000;

/** Executes attempts in this process. One sitting per target, opened when it is first asked. */
export function createPool({ library, targets }: Pick<PreparedExam, "library" | "targets">, judges?: Judges): Executor {
  const ids = library.skills.map((skill) => skill.id);
  const examinees = new Map<string, Examinee>(
    targets.map(({ target, identity }) => [
      target.id,
      { target, model: identity.model, skills: new Set([...ids, ...(target.beside ?? [])]), sitting: onceOpened(target, library) },
    ]),
  );
  const stops = new WeakMap<AbortSignal, Stops>();

  return {
    async execute(job, signal) {
      let known = stops.get(signal);
      if (known === undefined) {
        known = new Stops(signal);
        stops.set(signal, known);
      }
      const examinee = examinees.get(job.target);
      if (examinee === undefined) throw new Error(`${job.target} is not a target of this run`);
      return job.kept === undefined ? attempt(job, examinee, known, judges) : gradeKept(job, job.kept, known, judges);
    },
    async close() {
      await Promise.allSettled([...examinees.values()].map(({ sitting }) => sitting.close()));
    },
  };
}

/** A target before the library of this run. */
interface Examinee {
  target: Target;
  /** The model that was asked for: an answer from another is a lie about its own name. */
  model: string | undefined;
  /** The skills that can fire. */
  skills: ReadonlySet<string>;
  sitting: { open(): Promise<Sitting>; close(): Promise<void> };
}

function onceOpened(target: Target, library: Library): Examinee["sitting"] {
  let sitting: Promise<Sitting> | undefined;
  return {
    open() {
      if (sitting === undefined) {
        sitting = target.open(library);
        // A target that could not be opened is opened anew for the next attempt.
        sitting.catch(() => {
          sitting = undefined;
        });
      }
      return sitting;
    },
    async close() {
      await (await sitting)?.close();
    },
  };
}

async function attempt(job: Job, examinee: Examinee, stops: Stops, judges: Judges | undefined): Promise<JobResult> {
  await ready(job, examinee, stops);
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const limit = new TimeLimit(job.timeoutMs, stops);
  let answer: Answer | undefined;
  try {
    answer = await ask(job, examinee, limit);
    const transcript = forgiveLateEnd(await fold(answer, examinee, limit), job);
    const ms = performance.now() - start;
    // The trial is over; what judges take is their own time.
    limit.clear();
    const graded = await grade(job, transcript, answer.workspace, judges?.ask(job, stops));
    return { startedAt, ms, ...graded, raw: answer.raw?.() };
  } catch (error) {
    return { startedAt, ms: performance.now() - start, transcript: failed(limit.reason ?? crash(error)), checks: [] };
  } finally {
    limit.clear();
    await dispose(answer);
  }
}

/** Judges what the target answered before; the target is not asked. */
async function gradeKept(job: Job, { transcript }: CachedAnswer, stops: Stops, judges: Judges | undefined): Promise<JobResult> {
  const startedAt = new Date().toISOString();
  return { startedAt, ms: 0, ...(await grade(job, { ...transcript, costUsd: 0 }, undefined, judges?.ask(job, stops))) };
}

async function grade(
  job: Job,
  transcript: Transcript,
  workspace: string | undefined,
  judging: Judging | undefined,
): Promise<Pick<JobResult, "transcript" | "checks" | "judged" | "judgements">> {
  const checks = await gradeTrial(job, transcript, { workspace, judge: judging?.judge });
  if (judging?.stopped)
    return { transcript: failed({ reason: "interrupted", message: "The run was stopped", retryable: false }), checks: [] };
  if (judging === undefined || judging.bill.asked === 0) return { transcript, checks };
  return { transcript, checks, judged: judging.bill, judgements: judging.said.length > 0 ? judging.said : undefined };
}

const ENDLESS_MS = 2 ** 31 - 1;

/** What the target does before its first question takes no question's time; only the end of the run ends it. */
async function ready({ timeoutMs }: Job, { sitting }: Examinee, stops: Stops): Promise<void> {
  const opened = await sitting.open().catch(() => undefined);
  if (opened?.ready === undefined) return;
  const limit = new TimeLimit(ENDLESS_MS, stops);
  try {
    // What goes wrong in it is told by `ask`.
    await Promise.race([opened.ready({ signal: limit.signal, timeoutMs }).catch(() => {}), limit.fired()]);
  } finally {
    limit.clear();
  }
}

/** Waits for the answer to begin, but not for a target that does not listen to the signal. */
async function ask(job: Job, { sitting }: Examinee, limit: TimeLimit): Promise<Answer> {
  const asked = sitting.open().then((opened) => opened.ask(job.ask, new LimitedAsking(job, limit)));
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

  constructor(job: Job, limit: TimeLimit) {
    this.run = job.run;
    this.timeoutMs = job.timeoutMs;
    this.decided = (activations) => isDecided(job, activations);
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }
}

function fold({ events }: Answer, { skills, model }: Examinee, limit: TimeLimit): Promise<Transcript> {
  // Events that are all there already take no time, so nothing can end them early.
  return foldEvents(events, { skills, model, signal: Symbol.asyncIterator in events ? limit.signal : undefined });
}

/** A trial that ran out of time after everything on it was decided has been measured. */
function forgiveLateEnd(transcript: Transcript, job: Job): Transcript {
  const { outcome, activations } = transcript;
  if (outcome.status !== "error" || outcome.error.reason !== "timeout" || !isDecided(job, activations)) return transcript;
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
