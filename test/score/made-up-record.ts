import { type Random, seeded } from "../../src/exam/score/statistics/distributions.ts";
import type {
  CheckResult,
  FooterLine,
  HeaderLine,
  QuestionLine,
  RecordLine,
  TrialLine,
} from "../../src/model/index.ts";
import { type Activation, ERROR_REASONS, EVIDENCE } from "../../src/model/index.ts";
import { header, target } from "./build.ts";

const SKILLS = ["alpha", "beta", "gamma", "delta", "locked"];
const TARGETS = [
  target("claude:haiku", { kind: "agent" }),
  target("judge:m", { kind: "judge" }),
  target("embedded", { predicted: true, deterministic: true }),
];

/**
 * A record with something of all that a record can hold, the same for the same seed: questions that share asks, cases with a baseline, judges, predictions, errors,
 * retries, cached answers, runs out of order, twice, missing and beyond what was planned.
 */
export function madeUpRecord(seed: string, { questions: n = 60 } = {}): RecordLine[] {
  const random = seeded(seed);
  const questions = Array.from({ length: n }, (_, index) => questionOf(index, random));
  for (const question of questions.filter(({ kind }) => kind === "case").slice(0, 4))
    questions.push(withoutSkill(question));
  const trials = [...asksOf(questions)].flatMap(([key, on]) => trialsOf(key, on, random));
  const shuffled = trials.map((trial) => ({ trial, at: random() })).sort((a, b) => a.at - b.at);
  return [head(), ...questions, ...shuffled.map(({ trial }) => trial), footer];
}

function head(): HeaderLine {
  const line = header({ skills: SKILLS, targets: TARGETS });
  const skills = line.library.skills.map((skill) => ({ ...skill, modelInvocable: skill.id !== "locked" }));
  return { ...line, library: { ...line.library, skills } };
}

const footer: FooterLine = {
  type: "footer",
  endedAt: "2026-11-15T11:00:00.000Z",
  how: "complete",
  notAsked: { budget: 2 },
  saved: { trials: 3, usd: 0.2 },
};

function questionOf(index: number, random: Random): QuestionLine {
  const skill = pick(SKILLS, random);
  const isCase = random() < 0.2;
  const positive = isCase || random() < 0.6;
  const sibling = random() < 0.2 ? pick(SKILLS, random) : undefined;
  const ask = `ask ${random() < 0.4 ? Math.floor(random() * 20) : index}`;
  const line: QuestionLine = {
    type: "question",
    id: `evals/triggers-${index % 7}.yaml#q${index}`,
    kind: isCase ? "case" : "trigger",
    positive,
    ask,
    prompt: `What of ${ask}, größer? ${index % 3}`,
    source: { file: `evals/triggers-${index % 7}.yaml`, line: index + 1, ...(index % 2 === 0 && { column: 3 }) },
    tags: index % 5 === 0 ? ["smoke", `t${index % 2}`] : [],
    runs: Object.fromEntries(TARGETS.map(({ id, predicted }) => [id, predicted ? 1 : 2 + (index % 4)])),
    skipped: random() < 0.05 ? { "judge:m": "it has no body" } : {},
  };
  if (random() < 0.9) line.skill = skill;
  if (isCase) return { ...line, skill, name: `case ${index}`, checks: `checks ${index % 3}` };
  const required = positive ? [skill] : sibling === undefined ? [] : [sibling];
  const forbidden = positive ? (sibling === undefined || sibling === skill ? [] : [sibling]) : [skill];
  line.positive = required.length > 0;
  line.expect = {
    required_skills: required,
    forbidden_skills: forbidden.filter((one) => !required.includes(one)),
    also_fine: random() < 0.1 ? [pick(SKILLS, random)] : [],
    mode: random() < 0.1 ? "exact_order" : "any_order",
    allow_extra: random() < 0.85,
  };
  if (random() < 0.8) line.asks = { "judge:m": `${ask} of ${skill}` };
  if (random() < 0.03) line.invalid = "it names a skill that the library does not have";
  if (random() < 0.05) line.draft = true;
  if (random() < 0.1) line.cross = true;
  return line;
}

function withoutSkill(question: QuestionLine): QuestionLine {
  const { id, ask } = question;
  return { ...question, id: `${id} without`, ask: `${ask} without`, baseline: { of: id, label: "no skill" } };
}

