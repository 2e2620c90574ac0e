import { adapters } from "./adapters.ts";
import { findAgent } from "./find.ts";
import { findSandbox, sandboxAdvice } from "./sandbox.ts";

/** What this machine can run. Keys are told by name alone. */
export interface Survey {
  sandbox: string | undefined;
  /** What would give it one, where there is none. */
  sandboxAdvice?: string;
  agents: SurveyedAgent[];
}

export interface SurveyedAgent {
  id: string;
  title: string;
  path?: string;
  version?: string;
  tested: readonly [string, string];
  warning?: string;
  keys: { name: string; present: boolean }[];
  endpoint?: string;
  /** What is missing before a trial can run here, each with what to do. Empty: it is ready. */
  needs: string[];
}

export async function surveyAgents(env: NodeJS.ProcessEnv): Promise<Survey> {
  const sandbox = findSandbox(env)?.name;
  const agents = await Promise.all(
    adapters.map(async (adapter): Promise<SurveyedAgent> => {
      const found = await findAgent(adapter, env);
      const keys = adapter.keys.map((name) => ({ name, present: Boolean(env[name]) }));
      const needs = [
        ...(found === undefined ? [`install it: ${adapter.install}`] : []),
        ...(keys.some(({ present }) => present) ? [] : [`set ${adapter.keys.join(" or ")}`]),
        ...(sandbox === undefined && !adapter.readOnlyProfile ? [`${sandboxAdvice(env)}, or pass --no-sandbox`] : []),
      ];
      const endpoint = env[adapter.endpointVariable];
      return {
        id: adapter.id,
        title: adapter.title,
        ...(found && { path: found.path, version: found.version, ...(found.warning !== undefined && { warning: found.warning }) }),
        tested: adapter.tested,
        keys,
        ...(endpoint && { endpoint }),
        needs,
      };
    }),
  );
  return { sandbox, ...(sandbox === undefined && { sandboxAdvice: sandboxAdvice(env) }), agents };
}
