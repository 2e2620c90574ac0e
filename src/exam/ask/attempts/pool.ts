import { foldEvents, type Library, type Transcript, type TrialError } from "../../../model/index.ts";
import type { Answer, Asking, OpenTarget, ProgramSetting, Target } from "../../../targets/index.ts";
import {
  type ComparedReplies,
  type Executor,
  failedAttempt,
  failedTranscript,
  type GradingTools,
  gradeTrial,
  isDecided,
  type Job,
  type JobResult,
  type Judges,
  type Judging,
  programSetting,
  STOPPED,
  Stops,
  TimeLimit,
  withComparedReplies,
  withoutSkill,
} from "../../grade/index.ts";
import type { Exam } from "../../plan/index.ts";
import type { CachedAnswer, RecordPlace } from "../../record/index.ts";
import type { Workers } from "../run-request.ts";
import type { Snapshot } from "../snapshot.ts";
import { nextMessage } from "./next-message.ts";

const DISPOSE_MS = 10_000;

/** Executes attempts in this process. Each target is opened when it is first asked. */
export function createPool(
  {
    library,
    targets,
    setting = { sandbox: "auto", env: process.env },
  }: Pick<Exam, "library" | "targets"> & { setting?: ProgramSetting },
  judges?: Judges,
): Executor {
  const ids = library.skills.map((skill) => skill.id);
  const examinees = new Map<string, AskedTarget>(
    targets.map(({ target, identity }) => [
      target.id,
      {
        target,
        model: identity.model,
        skills: new Set([...ids, ...(target.beside ?? [])]),
        library,
        sitting: onceOpened(target, library),
      },
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
      const grading = { setting, judges, stops: known };
      return job.kept === undefined ? attempt(job, examinee, grading) : gradeKept(job, job.kept, grading);
    },
    async close() {
      await Promise.allSettled([...examinees.values()].map(({ sitting }) => sitting.close()));
    },
  };
}

interface ExecutorRequest {
  snapshot: Snapshot;
  judges: Judges | undefined;
  replies: ComparedReplies;
  fleet: Workers | undefined;
  record: RecordPlace;
  finish: AbortSignal;
  notice(text: string): void;
}

export async function openExecutor(request: ExecutorRequest): Promise<Executor> {
  const { snapshot, judges, replies, fleet, record, finish, notice } = request;
  const { exam, library } = snapshot;
  const here = createPool({ library, targets: exam.targets, setting: programSetting(exam) }, judges);
  const executor = fleet === undefined ? here : await fleet.open({ snapshot, record, here, finish, notice });
  return withComparedReplies(executor, replies);
}

interface AskedTarget {
  target: Target;
  model: string | undefined;
  skills: ReadonlySet<string>;
  library: Library;
  sitting: { open(): Promise<OpenTarget>; close(): Promise<void> };
}

function onceOpened(target: Target, library: Library): AskedTarget["sitting"] {
  let sitting: Promise<OpenTarget> | undefined;
  return {
    open() {
      if (sitting === undefined) {
        sitting = target.open(library);
        // An open that failed is tried again by the next attempt.
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

interface Grading {
  setting: ProgramSetting;
  judges: Judges | undefined;
  stops: Stops;
}

async function attempt(job: Job, examinee: AskedTarget, { setting, judges, stops }: Grading): Promise<JobResult> {
  await ready(job, examinee, stops);
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const limit = new TimeLimit(job.timeoutMs, stops);
  let answer: Answer | undefined;
  try {
    const judging = judges?.ask(job, stops);
    answer = await ask(job, examinee, { limit, next: nextMessage(job.ask, judging?.judge) });
    const folded = forgiveLateEnd(await fold(answer, examinee, { limit, began: Date.parse(startedAt) }), job);
    const ms = performance.now() - start;
    // The trial is over: judges and programs have time limits of their own.
    limit.clear();
    const transcript = withoutSkill(withFiles(folded, answer), job, examinee.library);
    const tools = { setting, programs: answer.programs, ms, baseline: job.compared, judging };
    const graded = await grade(job, transcript, tools);
    return { startedAt, ms, ...graded, raw: answer.raw?.() };
  } catch (error) {
    return failedAttempt(limit.reason ?? crash(error), { startedAt, ms: performance.now() - start });
  } finally {
    limit.clear();
    await dispose(answer);
  }
}

async function gradeKept(job: Job, kept: CachedAnswer, { setting, judges, stops }: Grading): Promise<JobResult> {
  const startedAt = new Date().toISOString();
  const transcript = { ...kept.transcript, costUsd: 0 };
  const judging = judges?.ask(job, stops);
  const graded = await grade(job, transcript, { setting, ms: kept.ms, baseline: job.compared, judging });
  return { startedAt, ms: 0, ...graded };
}

function withFiles(transcript: Transcript, { files }: Answer): Transcript {
  if (files === undefined || transcript.outcome.status === "error") return transcript;
  return { ...transcript, workspace: files() };
}

async function grade(
  job: Job,
  transcript: Transcript,
  { judging, ...tools }: GradingTools & { judging: Judging | undefined },
): Promise<Pick<JobResult, "transcript" | "checks" | "judged" | "judgements">> {
  const checks = await gradeTrial(job, transcript, { ...tools, judge: judging?.judge });
  if (judging?.stopped) return { transcript: failedTranscript(STOPPED), checks: [] };
  if (judging === undefined || judging.bill.asked === 0) return { transcript, checks };
  return { transcript, checks, judged: judging.bill, judgements: judging.said.length > 0 ? judging.said : undefined };
}

const ENDLESS_MS = 2 ** 31 - 1;

/** A target's preparation does not count against a question's time limit. Only the end of the run stops it. */
async function ready({ timeoutMs }: Job, { sitting }: AskedTarget, stops: Stops): Promise<void> {
  const opened = await sitting.open().catch(() => undefined);
  if (opened?.ready === undefined) return;
  const limit = new TimeLimit(ENDLESS_MS, stops);
  try {
    // `ask` opens the target as well and reports its errors.
    await Promise.race([opened.ready({ signal: limit.signal, timeoutMs }).catch(() => {}), limit.fired()]);
  } finally {
    limit.clear();
  }
}

/** Does not wait for a target that ignores the signal. */
async function ask(
  job: Job,
  { sitting }: AskedTarget,
  { limit, next }: { limit: TimeLimit; next: Asking["next"] },
): Promise<Answer> {
  const asked = sitting.open().then((opened) => opened.ask(job.ask, new LimitedAsking(job, limit, next)));
  const winner = await Promise.race([asked, limit.fired()]);
  if (winner !== undefined) return winner;
  asked.then(dispose, () => {});
  throw limit.reason;
}

class LimitedAsking implements Asking {
  readonly run: number;
  readonly timeoutMs: number;
  readonly decided: Asking["decided"];
  readonly next: Asking["next"];
  readonly #limit: TimeLimit;

  constructor(job: Job, limit: TimeLimit, next: Asking["next"]) {
    this.run = job.run;
    this.timeoutMs = job.timeoutMs;
    this.decided = (activations) => isDecided(job, activations);
    this.next = next;
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }
}

function fold(
  { events }: Answer,
  { skills, model }: AskedTarget,
  { limit, began }: { limit: TimeLimit; began: number },
): Promise<Transcript> {
  // Events that are already complete take no time, so no limit applies to them.
  return foldEvents(events, {
    skills,
    model,
    began,
    signal: Symbol.asyncIterator in events ? limit.signal : undefined,
  });
}

/** A trial that timed out after all of its checks were decided counts as measured. */
function forgiveLateEnd(transcript: Transcript, job: Job): Transcript {
  const { outcome, activations } = transcript;
  if (outcome.status !== "error" || outcome.error.reason !== "timeout" || !isDecided(job, activations))
    return transcript;
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
  return {
    reason: "crash",
    message: `The target failed: ${error instanceof Error ? error.message : String(error)}`,
    retryable: true,
  };
}
