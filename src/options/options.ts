import type { Config } from "./config.ts";

/** Which questions are put. Anything but `{}` makes the run partial. */
export interface Filters {
  skills?: string[];
  cases?: string[];
  tags?: string[];
  grep?: string;
  only?: "triggers" | "cases";
  /** Those that did not pass in the last run. */
  failed?: boolean;
}

/** What the command line, or a caller of the library, asks for on top of the configuration. */
export interface ExamFlags extends Filters {
  targets?: string[];
  runs?: number;
  jobs?: number;
  threshold?: number;
  negativeThreshold?: number;
  gates?: string[];
  minCoverage?: number;
  allowPredicted?: boolean;
  evidence?: "any" | "loaded";
  earlyStop?: boolean;
  confidence?: number;
  maxRuns?: number;
  budget?: number;
  budgetTokens?: number;
  maxTrials?: number;
  cache?: boolean;
  refresh?: boolean;
  cross?: boolean;
  shard?: { index: number; count: number };
  timeoutSeconds?: number;
  maxTurns?: number;
  retries?: number;
  keepGoing?: boolean;
  escalate?: boolean;
  calibrate?: boolean;
  /** The model that judges free text, whatever a suite names. */
  judge?: string;
  /** Each suite is put to its own targets; set when a run in which it was so goes on. */
  ownTargets?: boolean;
  /** Options of every agent target of the run, before those of the configuration. */
  agentOptions?: Record<string, unknown>;
}

/** What a run may not pass. */
export interface Limits {
  usd?: number;
  tokens?: number;
  trials?: number;
}

export interface ExamOptions {
  filters: Filters;
  runs: { flag?: number; triggers: number; cases: number };
  jobs: number;
  threshold: number;
  negativeThreshold: number;
  gates: string[];
  minCoverage: number;
  allowPredicted: boolean;
  evidence: "any" | "loaded";
  earlyStop: boolean;
  confidence?: number;
  maxRuns: number;
  limits: Limits;
  cache: boolean;
  refresh: boolean;
  cross: boolean;
  shard?: { index: number; count: number };
  timeoutMs: number;
  maxTurns?: number;
  retries: number;
  keepGoing: boolean;
  escalate: boolean;
  calibrate: boolean;
  judge?: string;
}

/** Flags, then the configuration, then the defaults. */
export function resolveExamOptions(flags: ExamFlags, config: Config): ExamOptions {
  const runs = typeof config.runs === "number" ? { triggers: config.runs, cases: config.runs } : (config.runs ?? {});
  const budget = typeof config.budget === "number" ? { usd: config.budget } : (config.budget ?? {});
  const { skills, cases, tags, grep, only, failed } = flags;
  const maxTurns = flags.maxTurns ?? config.max_turns;
  return {
    filters: defined({ skills, cases, tags, grep, only, failed }),
    runs: { ...defined({ flag: flags.runs }), triggers: runs.triggers ?? 3, cases: runs.cases ?? 1 },
    jobs: flags.jobs ?? config.jobs ?? 8,
    threshold: flags.threshold ?? config.threshold ?? 0.5,
    negativeThreshold: flags.negativeThreshold ?? config.negative_threshold ?? 0.5,
    gates: [...(config.gates ?? []), ...(flags.gates ?? [])],
    minCoverage: flags.minCoverage ?? config.min_coverage ?? 1,
    allowPredicted: flags.allowPredicted ?? config.allow_predicted ?? false,
    evidence: flags.evidence ?? config.evidence ?? "any",
    earlyStop: flags.earlyStop ?? config.early_stop ?? true,
    ...defined({ confidence: flags.confidence, shard: flags.shard, maxTurns, judge: flags.judge ?? config.judge }),
    maxRuns: flags.maxRuns ?? 30,
    limits: defined({
      usd: flags.budget ?? budget.usd,
      tokens: flags.budgetTokens ?? budget.tokens,
      trials: flags.maxTrials ?? budget.trials,
    }),
    cache: flags.cache ?? config.cache ?? true,
    refresh: flags.refresh ?? false,
    cross: flags.cross ?? false,
    timeoutMs: (flags.timeoutSeconds ?? config.timeout_seconds ?? 120) * 1000,
    retries: flags.retries ?? config.retries ?? 3,
    keepGoing: flags.keepGoing ?? false,
    escalate: flags.escalate ?? false,
    calibrate: flags.calibrate ?? false,
  };
}

/** Without the members that are undefined or empty lists. */
function defined<T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(kept) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
