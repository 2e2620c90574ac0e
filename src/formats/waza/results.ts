import { safeSegment } from "../../base/index.ts";
import type { HeaderLine, Scores, Usage } from "../../model/index.ts";
import {
  type Answered,
  type ExamAnswer,
  type Exams,
  firedIn,
  mean,
  ownId,
  type ResultFiles,
  type SkillExam,
  toTheSecond,
} from "../results.ts";

export const results: ResultFiles = {
  about: "for waza: results.json of every skill and target, in a folder",
  missing:
    "waza's session ids, workspaces, snapshots, mocks, checkpoints, per-grader times and weights are not in a record and are left out, and so are its transcripts (--reporter json and proctor report --trials have them). waza has no null: what was not measured is 0 there, with status error or skipped.",
  documents,
};

async function* documents(
  { header, exams }: Exams,
  scores: Scores,
): AsyncGenerator<{ path: string; document: object }> {
  const several = scores.targets.length > 1;
  for (const exam of exams) {
    const folder = `${safeSegment(exam.skill)}${several ? `/${safeSegment(exam.target.id)}` : ""}`;
    yield { path: `${folder}/results.json`, document: await outcomeOf(exam, scores, header) };
  }
}

async function outcomeOf({ skill, target, triggers, cases }: SkillExam, scores: Scores, header: HeaderLine) {
  const tasks: WazaTask[] = [];
  for (const answered of cases) tasks.push(await taskOf(answered));
  const results = triggers.map((answered) => triggerResult(answered, skill));
  const ms = header.options["timeoutMs"];
  return {
    schemaVersion: "1.0",
    eval_id: scores.run.id,
    skill,
    eval_name: `${scores.run.library.name}: ${skill}`,
    timestamp: toTheSecond(header.startedAt),
    config: {
      runs_per_test: Math.max(1, ...[...cases, ...triggers].map(({ score }) => score.planned)),
      model_id: target.identity.model ?? target.id,
      engine_type: target.identity.host ?? target.kind,
      timeout_sec: typeof ms === "number" ? Math.round(ms / 1000) : 0,
    },
    summary: summaryOf(tasks),
    metrics: {},
    tasks,
    trigger_metrics: results.length > 0 ? metricsOf(results) : undefined,
    trigger_results: results.length > 0 ? results : undefined,
    metadata: {
      tool: "proctor",
      version: header.proctor,
      target: target.id,
      library: scores.run.library.fingerprint,
      predicted: target.predicted,
    },
  };
}

type WazaStatus = "passed" | "failed" | "error" | "skipped";

interface WazaTask {
  test_id: string;
  display_name: string;
  status: WazaStatus;
  runs: { duration_ms: number; status: WazaStatus; validations: Record<string, { score: number }> }[];
  stats: { avg_score: number };
}

async function taskOf({ score, line, trials, baseline }: Answered): Promise<WazaTask> {
  const runs: Awaited<ReturnType<typeof runOf>>[] = [];
  for (const trial of trials) runs.push(await runOf(trial));
  const count = (status: WazaStatus) => runs.filter((run) => run.status === status).length;
  const scored = runs.filter(({ status }) => status === "passed" || status === "failed").map(scoreOf);
  const average = mean(scored) ?? 0;
  const variance = mean(scored.map((value) => (value - average) ** 2)) ?? 0;
  const [passed, failed] = [count("passed"), count("failed")];
  const rate = passed + failed === 0 ? 0 : passed / (passed + failed);
  const without = baseline?.trials.flatMap(({ check }) => check?.passed ?? []) ?? [];
  const baselineRate = without.filter((one) => one).length / without.length;
  return {
    test_id: ownId(line),
    display_name: score.name ?? ownId(line),
    status:
      score.verdict === "pass"
        ? "passed"
        : score.verdict === "fail"
          ? "failed"
          : trials.length > 0
            ? "error"
            : "skipped",
    runs,
    stats: {
      pass_rate: rate,
      flakiness_percent: score.flaky ? 100 * (1 - Math.abs(2 * rate - 1)) : 0,
      passed_runs: passed,
      failed_runs: failed,
      error_runs: count("error"),
      total_runs: runs.length,
      avg_score: average,
      avg_weighted_score: average,
      min_score: scored.length === 0 ? 0 : Math.min(...scored),
      max_score: scored.length === 0 ? 0 : Math.max(...scored),
      std_dev_score: Math.sqrt(variance),
      score_variance: variance,
      ci95_lo: score.rate.low ?? 0,
      ci95_hi: score.rate.high ?? 0,
      flaky: score.flaky,
      avg_duration_ms: Math.round(mean(runs.map(({ duration_ms }) => duration_ms)) ?? 0),
    },
    skill_impact:
      without.length > 0 && passed + failed > 0
        ? {
            pass_rate_with_skills: rate,
            pass_rate_baseline: baselineRate,
            delta: rate - baselineRate,
            percent_change: baselineRate === 0 ? 0 : (100 * (rate - baselineRate)) / baselineRate,
          }
        : undefined,
  } as WazaTask;
}

