import { compares, type GradingContext } from "../../graders/index.ts";
import type { Transcript, TrialLine } from "../../model/index.ts";
import { comparedId } from "../plan/index.ts";
import { type RecordPlace, readRecord, readTranscript } from "../record/index.ts";
import type { Executor, Job, JobResult } from "./executor.ts";

type ComparedReply = GradingContext["baseline"];

type AskedTrial = Pick<Job, "target" | "run"> & { questions: readonly { id: string }[] };

/**
 * Baseline replies for graders that compare. A case is asked without its skill just before it is asked with it, so the
 * baseline's reply is known or on its way, and then awaited.
 */
export class ComparedReplies {
  readonly #replies = new Map<string, () => Promise<ComparedReply>>();

  note(job: Job, result: Promise<Pick<JobResult, "transcript">>): void {
    if (job.ask.variant === undefined) return;
    const reply = result.then(
      ({ transcript }) => replyIn(transcript),
      () => "it was not measured",
    );
    for (const { id } of job.questions) this.#replies.set(keyOf(job, id), () => reply);
  }

  async recall({ file, dir }: RecordPlace): Promise<void> {
    const questions = new Map<string, string[]>();
    for await (const line of readRecord(file)) {
      if (line.type === "question" && line.baseline !== undefined)
        questions.set(line.ask, [...(questions.get(line.ask) ?? []), line.id]);
      if (line.type !== "trial") continue;
      for (const id of questions.get(line.ask) ?? []) this.#replies.set(keyOf(line, id), () => kept(line, dir));
    }
  }

  async to(asked: AskedTrial): Promise<ComparedReply> {
    const [question] = asked.questions;
    return question && this.#replies.get(keyOf(asked, comparedId(question.id)))?.();
  }
}

export function withComparedReplies(executor: Executor, replies: ComparedReplies): Executor {
  return {
    async execute(job, signal) {
      const result = executor.execute(comparesReplies(job) ? { ...job, compared: await replies.to(job) } : job, signal);
      replies.note(job, result);
      return result;
    },
    close: () => executor.close(),
    elsewhere: executor.elsewhere,
  };
}

export function comparesReplies({ questions }: Pick<Job, "questions">): boolean {
  return questions.some((question) => "graders" in question && question.graders.some(compares));
}

function keyOf({ target, run }: Pick<AskedTrial, "target" | "run">, question: string): string {
  return JSON.stringify([target, question, run]);
}

function replyIn({ outcome, finalText }: Transcript): ComparedReply {
  return outcome.status === "error" ? `it was not measured: ${outcome.error.message}` : { finalText };
}

async function kept({ error, transcript: ref, cached }: TrialLine, dir: string): Promise<ComparedReply> {
  if (error !== undefined) return `it was not measured: ${error.message}`;
  const transcript = ref && (await readTranscript(dir, ref));
  if (transcript !== undefined) return replyIn(transcript);
  return cached === undefined ? { finalText: "" } : "what was said is not in the record";
}
