import { safeSegment } from "../../base/index.ts";
import type { HeaderLine, Scores } from "../../model/index.ts";
import { totalTokens } from "../../model/index.ts";
import type { Format } from "../format.ts";
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
  type SkillExam,
  toolsOf,
  toTheSecond,
} from "../results.ts";

/**
 * skill-creator's workspace: `eval-<id>-<name>/<configuration>/run-<k>/` with grading.json and timing.json, a
 * benchmark.json over all of them, and trigger results as `run_eval` prints them.
 * Its viewer knows the configurations by these names: `with_skill`, `without_skill`, `old_skill`.
 */
export const skillCreator: Format = {
  id: "skill-creator",
  results: {
    about: "for skill-creator: grading.json of every run and benchmark.json of every skill, in a folder",
    missing:
      "claims, feedback on the evals, the analyst's notes, grading times and the files that runs left are not in a record in skill-creator's form and are left out. A run that ended in an error has no grading.json: it was not graded.",
    documents,
  },
};

type WrittenFile = { path: string; document: object };
type Configuration = "with_skill" | "without_skill" | "old_skill";

async function* documents({ header, exams }: Exams, scores: Scores): AsyncGenerator<WrittenFile> {
  const several = scores.targets.length > 1;
  for (const exam of exams) {
    const folder = `${safeSegment(exam.skill)}${several ? `/${safeSegment(exam.target.id)}` : ""}`;
    if (exam.triggers.length > 0)
      yield { path: `${folder}/trigger-results.json`, document: triggerResults(exam, header, scores) };
    if (exam.cases.length > 0) yield* benchmarkOf(exam, scores, folder);
  }
}

function triggerResults({ skill, triggers }: SkillExam, { library }: HeaderLine, { options }: Scores) {
  const results = triggers.map((answered) => {
    const { score } = answered;
    const { fired, measured } = firedIn(answered, skill);
    return {
      query: score.prompt,
      should_trigger: score.role === "positive",
      trigger_rate: measured === 0 ? null : fired / measured,
      triggers: fired,
      runs: measured,
      pass: passedAlone(answered, skill, options),
    };
  });
  const passed = results.filter(({ pass }) => pass === true).length;
  const failed = results.filter(({ pass }) => pass === false).length;
  const description = library.skills.find(({ id }) => id === skill)?.description ?? "";
  return { skill_name: skill, description, results, summary: { total: results.length, passed, failed } };
}

interface BenchmarkRun {
  eval_id: number;
  eval_name: string;
  configuration: Configuration;
  run_number: number;
  result: {
    pass_rate: number | null;
    passed: number;
    failed: number;
    total: number;
    time_seconds: number;
    tokens: number | null;
    tool_calls: number;
    errors: number;
  };
  expectations: object[];
  notes: string[];
}

async function* benchmarkOf(exam: SkillExam, scores: Scores, folder: string): AsyncGenerator<WrittenFile> {
  const runs: BenchmarkRun[] = [];
  const ids = numbersOf(exam.cases);
  for (const [index, answered] of exam.cases.entries()) {
    const { score, baseline } = answered;
    const id = ids[index] ?? index;
    const name = score.name ?? ownId(answered.line);
    const place = `${folder}/eval-${id}-${slugOf(name)}`;
    const asserted =
      answered.trials.map((trial) => expectationsOf(trial).map(({ text }) => text)).find((texts) => texts.length > 0) ??
      [];
    yield {
      path: `${place}/eval_metadata.json`,
      document: { eval_id: id, eval_name: name, prompt: score.prompt, assertions: asserted },
    };
    const arms: [Configuration, readonly ExamAnswer[]][] = [["with_skill", answered.trials]];
    if (baseline !== undefined)
      arms.push([/^without\b/.test(baseline.label) ? "without_skill" : "old_skill", baseline.trials]);
    for (const [configuration, trials] of arms) {
      for (const trial of trials) {
        if (trial.error !== undefined || trial.check === undefined) continue;
        const graded = await gradingOf(trial);
        const at = `${place}/${configuration}/run-${trial.run}`;
        yield { path: `${at}/grading.json`, document: graded.grading };
        yield { path: `${at}/timing.json`, document: graded.timing };
        runs.push({ eval_id: id, eval_name: name, configuration, run_number: trial.run, ...graded.run });
      }
    }
  }
  yield { path: `${folder}/benchmark.json`, document: benchmark(exam, scores, { runs, ids }) };
}

