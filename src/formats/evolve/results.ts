import { safeSegment, VERSION } from "../../base/index.ts";
import type { HeaderLine, Scores, TargetScores } from "../../model/index.ts";
import { totalTokens } from "../../model/index.ts";
import {
  type Answered,
  countsOf,
  type ExamAnswer,
  type Exams,
  expectationsOf,
  firedIn,
  mean,
  ownId,
  passedAlone,
  type ResultFiles,
  type SkillExam,
  toolsOf,
  toTheSecond,
} from "../results.ts";

export const results: ResultFiles = {
  about: "for evolve: results.json of every skill, in a folder",
  missing:
    "evolve's estimates, prices, content hashes and earlier runs are not in a record and are left out, and so are questions about no single skill. A case has one result: of several runs, the first that was measured.",
  documents,
};

async function* documents(
  { header, exams }: Exams,
  scores: Scores,
): AsyncGenerator<{ path: string; document: object }> {
  for (const [skill, own] of bySkill(exams)) {
    const models: Record<string, object> = {};
    for (const exam of own) models[keyOf(exam.target, models)] = await entriesOf(exam, header, scores);
    const [plugin, name] = skill.includes(":") ? skill.split(/:(.*)/s) : [scores.run.library.name, skill];
    yield { path: `${safeSegment(skill)}/results.json`, document: { schema: 5, plugin, skill: name, models } };
  }
}

function bySkill(exams: readonly SkillExam[]): Map<string, SkillExam[]> {
  const found = new Map<string, SkillExam[]>();
  for (const exam of exams) found.set(exam.skill, [...(found.get(exam.skill) ?? []), exam]);
  return found;
}

/** `provider/model`. evolve leaves out the host, so a second target of the same model has its id appended. */
function keyOf(target: TargetScores, taken: object): string {
  const { provider, model } = modelOf(target);
  const key = `${provider}/${model}`;
  return key in taken ? `${key} (${target.id})` : key;
}

function modelOf({ id, identity }: TargetScores): { provider: string; model: string } {
  const [kind = id, name = ""] = id.split(/:(.*)/s);
  return {
    provider: (identity.provider ?? kind).replaceAll("/", "-") || "proctor",
    model: identity.model ?? (name || kind),
  };
}

async function entriesOf(exam: SkillExam, header: HeaderLine, { options }: Scores): Promise<object> {
  const { target, triggers, cases, skill } = exam;
  const ms = header.options["timeoutMs"];
  const common = {
    ...modelOf(target),
    display: target.id,
    harness: target.identity.host,
    tool_version: `proctor ${VERSION}`,
    ran_at: toTheSecond(header.startedAt),
    executed: true,
    timeout_seconds: typeof ms === "number" ? Math.round(ms / 1000) : 0,
    pricing: null,
  };
  return {
    triggers: triggers.length > 0 ? { ...common, ...triggerEntry(triggers, skill, options) } : undefined,
    evals: cases.length > 0 ? { ...common, ...(await caseEntry(cases)) } : undefined,
  };
}

function triggerEntry(triggers: readonly Answered[], skill: string, options: Scores["options"]) {
  const results = triggers.map((answered) => {
    const { score } = answered;
    const { fired, measured } = firedIn(answered, skill);
    return {
      query: score.prompt,
      should_trigger: score.role === "positive",
      hits: measured > 0 ? fired : undefined,
      runs: measured > 0 ? measured : undefined,
      passed: passedAlone(answered, skill, options),
      ...secondsOf(answered.trials),
    };
  });
  const runs = Math.max(1, ...triggers.map(({ score }) => score.planned));
  return {
    runs_per_query: runs,
    results,
    summary: { ...summaryOf(results), ...secondsOf(triggers.flatMap(({ trials }) => trials)) },
  };
}

async function caseEntry(cases: readonly Answered[]) {
  const results: { passed: boolean | null; runtime_error?: string }[] = [];
  for (const answered of cases) results.push(await caseResult(answered));
  const errored = results.filter((one) => one.runtime_error !== undefined).length;
  const trials = cases.flatMap((one) => one.trials);
  const compared = cases.flatMap(({ line, baseline }) =>
    baseline === undefined ? [] : [{ line, trials: baseline.trials }],
  );
  const before = compared.map(({ line, trials: own }) => ({
    id: ownId(line),
    passed: passedIn(own),
    ...secondsOf(own),
  }));
  return {
    results,
    summary: {
      ...summaryOf(results),
      errored: errored > 0 ? errored : undefined,
      ...secondsOf(trials),
      ...measuredOf(trials),
    },
    baseline: before.length > 0 ? { results: before, summary: summaryOf(before) } : undefined,
  };
}

async function caseResult({ score, line, trials }: Answered) {
  const telling = trials.find(({ error }) => error === undefined) ?? trials[0];
  const expectations = telling === undefined ? [] : expectationsOf(telling);
  const transcript = await telling?.transcript();
  const tokens = totalTokens(telling?.usage);
  const { pass_rate, ...counts } = countsOf(expectations);
  return {
    id: ownId(line),
    name: score.name,
    runtime_error: telling?.error?.message,
    passed: verdictOf(score.verdict),
    ...measuredOf(telling === undefined ? [] : [telling]),
    expectations,
    summary: pass_rate === null ? counts : { ...counts, pass_rate },
    execution_metrics: transcript && {
      ...toolsOf(transcript),
      total_steps: transcript.turns,
      output_chars: transcript.finalText.length,
    },
    timing: telling && { executor_duration_seconds: tenth(telling.ms / 1000), total_tokens: tokens },
  };
}

/** null if undecided, which evolve reads as skipped or in error, never as a failure. */
function verdictOf(verdict: string): boolean | null {
  return verdict === "pass" ? true : verdict === "fail" ? false : null;
}

function passedIn(trials: readonly ExamAnswer[]): boolean | null {
  const checked = trials.flatMap(({ check }) => check?.passed ?? []);
  return checked.length === 0 ? null : checked.filter((passed) => passed).length >= checked.length / 2;
}

function summaryOf(results: readonly { passed: boolean | null }[]) {
  const { passed, failed, total, pass_rate } = countsOf(results);
  return { passed, failed, total, pass_rate: pass_rate ?? undefined };
}

function secondsOf(trials: readonly ExamAnswer[]): { avg_run_seconds?: number } {
  const seconds = mean(trials.filter(({ error }) => error === undefined).map(({ ms }) => ms / 1000));
  return seconds === null ? {} : { avg_run_seconds: tenth(seconds) };
}

/** Values that the host did not report are absent, not 0. evolve's input tokens exclude cached ones. */
function measuredOf(trials: readonly ExamAnswer[]): { measured?: Record<string, number> } {
  const sums: Record<string, number> = {};
  const add = (name: string, value: number | undefined) => {
    if (value !== undefined) sums[name] = (sums[name] ?? 0) + value;
  };
  for (const { usage, costUsd } of trials) {
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage ?? {};
    const cached = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
    add("input_tokens", inputTokens === undefined ? undefined : Math.max(0, inputTokens - cached));
    add("cache_read_input_tokens", cacheReadTokens);
    add("cache_creation_input_tokens", cacheWriteTokens);
    add("output_tokens", outputTokens);
    add("cost_usd", costUsd);
  }
  if (sums["cost_usd"] !== undefined) sums["cost_usd"] = Math.round(sums["cost_usd"] * 1e6) / 1e6;
  return Object.keys(sums).length === 0 ? {} : { measured: sums };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
