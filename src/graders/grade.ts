import type { Check, GraderSpec, SkillInvocation, Transcript } from "../model/index.ts";
import {
  type CheckedConfig,
  checkActivations,
  checkSkillInvocation,
  skillInvocation,
} from "./activations/skill-invocation.ts";
import { notMade, skipped } from "./checks.ts";
import { needsJudge, understand } from "./find-grader.ts";
import type { GradingContext } from "./grader.ts";

interface GradedPart {
  grader: string;
  passed: boolean | null;
  score: number | null;
  checks: Check[];
}

interface Graded {
  /** False if a grader failed; null if none had a verdict or a necessary check could not be made. */
  passed: boolean | null;
  score: number | null;
  message: string;
  checks: Check[];
  parts: GradedPart[];
}

export function checkGrader(spec: GraderSpec, suiteDir?: string): CheckedConfig<unknown> {
  const { threshold } = spec;
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1))
    return {
      status: "rejected",
      rejections: [{ path: ["threshold"], message: "A threshold is a number from 0 to 1" }],
    };
  if (spec.type === skillInvocation.type) return checkSkillInvocation(spec.config);
  const meaning = understand(spec);
  if (meaning.status === "rejected") return meaning;
  if (meaning.status === "unknown")
    return { status: "rejected", rejections: [{ path: [], message: `There is no grader \`${spec.type}\`` }] };
  const fault = meaning.grader.fault?.(meaning.config, suiteDir);
  return fault === undefined
    ? { status: "usable", config: meaning.config, notes: [] }
    : { status: "rejected", rejections: [{ path: [], message: fault }] };
}

export function gradeTrigger(
  expect: SkillInvocation,
  transcript: Transcript,
  context: Pick<GradingContext, "evidence"> = {},
): Graded {
  if (transcript.outcome.status === "error") return notMeasured(transcript.outcome.error.message);
  const checks = checkActivations(expect, transcript, context.evidence);
  // If the target is undecided about one check, the question has no verdict, even if other checks passed.
  const open = checks.map((check): Check => (check.passed === null ? { ...check, error: true } : check));
  return combine([{ spec: { type: skillInvocation.type, config: expect }, checks: open }]);
}

/**
 * Grades one trial of a case. Graders that ask a judge run last, and not at all if a gate failed. An unknown grader is
 * reported and skipped.
 */
export async function gradeQuestion(
  specs: readonly GraderSpec[],
  transcript: Transcript,
  context: GradingContext,
): Promise<Graded> {
  if (transcript.outcome.status === "error") return notMeasured(transcript.outcome.error.message);
  const found = new Map<GraderSpec, Check[]>();
  for (const spec of specs) if (!needsJudge(spec)) found.set(spec, await runGrader(spec, transcript, context));
  const shut = specs.find((spec) => spec.gate === true && verdictOf(spec, found.get(spec) ?? []).passed === false);
  for (const spec of specs) {
    if (!needsJudge(spec)) continue;
    const spared = shut !== undefined && [skipped(`no judge was asked: the gate ${called(shut)} failed`)];
    found.set(spec, spared || (await runGrader(spec, transcript, context)));
  }
  return combine(specs.map((spec) => ({ spec, checks: found.get(spec) ?? [] })));
}

export async function passesBy(
  some: readonly GraderSpec[],
  { specs, graded, transcript }: { specs: readonly GraderSpec[]; graded: Graded; transcript: Transcript },
  context: GradingContext,
): Promise<boolean | null> {
  const known = new Map(specs.map((spec, at) => [JSON.stringify(spec), graded.parts[at]?.checks]));
  const found: GradedSpec[] = [];
  for (const spec of some)
    found.push({ spec, checks: known.get(JSON.stringify(spec)) ?? (await runGrader(spec, transcript, context)) });
  return combine(found).passed;
}

async function runGrader(spec: GraderSpec, transcript: Transcript, context: GradingContext): Promise<Check[]> {
  const meaning = understand(spec);
  if (meaning.status === "unknown") {
    const why = spec.type === "" ? "this check has no type" : `there is no grader \`${spec.type}\``;
    return [skipped(`not checked: ${why}`)];
  }
  if (meaning.status === "rejected") return [notMade(`The configuration of \`${called(spec)}\` is not valid`)];
  try {
    return await meaning.grader.grade(meaning.config, transcript, context);
  } catch (error) {
    return [notMade(`\`${called(spec)}\` failed: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

interface GradedSpec {
  spec: GraderSpec;
  checks: Check[];
}

function combine(found: GradedSpec[]): Graded {
  const parts = found.map(
    ({ spec, checks }): GradedPart => ({ grader: called(spec), ...verdictOf(spec, checks), checks }),
  );
  const checks = parts.flatMap((part) => part.checks);
  const failed = parts
    .filter(({ passed }) => passed === false)
    .flatMap((part) => part.checks.filter(({ passed }) => passed === false));
  const broken = checks.filter(({ error }) => error);
  const open = checks.filter(({ passed }) => passed === null);
  const made = parts.some(({ passed }) => passed === true);
  const passed = parts.some((part) => part.passed === false) ? false : broken.length > 0 || !made ? null : true;
  const telling = passed === false ? failed : passed === null ? (broken.length > 0 ? broken : open) : checks;
  return {
    passed,
    score: weightedMean(found, parts),
    message:
      checks.length === 0 ? "Nothing was checked" : [...new Set(telling.map((check) => check.message))].join("; "),
    checks,
    parts,
  };
}

/** A grader passes if no check failed or, with a threshold, if its score reaches it. */
function verdictOf(spec: GraderSpec, checks: readonly Check[]): { passed: boolean | null; score: number | null } {
  const scores = checks.flatMap((check) => (check.score === null ? [] : [check.score]));
  if (scores.length === 0) return { passed: null, score: null };
  const meaning = understand(spec);
  const mean = meaning.status === "usable" && meaning.grader.scoring === "mean";
  const score = mean ? scores.reduce((sum, one) => sum + one, 0) / scores.length : Math.min(...scores);
  if (spec.threshold !== undefined) return { passed: score >= spec.threshold, score };
  const failed = checks.some(({ passed }) => passed === false);
  return { passed: failed ? false : checks.some(({ passed }) => passed === true) ? true : null, score };
}

function weightedMean(found: readonly GradedSpec[], parts: readonly GradedPart[]): number | null {
  let sum = 0;
  let weights = 0;
  parts.forEach(({ score }, index) => {
    if (score === null) return;
    const weight = found[index]?.spec.weight ?? 1;
    sum += weight * score;
    weights += weight;
  });
  return weights === 0 ? null : sum / weights;
}

function called({ name, type }: GraderSpec): string {
  return name ?? type;
}

function notMeasured(message: string): Graded {
  return { passed: null, score: null, message, checks: [], parts: [] };
}
