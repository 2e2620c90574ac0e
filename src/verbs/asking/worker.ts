import type { Ability, WorkerEvent } from "../../fleet/index.ts";
import { doctor } from "./doctor.ts";

export interface WorkerOptions {
  /** The Redis where runs leave their trials. */
  url: string;
  /** Trials at once; 8 unless said. */
  jobs?: number;
  /** How it is called in records; the host's name and the process unless said. */
  name?: string;
  /** The only targets it takes: kinds (`claude`) or whole ones (`claude:haiku`). */
  targets?: readonly string[];
  /** Ends when no run needs it any more. */
  drain?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Ends it: what is under way is finished, nothing new is taken. */
  signal?: AbortSignal;
  /** Ends it at once: what is under way is given back, for another worker. */
  stop?: AbortSignal;
  on?(event: WorkerEvent): void;
}

/**
 * `proctor worker` as a function: makes trials of runs on other machines until it is told to end; returns how many it
 * made.
 */
export async function worker(options: WorkerOptions): Promise<number> {
  const never = new AbortController().signal;
  const {
    url,
    jobs = 8,
    name,
    targets,
    drain,
    env = process.env,
    signal = never,
    stop = never,
    on = () => {},
  } = options;
  const { runWorker } = await import("../../fleet/index.ts");
  return runWorker(url, { env, jobs, name, targets, drain, can: () => abilityOf(env), finish: signal, stop, on });
}

async function abilityOf(env: NodeJS.ProcessEnv): Promise<Ability> {
  const { agents, models, sandbox } = await doctor({ env });
  return {
    agents: agents.filter(({ path }) => path !== undefined).map(({ id, version, ready }) => ({ id, version, ready })),
    keys: models.filter(({ present }) => present).map((key) => key.name),
    sandbox,
  };
}
