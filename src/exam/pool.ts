import { decided, type Judge } from "../graders/index.ts";
import type { Library } from "../skills/index.ts";
import type { Answer, Sitting, Target } from "../targets/index.ts";
import { type Activation, foldEvents, type Transcript, type TrialError } from "../transcripts/index.ts";
import type { Executor, Job, JobQuestion, JobResult } from "./executor.ts";
import { gradeTrial } from "./grade.ts";

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
  const skills = new Set(options.library.skills.map((skill) => skill.id));

  return {
    execute: (job, signal) => attempt(job, signal, { ...options, skills, sitting: () => sittingOf(job.target) }),
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
  skills: ReadonlySet<string>;
  sitting(): Promise<Sitting>;
}

async function attempt(job: Job, outer: AbortSignal, room: Room): Promise<JobResult> {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const limit = timeLimit(job.timeoutMs, outer);
  const enough = (activations: readonly Activation[]) => job.questions.every((question) => isDecided(question, activations, job));
  let answer: Answer | undefined;
  try {
    answer = await ask(job, room, limit.signal, enough);
    const model = room.models.get(job.target);
    const folded = await foldEvents(answer.events, { skills: room.skills, signal: limit.signal, ...(model !== undefined && { model }) });
    const transcript = forgiveLateEnd(folded, enough);
    const ms = performance.now() - start;
    const { checks, judgeUsd } = await gradeTrial(job, transcript, { workspace: answer.workspace, judge: room.judge });
    const raw = answer.raw?.();
    return { startedAt, ms, transcript, checks, ...(judgeUsd > 0 && { judgeUsd }), ...(raw !== undefined && { raw }) };
  } catch (error) {
    const transcript = failed(limit.signal.aborted ? limit.why() : crash(error));
    return { startedAt, ms: performance.now() - start, transcript, checks: [] };
  } finally {
    limit.clear();
    await dispose(answer);
  }
}

/** Waits for the answer to begin, but not for a target that does not listen to the signal. */
async function ask(job: Job, room: Room, signal: AbortSignal, enough: (activations: readonly Activation[]) => boolean): Promise<Answer> {
  const asked = room.sitting().then((sitting) => sitting.ask(job.ask, { run: job.run, signal, timeoutMs: job.timeoutMs, decided: enough }));
  const winner = await Promise.race([asked, aborted(signal)]);
  if (winner !== undefined) return winner;
  asked.then(dispose, () => {});
  throw signal.reason;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

interface TimeLimit {
  signal: AbortSignal;
  why(): TrialError;
  clear(): void;
}

function timeLimit(ms: number, outer: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const seconds = ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`;
  const tooLong: TrialError = { reason: "timeout", message: `No end within ${seconds}`, retryable: false };
  const interrupted: TrialError = { reason: "interrupted", message: "The run was stopped", retryable: false };
  const stop = () => controller.abort(interrupted);
  if (outer.aborted) stop();
  else outer.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => controller.abort(tooLong), ms);
  return {
    signal: controller.signal,
    why: () => controller.signal.reason as TrialError,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener("abort", stop);
    },
  };
}

function isDecided(question: JobQuestion, activations: readonly Activation[], job: Job): boolean {
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