async function runOf(trial: ExamAnswer) {
  const transcript = await trial.transcript();
  const calls = transcript?.calls ?? [];
  const usage = usageOf(trial.usage, trial.turns);
  return {
    run_number: trial.run,
    attempts: trial.attempts,
    status: statusOf(trial),
    duration_ms: Math.round(trial.ms),
    validations: validationsOf(trial),
    session_digest: {
      tool_call_count: calls.length,
      tools_used: [...new Set(calls.map(({ tool }) => tool))],
      errors: calls
        .filter(({ ok }) => ok === false)
        .map(({ tool, result }) => `${tool}: ${(result ?? "").slice(0, 200)}`),
      usage,
    },
    final_output: transcript?.finalText ?? "",
    error_msg: trial.error && `${trial.error.reason}: ${trial.error.message}`,
    skill_invocations:
      trial.activations.length > 0 ? trial.activations.map(({ skill }) => ({ name: skill })) : undefined,
    usage,
  };
}

function statusOf({ error, check }: ExamAnswer): WazaStatus {
  if (error !== undefined) return "error";
  return check?.passed == null ? "skipped" : check.passed ? "passed" : "failed";
}

function validationsOf({ check }: ExamAnswer) {
  const found: Record<
    string,
    { identifier: string; type: string; score: number; weight: number; passed: boolean; feedback: string }
  > = Object.create(null);
  for (const { grader, passed, message } of check?.parts ?? []) {
    if (passed === null) continue;
    const known = found[grader];
    const holds = passed && known?.passed !== false;
    const feedback = known === undefined ? message : `${known.feedback}; ${message}`;
    found[grader] = { identifier: grader, type: grader, score: Number(holds), weight: 1, passed: holds, feedback };
  }
  return Object.fromEntries(Object.entries(found).map(([name, one]) => [name, { ...one, duration_ms: 0 }]));
}

function scoreOf({ validations }: WazaTask["runs"][number]): number {
  return mean(Object.values(validations).map(({ score }) => score)) ?? 0;
}

function usageOf(usage: Usage | undefined, turns: number) {
  if (usage === undefined) return undefined;
  return {
    turns,
    input_tokens: usage.inputTokens ?? 0,
    output_tokens: usage.outputTokens ?? 0,
    cache_read_tokens: usage.cacheReadTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    premium_requests: 0,
  };
}

function summaryOf(tasks: readonly WazaTask[]) {
  const count = (status: WazaStatus) => tasks.filter((task) => task.status === status).length;
  const scores = tasks
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ stats }) => stats.avg_score);
  const average = mean(scores) ?? 0;
  return {
    total_tests: tasks.length,
    succeeded: count("passed"),
    failed: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
    success_rate: tasks.length === 0 ? 0 : count("passed") / tasks.length,
    aggregate_score: average,
    weighted_score: average,
    min_score: scores.length === 0 ? 0 : Math.min(...scores),
    max_score: scores.length === 0 ? 0 : Math.max(...scores),
    std_dev: Math.sqrt(mean(scores.map((value) => (value - average) ** 2)) ?? 0),
    duration_ms: tasks.flatMap(({ runs }) => runs).reduce((sum, run) => sum + run.duration_ms, 0),
  };
}

interface TriggerResult {
  prompt: string;
  should_trigger: boolean;
  did_trigger: boolean;
  error_msg?: string;
}

/** waza asks once, so of several runs at least half must have fired. */
function triggerResult(answered: Answered, skill: string): TriggerResult {
  const { score } = answered;
  const { fired, measured } = firedIn(answered, skill);
  const decided = score.verdict === "pass" || score.verdict === "fail";
  const result = {
    prompt: score.prompt,
    should_trigger: score.role === "positive",
    did_trigger: measured > 0 && fired >= measured / 2,
  };
  return decided ? result : { ...result, did_trigger: false, error_msg: `no verdict: ${score.why ?? score.status}` };
}

function metricsOf(results: readonly TriggerResult[]) {
  const decided = results.filter(({ error_msg }) => error_msg === undefined);
  const count = (should: boolean, did: boolean) =>
    decided.filter((one) => one.should_trigger === should && one.did_trigger === did).length;
  const [tp, fp, tn, fn] = [count(true, true), count(false, true), count(false, false), count(true, false)];
  const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1e4 * part) / whole) / 1e4);
  return {
    ...{ true_positives: tp, false_positives: fp, true_negatives: tn, false_negatives: fn },
    errors: results.length - decided.length,
    precision: share(tp, tp + fp),
    recall: share(tp, tp + fn),
    f1: share(2 * tp, 2 * tp + fp + fn),
    accuracy: share(tp + tn, decided.length),
  };
}
