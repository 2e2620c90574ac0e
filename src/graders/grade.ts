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
  /** False when a grader failed; null when none could be made, or a necessary one could not; else true. */
  passed: boolean | null;
  score: number | null;
  message: string;
  checks: Check[];
  parts: GradedPart[];
}

/** Whether a grader's type is known and its configuration usable. */
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

/** For triggers, whose configuration is already checked. */
export function gradeTrigger(
  expect: SkillInvocation,
  transcript: Transcript,
  context: Pick<GradingContext, "evidence"> = {},
): Graded {
  if (transcript.outcome.status === "error") return notMeasured(transcript.outcome.error.message);
  const checks = checkActivations(expect, transcript, context.evidence);
  // A target that cannot tell leaves the question open, whatever else is sure.
  const open = checks.map((check): Check => (check.passed === null ? { ...check, error: true } : check));
  return combine([{ spec: { type: skillInvocation.type, config: expect }, checks: open }]);
}

/**
 * Grades one trial of a case by all its graders: first those that look, then those that ask a judge, who is spared when
 * a gate has failed. A grader that does not exist is said, and the others decide.
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

/** Whether the same trial passes by some of its graders. Checks of an unchanged grader are reused. */
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

/** The score is the graders' mean, by weight. */
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

/** A grader passes when none of its checks failed, or from its threshold on. */
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
