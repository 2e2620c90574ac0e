import { UsageError } from "../base/index.ts";
import type { TargetContext } from "./kinds.ts";
import { NotHere } from "./not-here.ts";
import { resolveTarget } from "./resolve.ts";
import type { Target } from "./target.ts";

/** A target as a plan needs it: who is not here can be planned for all the same, and says what it lacks. It cannot be asked. */
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

/** A CLI that is not installed. */
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

/** A model is known without its key; nothing is sent with this one. */
function withoutKey(id: string, key: string, context: TargetContext): Promise<Target> {
  const env = { ...context.env, [key]: "not set" };
  return resolveTarget(id, { ...context, env, ...(context.models && { models: { ...context.models, env } }) });
}
