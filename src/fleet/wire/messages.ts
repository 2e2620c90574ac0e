import type { Job, JobResult } from "../../exam/grade/index.ts";
import type { Identity } from "../../model/index.ts";
import type { ModelOptions, Target, TextJudge } from "../../targets/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";

/**
 * Raised when a message changes its meaning. Run and worker must also have the same version, since adapters and graders
 * differ between versions.
 */
export const PROTOCOL = 4;

/**
 * What a run asks of the fleet. Its lease ends unless the run renews it. All times are measured by Redis or by one
 * machine's clock.
 */
export interface RunMessage {
  id: string;
  protocol: number;
  version: string;
  /** Raised when targets or judges are added. */
  revision: number;
  leaseMs: number;
  targets: RunTarget[];
  judges?: RunJudges;
  /** The run is over; its trials are dropped. */
  ended?: true;
}

/** A target as sent to workers. Variables travel by name only, so that no secret is sent. */
export interface RunTarget {
  id: string;
  /** Resolved in the folder of `files`. */
  spec: string;
  files?: BundleRef;
  endpoint?: string;
  /** Variables that the configuration sets for this target; the worker has its own values. */
  variables: string[];
  options: Record<string, unknown>;
  models: RunModels;
}

/** How to reach models, without keys. */
export interface RunModels {
  providers?: Record<string, { baseUrl?: string }>;
  prices?: ModelOptions["prices"];
}

export interface RunJudges {
  names: string[];
  always?: string;
  models: RunModels;
  options: Record<string, unknown>;
}

/** What a worker says when it finds a run, and again when the run adds targets or judges. */
export interface Hello {
  worker: string;
  name: string;
  protocol: number;
  version: string;
  /** Chosen by the worker for this run; the answer repeats it, so that an old answer is not mistaken for it. */
  nonce: string;
  revision: number;
  slots: number;
  /** Keyed by target id. */
  targets: Record<string, Described | Cannot>;
  judges: Record<string, DescribedJudge | Cannot>;
}

export interface Cannot {
  cannot: string;
}

/** What a run must know of a remote target. */
export interface Described
  extends Pick<
    Target,
    | "kind"
    | "predicted"
    | "perSkill"
    | "answers"
    | "expectedCostUsd"
    | "reportsCost"
    | "mostCostUsd"
    | "concurrency"
    | "note"
  > {
  identity: Identity;
  beside?: readonly string[];
}

export type DescribedJudge = Pick<TextJudge, "identity" | "expectedUsd" | "mostUsd">;

/** The answer of a live run. A worker takes no jobs without it. */
export interface Welcome {
  nonce: string;
  revision: number;
  /** Indexes of the targets whose jobs it may take. */
  serves: number[];
  /** Why it may not take other jobs, or any. */
  refused: string[];
}

/** What a worker announces every second. */
export interface Status {
  worker: string;
  name: string;
  protocol: number;
  version: string;
  slots: number;
  can: Ability;
  /** Rises with every status: Redis keeps the last status of a worker that is gone. */
  beat: number;
  /** Ids of the jobs in hand, by run. */
  running: Record<string, string[]>;
}

/** What a machine can run, as `proctor doctor` finds it; keys by name only. */
export interface Ability {
  agents: { id: string; version?: string; ready: "yes" | "login" | "no" }[];
  keys: string[];
  sandbox?: string;
  /** The only targets it takes, if limited. */
  only?: string[];
}

/** `files` of the ask, and the folders of suites, are paths in the exam's bundle. */
export interface JobMessage {
  id: string;
  /** From 1; rises when a lost job is handed out again. A worker answers each delivery once. */
  delivery: number;
  exam: BundleRef;
  job: Job;
}

export interface ResultMessage {
  id: string;
  worker: string;
  name: string;
  result: JobResult;
}

/** Keys in Redis. Those of one run have its id in braces, so that a cluster keeps them on one node. */
export const keys = {
  workers: "proctor:workers",
  worker: (id: string) => `proctor:worker:${id}`,
  runs: "proctor:runs",
  run: (id: string) => `proctor:{${id}}:run`,
  hellos: (id: string) => `proctor:{${id}}:hellos`,
  welcomes: (id: string) => `proctor:{${id}}:welcomes`,
  /** A stream, so that results stay until they are processed. */
  results: (id: string) => `proctor:{${id}}:results`,
  /** One queue per target, because a worker takes only from those it can serve. */
  queues: (id: string) => ({ prefix: `proctor:{${id}}`, name: (target: number) => `jobs-${target}` }),
  /** The run that writes a record. */
  record: (print: string) => `proctor:record:${print}`,
  bundle: (hash: string) => `proctor:bundle:${hash}`,
  /** For autoscalers: a list with one entry per trial that could use a slot now. */
  wanted: "proctor:wanted",
} as const;
