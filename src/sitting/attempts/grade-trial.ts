import { type GradingContext, gradeQuestion, gradeTrigger, type Judge } from "../../graders/index.ts";
import type { CheckResult } from "../../records/index.ts";
import type { Transcript } from "../../transcripts/index.ts";
import type { Job } from "../executor.ts";

export interface Graded {
  checks: CheckResult[];
  /** What graders spent on judges. */
  judgeUsd: number;
}

/** The checks of every question on a trial; none when it was not measured. */
export async function gradeTrial(
  job: Pick<Job, "ask" | "questions" | "evidence">,
  transcript: Transcript,
  tools: { workspace?: string | undefined; judge?: Judge | undefined },
): Promise<Graded> {
  if (transcript.outcome.status === "error") return { checks: [], judgeUsd: 0 };
  const graded: Graded = { checks: [], judgeUsd: 0 };
  const { workspace, judge } = tools;
  const context: GradingContext = {
    prompt: job.ask.prompt,
    evidence: job.evidence,
    workspace,
    judge: judge && counted(judge, graded),
  };
  for (const question of job.questions) {
    const { passed, score, message } =
      "expect" in question
        ? gradeTrigger(question.expect, transcript, context)
        : await gradeQuestion(question.graders, transcript, { ...context, suiteDir: question.dir });
    graded.checks.push({ question: question.id, passed, score, message });
  }
  return graded;
}

function counted(judge: Judge, graded: Graded): Judge {
  return async (request) => {
    const reply = await judge(request);
    graded.judgeUsd += reply.costUsd ?? 0;
    return reply;
  };
}