function asksOf(questions: readonly QuestionLine[]): Map<string, QuestionLine[]> {
  const asks = new Map<string, QuestionLine[]>();
  for (const question of questions)
    for (const { id } of TARGETS) {
      const key = `${id}\0${question.asks?.[id] ?? question.ask}`;
      asks.set(key, [...(asks.get(key) ?? []), question]);
    }
  return asks;
}

function trialsOf(key: string, questions: readonly QuestionLine[], random: Random): TrialLine[] {
  const [id = "", ask = ""] = key.split("\0");
  const planned = Math.max(...questions.map(({ runs }) => runs[id] ?? 0));
  // One run too many, at times, and one that is in the record twice.
  const runs = Array.from({ length: planned + (random() < 0.1 ? 1 : 0) }, (_, index) => index + 1).filter(
    () => random() < 0.95,
  );
  return [...runs, ...(random() < 0.1 ? [1] : [])].map((run) => trialOf({ id, ask, run }, questions, random));
}

function trialOf(
  { id, ask, run }: { id: string; ask: string; run: number },
  questions: readonly QuestionLine[],
  random: Random,
): TrialLine {
  const second = String(Math.floor(random() * 60)).padStart(2, "0");
  const trial: TrialLine = {
    type: "trial",
    target: id,
    ask,
    run,
    startedAt: `2026-11-15T10:0${run % 10}:${second}.000Z`,
    ms: Math.floor(random() * 5000),
    how: random() < 0.1 ? "max_turns" : "completed",
    turns: 2,
    activations: activationsOf(id, random),
    checks: questions.map((question) => checkOf(question, id, random)),
    attempts: [{ ms: 10, ...(random() < 0.5 && { costUsd: 0.01, usage: { inputTokens: 100, outputTokens: 7 } }) }],
  };
  if (random() < 0.1)
    trial.attempts.unshift({ ms: 3, error: { reason: "rate_limit", message: "slow down", retryable: true } });
  if (random() < 0.3) trial.costUsd = 0.02;
  if (random() < 0.1) trial.costEstimated = true;
  if (random() < 0.2) trial.resources = { peakMemoryBytes: Math.floor(random() * 1e9), cpuMs: 12 };
  if (random() < 0.1) trial.askedBack = true;
  if (random() < 0.1) trial.askedBecause = `${pick(SKILLS, random)} was edited`;
  if (random() < 0.2)
    trial.cached = { measuredAt: `2026-11-1${Math.floor(random() * 5)}T09:00:00.000Z`, savedMs: 900, savedUsd: 0.03 };
  if (id === "judge:m") trial.reason = "it is about parcels";
  if (id === "claude:haiku") {
    trial.listing = SKILLS.map((skill) => ({
      skill,
      shown: pick(["whole", "whole", "whole", "bare", "absent"] as const, random),
    }));
    if (random() < 0.2) trial.judged = { asked: 1, usage: { inputTokens: 9 } };
  }
  if (id === "embedded") trial.prediction = predictionOf(random);
  if (random() > 0.1) return trial;
  const error = { reason: pick(ERROR_REASONS, random), message: `broke on ${ask}`, retryable: false };
  return { ...trial, how: "error", activations: [], checks: [], error };
}

function activationsOf(id: string, random: Random): Activation[] {
  const evidence = () => (id === "embedded" ? "predicted" : random() < 0.7 ? "loaded" : pick(EVIDENCE, random));
  return SKILLS.filter(() => random() < 0.3)
    .sort(() => random() - 0.5)
    .map((skill) => ({ skill, turn: 1 + Math.floor(random() * 2), evidence: evidence() }));
}

function checkOf({ id }: QuestionLine, on: string, random: Random): CheckResult {
  const drawn = random();
  const passed = drawn < (on === "embedded" ? 0.3 : 0.03) ? null : drawn < 0.7;
  return {
    question: id,
    passed,
    score: passed === null ? null : Number(passed),
    message: passed === true ? "" : `it was ${drawn.toFixed(1)}`,
  };
}

function predictionOf(random: Random): NonNullable<TrialLine["prediction"]> {
  const ranking = SKILLS.map((skill) => {
    const score = Math.round(random() * 100) / 100;
    return {
      skill,
      score,
      probability: score,
      verdict: "uncertain" as const,
      words: random() < 0.7 ? ["parcel", "refund"] : [],
    };
  }).sort((a, b) => b.score - a.score);
  return { ranking, needs: 0.6, silentBelow: 0.3, ...(random() < 0.1 && { unsure: "language" as const }) };
}

function pick<T>(all: readonly T[], random: Random): T {
  // `!`: none of the lists is empty.
  return all[Math.floor(random() * all.length)]!;
}
