import type { ExamFlags } from "./options.ts";

/**
 * The flags that say what is asked, of whom and how it is read, as a person would type them: what a command must repeat to mean the
 * same exam. Not: paths and targets, which the record has anyway, and what a run may cost or how it ends.
 */
export function saidFlags(flags: ExamFlags): string[] {
  const agents = flags.agentOptions ?? {};
  return [
    ...each("--skill", flags.skills),
    ...each("--case", flags.cases),
    ...each("--tag", flags.tags),
    ...value("--grep", flags.grep),
    ...value("--only", flags.only),
    ...said("--cross", flags.cross),
    ...value("--runs", flags.runs),
    ...said("--no-early-stop", flags.earlyStop === false),
    ...value("--confidence", flags.confidence),
    ...value("--max-runs", flags.confidence === undefined ? undefined : flags.maxRuns),
    ...value("--threshold", flags.threshold),
    ...value("--negative-threshold", flags.negativeThreshold),
    ...value("--evidence", flags.evidence),
    ...value("--judge", flags.judge),
    ...value("--timeout", flags.timeoutSeconds),
    ...value("--max-turns", flags.maxTurns),
    ...said("--calibrate", flags.calibrate),
    ...said("--keep-going", flags.keepGoing),
    ...said("--no-sandbox", agents["sandbox"] === "off"),
    ...said("--use-login", agents["use_login"] === true),
    ...said("--realistic", agents["realistic"] === true),
    ...each("--with-skills", agents["with_skills"] as string[] | undefined),
  ];
}

function each(flag: string, values: readonly string[] = []): string[] {
  return values.flatMap((one) => [flag, one]);
}

function value(flag: string, given: string | number | undefined): string[] {
  return given === undefined ? [] : [flag, String(given)];
}

function said(flag: string, given: boolean | undefined): string[] {
  return given ? [flag] : [];
}