async function gradingOf(trial: ExamAnswer) {
  const expectations = expectationsOf(trial);
  const { pass_rate, passed, failed, total } = countsOf(expectations);
  const transcript = await trial.transcript();
  const tools = toolsOf(transcript);
  const tokens = totalTokens(trial.usage) ?? null;
  const seconds = Math.round(trial.ms) / 1000;
  const timing = {
    total_tokens: tokens ?? undefined,
    duration_ms: Math.round(trial.ms),
    total_duration_seconds: seconds,
    executor_duration_seconds: seconds,
  };
  const grading = {
    expectations,
    // agentskills.io's name for the same list.
    assertion_results: expectations,
    summary: { passed, failed, total, pass_rate },
    execution_metrics: { ...tools, total_steps: trial.turns, output_chars: transcript?.finalText.length ?? 0 },
    timing: { executor_duration_seconds: seconds, total_duration_seconds: seconds },
  };
  const result = {
    ...{ pass_rate, passed, failed, total, time_seconds: seconds, tokens },
    tool_calls: tools.total_tool_calls,
    errors: tools.errors_encountered,
  };
  return { grading, timing, run: { result, expectations, notes: [] as string[] } };
}

function benchmark(
  { skill, target, cases }: SkillExam,
  { run }: Scores,
  { runs, ids }: { runs: readonly BenchmarkRun[]; ids: readonly number[] },
) {
  const configurations = [...new Set(runs.map(({ configuration }) => configuration))];
  const summary = Object.fromEntries(
    configurations.map((name) => {
      const own = runs.filter(({ configuration }) => configuration === name).map(({ result }) => result);
      return [
        name,
        {
          pass_rate: spread(own, "pass_rate"),
          time_seconds: spread(own, "time_seconds"),
          tokens: spread(own, "tokens"),
        },
      ];
    }),
  );
  const [first, second] = configurations.map((name) => summary[name]);
  return {
    metadata: {
      skill_name: skill,
      skill_path: run.library.root,
      executor_model: target.identity.model ?? target.id,
      analyzer_model: "",
      timestamp: toTheSecond(run.startedAt),
      evals_run: ids,
      runs_per_configuration: Math.max(1, ...cases.map(({ score }) => score.planned)),
    },
    runs,
    run_summary:
      first === undefined || second === undefined
        ? summary
        : {
            ...summary,
            delta: {
              pass_rate: signed(first.pass_rate, second.pass_rate, 2),
              time_seconds: signed(first.time_seconds, second.time_seconds, 1),
              tokens: signed(first.tokens, second.tokens, 0),
            },
          },
    notes: [] as string[],
  };
}

interface Spread {
  mean: number | null;
  stddev: number | null;
  min: number | null;
  max: number | null;
}

/** Unmeasured runs are left out: they are not 0. */
function spread(results: readonly BenchmarkRun["result"][], of: "pass_rate" | "time_seconds" | "tokens"): Spread {
  const values = results.flatMap((result) => result[of] ?? []);
  const average = mean(values);
  if (average === null) return { mean: null, stddev: null, min: null, max: null };
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  const round = (value: number) => Math.round(value * 1e4) / 1e4;
  return {
    mean: round(average),
    stddev: round(values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
  };
}

function signed({ mean: a }: Spread, { mean: b }: Spread, digits: number): string {
  if (a === null || b === null) return "—";
  return `${a < b ? "" : "+"}${(a - b).toFixed(digits)}`;
}

function numbersOf(cases: readonly Answered[]): number[] {
  const own = cases.map(({ line }) => ownId(line));
  const numbers = own.map(Number);
  const usable = own.every((id) => /^\d{1,9}$/.test(id)) && new Set(numbers).size === numbers.length;
  return usable ? numbers : cases.map((_, index) => index + 1);
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return slug === "" ? "case" : slug;
}
