import { UsageError } from "../base/index.ts";
import type { TargetContext } from "./kinds.ts";
import { NotHere } from "./not-here.ts";
import { resolveTarget } from "./resolve.ts";
import type { Target } from "./target.ts";

/** Resolves a target for planning. One that is not available here can be planned for, but not asked. */
export async function resolveForPlan(id: string, context: TargetContext): Promise<Target> {
  try {
    return await resolveTarget(id, context);
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    const { message, key } = error;
    const open = async () => {
      throw new UsageError(message);
    };
    return {
      ...(key === undefined ? agent(id, error) : await withoutKey(id, key, context)),
      missing: async () => message,
      open,
    };
  }
}

function agent(id: string, { identity, reportsCost }: NotHere): Omit<Target, "open"> {
  return {
    id,
    kind: "agent",
    predicted: false,
    answers: { trigger: true, case: true },
    expectedCostUsd: null,
    reportsCost,
    identify: async () => ({ ...identity, options: {}, deterministic: false }),
  };
}

function withoutKey(id: string, key: string, context: TargetContext): Promise<Target> {
  const env = { ...context.env, [key]: "not set" };
  return resolveTarget(id, { ...context, env, models: context.models && { ...context.models, env } });
}
