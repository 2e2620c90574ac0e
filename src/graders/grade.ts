import type { Transcript } from "../transcripts/index.ts";
import { type CheckedConfig, checkSkillInvocation, rejection } from "./activations/check-skill-invocation.ts";
import { checkActivations, type SkillInvocation, skillInvocation } from "./activations/skill-invocation.ts";
import type { Check, Grader, GraderSpec, GradingContext } from "./grader.ts";
import { graders } from "./list.ts";

/** A question's checks on one trial, and what they come to. */
export interface Graded {
  /** All passed; null when one was skipped and none failed. */
  passed: boolean | null;
  score: number | null;
  message: string;
  checks: Check[];
}

/** A grader as a suite in this folder writes it: is its type known, and its configuration usable? */
export function checkGrader(spec: GraderSpec, suiteDir?: string): CheckedConfig<unknown> {
  if (spec.type === skillInvocation.type) return checkSkillInvocation(spec.config);
  const grader = find(spec.type);
  if (grader === undefined) return { status: "rejected", rejections: [{ path: [], message: `There is no grader \`${spec.type}\`` }] };
  const parsed = grader.config.safeParse(spec.config);
  if (!parsed.success) return { status: "rejected", rejections: parsed.error.issues.map(rejection) };
  const fault = grader.fault?.(parsed.data, suiteDir);
  return fault === undefined
    ? { status: "usable", config: parsed.data, notes: [] }
    : { status: "rejected", rejections: [{ path: [], message: fault }] };
}

/** Grades one trial of a trigger; its configuration is already checked, so this is cheap. */
export function gradeTrigger(expect: SkillInvocation, transcript: Transcript, context: Pick<GradingContext, "evidence"> = {}): Graded {
  if (transcript.outcome.status === "error") return notMeasured(transcript.outcome.error.message);
  return combine([{ weight: 1, checks: checkActivations(expect, transcript.activations, context.evidence, transcript.prediction) }]);
}

/** Grades one trial of a case by all its graders, one after the other. */
export async function gradeQuestion(specs: readonly GraderSpec[], transcript: Transcript, context: GradingContext): Promise<Graded> {
  if (transcript.outcome.status === "error") return notMeasured(transcript.outcome.error.message);
  const parts: Part[] = [];
  for (const spec of specs) parts.push({ weight: spec.weight ?? 1, checks: await runGrader(spec, transcript, context) });
  return combine(parts);
}

async function runGrader(spec: GraderSpec, transcript: Transcript, context: GradingContext): Promise<Check[]> {
  const grader = find(spec.type);
  if (grader === undefined) return [skipped(`There is no grader \`${spec.type}\``)];
  const config = parsedConfig(grader, spec);
  if (config === undefined) return [skipped(`The configuration of \`${spec.name ?? spec.type}\` is not valid`)];
  try {
    return await grader.grade(config.value, transcript, context);
  } catch (error) {
    return [skipped(`\`${spec.name ?? spec.type}\` failed: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

interface Part {
  weight: number;
  checks: Check[];
}

/** A grader's score is the lowest of its checks; a question's is the weighted mean of its graders. */
function combine(parts: Part[]): Graded {
  const checks = parts.flatMap((part) => part.checks);
  const failed = checks.filter((check) => check.passed === false);
  const open = checks.filter((check) => check.passed === null);
  const telling = failed.length > 0 ? failed : open.length > 0 ? open : checks;
  return {
    passed: failed.length > 0 ? false : open.length > 0 || checks.length === 0 ? null : true,
    score: weightedMean(parts),
    message: checks.length === 0 ? "Nothing was checked" : telling.map((check) => check.message).join("; "),
    checks,
  };
}

function weightedMean(parts: Part[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const { weight, checks } of parts) {
    const scores = checks.flatMap((check) => (check.score === null ? [] : [check.score]));
    if (scores.length === 0) continue;
    sum += weight * Math.min(...scores);
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}

function notMeasured(message: string): Graded {
  return { passed: null, score: null, message, checks: [] };
}

function skipped(message: string): Check {
  return { passed: null, score: null, message };
}

function find(type: string): Grader | undefined {
  return graders.find((grader) => grader.type === type);
}

/** The same spec grades thousands of trials; its configuration is parsed once. */
const parsedConfigs = new WeakMap<GraderSpec, { value: unknown } | { value: undefined; invalid: true }>();

function parsedConfig(grader: Grader, spec: GraderSpec): { value: unknown } | undefined {
  let known = parsedConfigs.get(spec);
  if (known === undefined) {
    const parsed = grader.config.safeParse(spec.config);
    known = parsed.success ? { value: parsed.data } : { value: undefined, invalid: true };
    parsedConfigs.set(spec, known);
  }
  return "invalid" in known ? undefined : known;
}
