import { basename } from "node:path";
import {
  type GradingContext,
  gradeQuestion,
  gradeTrigger,
  type Judge,
  type Programs,
  passesBy,
  startsPrograms,
} from "../../graders/index.ts";
import { type CheckResult, countedActivations, type Library, type Transcript, toolKind } from "../../model/index.ts";
import { loadAgents, type ProgramSetting } from "../../targets/index.ts";
import type { Exam } from "../plan/index.ts";
import type { Job } from "./executor.ts";

export interface GradingTools {
  judge?: Judge | undefined;
  /** Programs that run in the trial's workspace. If absent, the workspace is rebuilt from the kept files. */
  programs?: Programs | string | undefined;
  setting: ProgramSetting;
  ms?: number | undefined;
  baseline?: GradingContext["baseline"] | undefined;
  updateSnapshots?: boolean | undefined;
}

export async function gradeTrial(
  job: Pick<Job, "ask" | "questions" | "evidence">,
  transcript: Transcript,
  tools: GradingTools,
): Promise<CheckResult[]> {
  if (transcript.outcome.status === "error") return [];
  const { judge, ms, baseline, updateSnapshots } = tools;
  const rebuilt =
    tools.programs === undefined && needsPrograms(job) ? await rebuild(transcript, tools.setting) : undefined;
  const programs = tools.programs ?? rebuilt?.programs;
  const context: GradingContext = {
    prompt: job.ask.prompt,
    evidence: job.evidence,
    judge,
    programs,
    ms,
    baseline,
    updateSnapshots,
  };
  const checks: CheckResult[] = [];
  try {
    for (const question of job.questions) {
      if ("expect" in question) {
        const { passed, score, message } = gradeTrigger(question.expect, transcript, context);
        checks.push({ question: question.id, passed, score, message });
      } else {
        const { graders, compared, dir: suiteDir, expectedOutput } = question;
        const here = { ...context, suiteDir, expectedOutput };
        const graded = await gradeQuestion(graders, transcript, here);
        const check = caseResult(question.id, graded);
        if (compared !== undefined)
          check.compared = await passesBy(compared, { specs: graders, graded, transcript }, here);
        checks.push(check);
      }
    }
  } finally {
    await rebuilt?.dispose();
  }
  return checks;
}

function caseResult(question: string, graded: Awaited<ReturnType<typeof gradeQuestion>>): CheckResult {
  const { passed, score, message, parts } = graded;
  return {
    question,
    passed,
    score,
    message,
    parts: parts.flatMap(({ grader, checks }) =>
      checks.map((check) => {
        const part = { grader, passed: check.passed, message: check.message };
        return check.evidence === undefined ? part : { ...part, evidence: check.evidence };
      }),
    ),
  };
}

export function programSetting({ options, env }: Pick<Exam, "options" | "env">): ProgramSetting {
  const { sandbox } = options.agentOptions ?? {};
  return { sandbox: sandbox === "on" || sandbox === "off" ? sandbox : "auto", env };
}

function needsPrograms({ questions }: Pick<Job, "questions">): boolean {
  return questions.some((question) => "graders" in question && question.graders.some(startsPrograms));
}

async function rebuild({ workspace }: Transcript, setting: ProgramSetting) {
  return (await loadAgents()).rebuildWorkspace(workspace, setting);
}

/** A baseline trial in which the skill was listed or loaded after all is an error. */
export function withoutSkill(transcript: Transcript, { ask }: Job, library: Library): Transcript {
  const { variant, skill } = ask;
  if (
    variant === undefined ||
    variant.folder !== undefined ||
    skill === undefined ||
    transcript.outcome.status === "error"
  )
    return transcript;
  const listed = transcript.listing?.some((entry) => entry.skill === skill && entry.shown !== "absent") === true;
  const loaded =
    countedActivations(transcript.activations).some((activation) => activation.skill === skill) ||
    transcript.calls.some(
      ({ tool, input, ok }) => toolKind(tool) === "skill" && ok === true && namesSkill(input, namesOf(skill, library)),
    );
  if (!listed && !loaded) return transcript;
  const message = `${skill} was ${loaded ? "loaded" : "listed"} in a trial that was supposed to go without it: there is nothing to compare with`;
  return {
    ...transcript,
    outcome: { status: "error", error: { reason: "invalid_cell", message, retryable: false } },
    how: "error",
  };
}

function namesOf(id: string, { skills }: Library): string[] {
  const skill = skills.find((one) => one.id === id);
  return skill === undefined ? [id] : [id, skill.name, basename(skill.dir)];
}

function namesSkill(input: unknown, names: readonly string[]): boolean {
  const values = typeof input === "object" && input !== null ? Object.values(input) : [];
  return values.some((value) => typeof value === "string" && names.includes(value.replace(/^\//, "")));
}
