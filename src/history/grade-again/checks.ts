import { comparesReplies, gradeTrial, programSetting, Stops } from "../../exam/grade/index.ts";
import { gradeTrigger, needsJudge } from "../../graders/index.ts";
import type { CheckResult, QuestionLine, SkillInvocation, Transcript, TrialLine } from "../../model/index.ts";
import { checkOf, type StoredExam } from "./exam.ts";
import { NEEDS_JUDGE, withJudgements } from "./judgements.ts";

/** Repeats the checks of every question on a trial's ask, as far as the stored data allow. */
export async function checksOf(
  line: TrialLine,
  transcript: Transcript | undefined,
  exam: StoredExam,
): Promise<CheckResult[]> {
  const before = new Map(line.checks.map((check) => [check.question, check]));
  // A judge's question about one skill has its own ask, so only its recorded checks are known here.
  const ofAsk = exam.questions
    .get(line.ask)
    ?.filter(({ skipped, invalid }) => skipped[line.target] === undefined && invalid === undefined);
  if (ofAsk === undefined)
    return line.checks.map((check) => keepCheck(check, "a judge's question about one skill", exam));
  const checks: CheckResult[] = [];
  for (const question of ofAsk) {
    const known = before.get(question.id);
    const graded = await gradeOne(question, { line, transcript }, exam);
    if (typeof graded !== "string") checks.push(graded);
    else if (known !== undefined) checks.push(keepCheck(known, graded, exam));
    else checks.push({ question: question.id, passed: null, score: null, message: graded });
  }
  return checks;
}

async function gradeOne(
  question: QuestionLine,
  { line, transcript }: { line: TrialLine; transcript: Transcript | undefined },
  exam: StoredExam,
): Promise<CheckResult | string> {
  const { evidence } = exam;
  if (question.kind === "trigger") {
    if (question.expect === undefined) return "its expectation is not in the record";
    const { passed, score, message } = gradeTrigger(
      question.expect as SkillInvocation,
      transcriptOf(line, transcript),
      { evidence },
    );
    return { question: question.id, passed, score, message };
  }
  const check = checkOf(question, exam);
  if (check === undefined || exam.today === undefined) return "the suites no longer ask it";
  if (transcript === undefined) return "its transcript is not in the record";
  const judged = exam.judges === undefined ? check.graders.filter(needsJudge) : [];
  const graders = check.graders.filter((spec) => !judged.includes(spec));
  if (graders.length === 0) return NEEDS_JUDGE;
  const job = { ...jobLike(line, question, evidence), questions: [{ ...check, graders }] };
  const judge = exam.judges?.ask(job, new Stops(new AbortController().signal)).judge;
  const { updateSnapshots } = exam;
  const baseline = comparesReplies(job) ? await exam.replies.to(job) : undefined;
  const tools = { judge, setting: programSetting(exam.today), ms: line.ms, baseline, updateSnapshots };
  const [graded] = await gradeTrial(job, transcript, tools);
  if (graded === undefined || (graded.passed === null && transcript.workspace === undefined))
    return "it needs the workspace";
  if (judged.length === 0) return graded;
  const before = line.checks.find((one) => one.question === question.id);
  return withJudgements(graded, { graders, judged, before: before?.parts ?? [] }, () =>
    keepCheck(graded, NEEDS_JUDGE, exam),
  );
}

/** A trial without texts and calls has no stored transcript; its line has everything. */
function transcriptOf(
  { activations, turns, how, prediction }: TrialLine,
  transcript: Transcript | undefined,
): Transcript {
  const outcome = { status: "activations" as const, activations };
  return { calls: [], texts: [], finalText: "", ...transcript, outcome, activations, turns, how, prediction };
}

function jobLike(
  { target, run }: TrialLine,
  { ask: key, prompt, kind }: QuestionLine,
  evidence: StoredExam["evidence"],
) {
  const ask = { key, kind, prompt, files: [], messages: [], library: "", limits: {} };
  return { key: `${target} ${key} ${run}`, target, ask, run, timeoutMs: 120_000, evidence };
}

function keepCheck(check: CheckResult, why: string, { kept }: StoredExam): CheckResult {
  kept[why] = (kept[why] ?? 0) + 1;
  return check;
}
