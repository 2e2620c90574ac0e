import { type GradingContext, gradeQuestion, gradeTrigger, type Judge } from "../../graders/index.ts";
import type { CheckResult } from "../../records/index.ts";
import type { Transcript } from "../../transcripts/index.ts";
import type { Job } from "../executor.ts";

/** The checks of every question on a trial; none when it was not measured. */
export async function gradeTrial(
  job: Pick<Job, "ask" | "questions" | "evidence">,
  transcript: Transcript,
  tools: { workspace?: string | undefined; judge?: Judge | undefined },
): Promise<CheckResult[]> {
  if (transcript.outcome.status === "error") return [];
  const checks: CheckResult[] = [];
  const { workspace, judge } = tools;
  const context: GradingContext = { prompt: job.ask.prompt, evidence: job.evidence, workspace, judge };
  for (const question of job.questions) {
    const { passed, score, message } =
      "expect" in question
        ? gradeTrigger(question.expect, transcript, context)
        : await gradeQuestion(question.graders, transcript, { ...context, suiteDir: question.dir });
    checks.push({ question: question.id, passed, score, message });
  }
  return checks;
}
