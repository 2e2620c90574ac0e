import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, type RunResult, run as runExam } from "../src/verbs/index.ts";

/** A question with the rate at which the skill truly fires. */
export interface Simulated {
  query: string;
  positive: boolean;
  rate: number;
}

/** Puts simulated questions to an examinee that hits each at its true rate; another seed is another draw. */
export async function simulate(questions: readonly Simulated[], seed: number, options: RunOptions): Promise<RunResult> {
  const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  try {
    mkdirSync(join(dir, "skills", "skill", "evals"), { recursive: true });
    writeFileSync(join(dir, "skills", "skill", "SKILL.md"), "---\nname: skill\ndescription: Does the work.\n---\n");
    const rows = questions.map(({ query, positive }) => ({ query, should_trigger: positive }));
    writeFileSync(join(dir, "skills", "skill", "evals", "triggers.json"), JSON.stringify(rows));
    const answers = questions.map(({ query, rate }) => ({ query, skills: ["skill"], hit_rate: rate }));
    writeFileSync(join(dir, "answers.yaml"), JSON.stringify({ answers, seed }));
    const [run] = await runExam({
      cwd: dir,
      targets: ["script:answers.yaml"],
      cache: false,
      jobs: 16,
      env: {},
      ...options,
    });
    return run!;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface EarlyStopResult {
  trials: number;
  saved: number;
  verdictsChanged: number;
  recall: Bias;
  fpr: Bias;
}

/** Mean of estimate − truth over questions, with its standard error: as Proctor estimates, and had all runs that were made counted. */
export interface Bias {
  value: number;
  error: number;
  naive: number;
}

/** Three runs, with early stop and without, on a library whose questions are mostly clear and sometimes not. */
export async function simulateEarlyStop(count: number, seeds: number): Promise<EarlyStopResult> {
  const questions = Array.from({ length: count }, (_, index): Simulated => {
    const clear = [0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.95, 0.99][index % 10]!;
    const positive = index % 2 === 0;
    return { query: `Question ${index}`, positive, rate: positive ? clear : 1 - clear };
  });
  const rateOf = new Map(questions.map(({ query, rate }) => [query, rate]));
  const off = {
    positive: { fair: [] as number[], naive: [] as number[] },
    negative: { fair: [] as number[], naive: [] as number[] },
  };
  let trials = 0;
  let saved = 0;
  let verdictsChanged = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const whole = await simulate(questions, seed, { runs: 3, earlyStop: false });
    const stopped = await simulate(questions, seed, { runs: 3 });
    trials += whole.scores.targets[0]!.trials.total;
    saved += stopped.scores.run.saved.trials;
    const verdicts = new Map(whole.scores.targets[0]!.questions.map((question) => [question.id, question.verdict]));
    for (const question of stopped.scores.targets[0]!.questions) {
      if (verdicts.get(question.id) !== question.verdict) verdictsChanged++;
      const truth = rateOf.get(question.prompt)!;
      off[question.role].fair.push(question.unbiased.hits / question.unbiased.n - truth);
      off[question.role].naive.push(question.hits / question.measured - truth);
    }
  }
  const biasOf = ({ fair, naive }: { fair: number[]; naive: number[] }): Bias => ({
    ...meanOf(fair),
    naive: meanOf(naive).value,
  });
  return { trials, saved, verdictsChanged, recall: biasOf(off.positive), fpr: biasOf(off.negative) };
}

export interface ConfidenceResult {
  questions: number;
  wrong: number;
  decided: number;
  meanRuns: number;
}

/** `--confidence 0.95` on questions whose true rates lie around the threshold. */
export async function simulateConfidence(count: number, maxRuns: number): Promise<ConfidenceResult> {
  const questions = Array.from({ length: count }, (_, index): Simulated => {
    const rate = 0.3 + (0.4 * (index + 0.5)) / count;
    return { query: `Question ${index}`, positive: index % 2 === 0, rate };
  });
  const rateOf = new Map(questions.map(({ query, rate }) => [query, rate]));
  const { scores } = await simulate(questions, 1, { confidence: 0.95, maxRuns });
  let wrong = 0;
  let decided = 0;
  let runs = 0;
  for (const { prompt, positive, verdict, measured } of scores.targets[0]!.questions) {
    runs += measured;
    if (verdict === "inconclusive") continue;
    decided++;
    const fires = rateOf.get(prompt)! >= 0.5;
    if ((verdict === "pass") !== (fires === positive)) wrong++;
  }
  return { questions: count, wrong, decided, meanRuns: runs / count };
}

function meanOf(values: readonly number[]): { value: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { value: mean, error: Math.sqrt(variance / values.length) };
}
