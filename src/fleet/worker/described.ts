import { type Mask, UsageError } from "../../base/index.ts";
import { maskIdentity } from "../../exam/record/index.ts";
import { loadModels, resolveTarget, type Target, type TextJudge } from "../../targets/index.ts";
import type { Cannot, Described, DescribedJudge, RunJudges, RunModels, RunTarget } from "../wire/messages.ts";

/** Resolves a run's target with this machine's keys. `folder` holds the target's files. */
export async function findTarget(
  { id, spec, endpoint, variables, options, models }: RunTarget,
  { env, folder }: { env: NodeJS.ProcessEnv; folder: string },
): Promise<Target> {
  const set = Object.fromEntries(variables.map((name) => [name, ownValue(name, id, env)]));
  const target = await resolveTarget(spec, {
    cwd: folder,
    env,
    models: { env, ...modelsOf(models), endpoint, options },
    settings: { endpoint, options, ...(variables.length > 0 && { env: set }) },
  });
  const missing = await target.missing?.();
  if (missing !== undefined) throw new UsageError(missing);
  return { ...target, id };
}

export async function findJudges(
  { names, always, models, options }: RunJudges,
  env: NodeJS.ProcessEnv,
): Promise<(name: string | undefined) => TextJudge | undefined> {
  return (await loadModels()).textJudges(names, { env, ...modelsOf(models), always, agents: { options } });
}

/** An endpoint from this machine's environment may have a password in it. */
export async function describeTarget(target: Target, mask: Mask): Promise<Described> {
  const { kind, predicted, perSkill, answers, expectedCostUsd, reportsCost, mostCostUsd, concurrency, note, beside } =
    target;
  const identity = maskIdentity(await target.identify(), mask);
  return {
    kind,
    predicted,
    perSkill,
    answers,
    expectedCostUsd,
    reportsCost,
    mostCostUsd,
    concurrency,
    note: note && mask(note),
    beside,
    identity,
  };
}

export function describeJudge({ identity, expectedUsd, mostUsd }: TextJudge, mask: Mask): DescribedJudge {
  return { identity: maskIdentity(identity, mask), expectedUsd, mostUsd };
}

/** The error as shown here, for the person who started the run. */
export function cannot(error: unknown, mask: Mask): Cannot {
  if (!(error instanceof Error)) return { cannot: mask(String(error)) };
  const hint = error instanceof UsageError && error.hint !== undefined ? ` ${error.hint}` : "";
  return { cannot: mask(`${error.message}${hint}`.replace(/\.$/, "")) };
}

function ownValue(name: string, id: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value !== undefined) return value;
  throw new UsageError(
    `The configuration of the run sets ${name} for ${id}, and its value is not sent.`,
    `Set ${name} for the worker.`,
  );
}

function modelsOf({ providers, prices }: RunModels) {
  return { providers, prices } as { providers?: Record<string, { baseUrl?: string }>; prices?: never };
}
