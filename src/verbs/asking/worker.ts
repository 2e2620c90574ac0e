import type { Ability, WorkerEvent } from "../../fleet/index.ts";
import { doctor } from "./doctor.ts";

export interface WorkerOptions {
  /** URL of the Redis where runs put their trials. */
  url: string;
  /** Trials at once. Default: 8. */
  jobs?: number;
  /** The worker's name in records. Default: the host's name and the process id. */
  name?: string;
  /** Targets to take: kinds (`claude`) or ids (`claude:haiku`). Default: all. */
  targets?: readonly string[];
  /** Ends the worker when no run needs it any more. */
  drain?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Ends the worker gracefully: trials in progress are finished, no more are taken. */
  signal?: AbortSignal;
  /** Ends the worker at once: trials in progress are given back for other workers. */
  stop?: AbortSignal;
  on?(event: WorkerEvent): void;
}

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
