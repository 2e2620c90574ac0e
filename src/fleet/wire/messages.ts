import type { Job, JobResult } from "../../exam/grade/index.ts";
import type { Identity } from "../../model/index.ts";
import type { ModelOptions, Target, TextJudge } from "../../targets/index.ts";
import type { BundleRef } from "../bundle/bundle.ts";

/** Raised when a message changes its meaning. Run and worker must also be of the same version: adapters and graders are. */
export const PROTOCOL = 3;

/** What a run asks of the fleet. Its lease ends unless the run renews it; all times are counted by Redis or by one machine's own clock. */
export interface Session {
  id: string;
  protocol: number;
  version: string;
  /** Raised when targets or judges are added. */
  revision: number;
  leaseMs: number;
  targets: SessionTarget[];
  judges?: SessionJudges;
  /** The run is over: whatever still runs for it is dropped. */
  ended?: true;
}

/** A target as a worker finds it. Secrets stay where they are: of variables it has the names alone. */
export interface SessionTarget {
  id: string;
  /** As it is resolved in the folder of `files`. */
  spec: string;
  files?: BundleRef;
  endpoint?: string;
  /** Variables that the configuration sets for this target: the worker takes them from its own environment. */
  variables: string[];
  options: Record<string, unknown>;
  models: SessionModels;
}

/** How models are reached, without keys. */
export interface SessionModels {
  providers?: Record<string, { baseUrl?: string }>;
  prices?: ModelOptions["prices"];
}

export interface SessionJudges {
  names: string[];
  always?: string;
  models: SessionModels;
  options: Record<string, unknown>;
}

/** What a worker says when it finds a session, and again whenever that has grown. */
export interface Hello {
  worker: string;
  name: string;
  protocol: number;
  version: string;
  /** Made by the worker for this session; the answer repeats it, so that no old answer is taken for one. */
  nonce: string;
  revision: number;
  slots: number;
  /** By target's id. */
  targets: Record<string, Described | Cannot>;
  judges: Record<string, DescribedJudge | Cannot>;
}

export interface Cannot {
  cannot: string;
}

/** What a run must know of a target that is somewhere else. */
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

/** The answer of a run that is alive: it alone lets a worker take jobs. */
export interface Welcome {
  nonce: string;
  revision: number;
  /** The targets whose jobs it may take, by their place in the session. */
  serves: number[];
  /** Why it may not take those of the others, or any. */
  refused: string[];
}

/** What a worker tells everybody, every second. */
export interface Status {
  worker: string;
  name: string;
  protocol: number;
  version: string;
  slots: number;
  can: Ability;
  /** Rises each time it says something: Redis keeps the last word of a worker that is gone. */
  beat: number;
  /** The jobs it has in hand, by session. */
  running: Record<string, string[]>;
}

/** What a machine can run, as `proctor doctor` finds it; keys by name alone. */
export interface Ability {
  agents: { id: string; version?: string; ready: "yes" | "login" | "no" }[];
  keys: string[];
  sandbox?: string;
  /** The only targets it takes, where it was told so. */
  only?: string[];
}

/** `files` of the ask, and the folders of suites, are paths in the exam's bundle. */
export interface JobMessage {
  id: string;
  /** From 1; higher when it was lost and is handed out once more. A worker that has answered a delivery does not answer it again. */
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

/** Names of what is kept in Redis. Everything of one session has its id in braces, as a cluster wants it. */
export const keys = {
  workers: "proctor:workers",
  worker: (id: string) => `proctor:worker:${id}`,
  sessions: "proctor:sessions",
  session: (id: string) => `proctor:{${id}}:session`,
  hellos: (id: string) => `proctor:{${id}}:hellos`,
  welcomes: (id: string) => `proctor:{${id}}:welcomes`,
  /** A stream: what was read stays there until it was understood. */
  results: (id: string) => `proctor:{${id}}:results`,
  /** One queue a target: a worker takes only from those that it can answer. */
  queues: (id: string) => ({ prefix: `proctor:{${id}}`, name: (target: number) => `jobs-${target}` }),
  /** The session that writes a record. */
  record: (print: string) => `proctor:record:${print}`,
  bundle: (hash: string) => `proctor:bundle:${hash}`,
  /** A list as long as trials could use a slot now: what an autoscaler looks at. */
  wanted: "proctor:wanted",
} as const;
