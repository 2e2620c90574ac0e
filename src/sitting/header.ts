import { fingerprint, relativePosix, VERSION } from "../base/index.ts";
import type { ExamOptions } from "../options/index.ts";
import type { PreparedExam } from "../plan/index.ts";
import type { CachedSkill, HeaderStart } from "../records/index.ts";
import { gitState } from "./git.ts";

/** Who is asked what with which options: the first line of the record, and what a resumed run must share. */
export async function headerOf(exam: PreparedExam, staged: readonly CachedSkill[]): Promise<HeaderStart> {
  const { library, plan, options, targets } = exam;
  const git = await gitState(library.root);
  const skills = library.skills.map(({ id, modelInvocable }, index) => ({ id, fingerprint: staged[index]!.files, modelInvocable }));
  return {
    proctor: VERSION,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    startedAt: new Date().toISOString(),
    library: { name: library.name, root: library.root, fingerprint: library.fingerprint, skills },
    suite: plan.suite,
    targets: targets.map(({ target, identity }) => ({
      id: target.id,
      kind: target.kind,
      predicted: target.predicted,
      ...(target.note !== undefined && { note: target.note }),
      identity,
      fingerprint: fingerprint(identity),
    })),
    options: {
      ...recordedOptions(options),
      ...(exam.own && { ownTargets: true }),
      ...pathsOf(exam),
      ...agentOptionsOf(exam),
      said: exam.said,
    },
    optionsFingerprint: optionsFingerprint(options),
    ...(git && { git }),
    ...(exam.partial.length > 0 && { partial: exam.partial }),
    ...(options.shard && { shard: options.shard }),
  };
}

/** Relative to the library's root, so that a record can be gone on with in another checkout. */
function pathsOf({ paths, library }: PreparedExam): { paths?: string[] } {
  return paths === undefined ? {} : { paths: paths.map((path) => relativePosix(library.root, path)) };
}

/** What a resumed run takes from here; folders as relative as the paths. */
function agentOptionsOf({ agentOptions = {}, library }: PreparedExam): { agentOptions?: Record<string, unknown> } {
  if (Object.keys(agentOptions).length === 0) return {};
  const folders = agentOptions["with_skills"] as string[] | undefined;
  const relatives = folders?.map((folder) => relativePosix(library.root, folder) || ".");
  return { agentOptions: { ...agentOptions, ...(relatives && { with_skills: relatives }) } };
}

/** The names are those of the scorer, which reads them back. */
function recordedOptions(options: ExamOptions): Record<string, unknown> {
  const { threshold, negativeThreshold, earlyStop, confidence, gates, minCoverage, allowPredicted } = options;
  const { filters, runs, jobs, maxRuns, limits, cache, refresh, cross, timeoutMs, maxTurns, retries, escalate, calibrate } = options;
  return {
    threshold,
    negativeThreshold,
    evidence: options.evidence,
    earlyStop,
    ...(confidence !== undefined && { confidence, maxRuns }),
    gates,
    minCoverage,
    allowPredicted,
    filters,
    runs,
    jobs,
    limits,
    cache,
    refresh,
    cross,
    timeoutMs,
    ...(maxTurns !== undefined && { maxTurns }),
    retries,
    ...(options.keepGoing && { keepGoing: true }),
    escalate,
    calibrate,
    ...(options.judge !== undefined && { judge: options.judge }),
  };
}

/** What changes which trials there are and how they are read. Not: how fast, how dear, in which shard, and what is made of the scores. */
function optionsFingerprint(options: ExamOptions): string {
  const { threshold, negativeThreshold, evidence, earlyStop, confidence, maxRuns, filters, runs, cross, timeoutMs, maxTurns } = options;
  const { judge } = options;
  const sampling = confidence === undefined ? {} : { confidence, maxRuns };
  return fingerprint({ threshold, negativeThreshold, evidence, earlyStop, ...sampling, filters, runs, cross, timeoutMs, maxTurns, judge });
}
