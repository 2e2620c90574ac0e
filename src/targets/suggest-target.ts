import { type Survey, type SurveyedAgent, surveyAgents } from "./agents/index.ts";
import { findLocalServers } from "./models/local-servers.ts";
import { keyVariable } from "./models/providers.ts";
import { costPerQuestion } from "./models/target.ts";

/** An examinee of this machine that knows more than cards and words. */
export interface BetterExaminee {
  target: string;
  flags: string[];
  what: string;
  /** Cost of all trials; 0 = free, null = unknown (a subscription). */
  costUsd: number | null;
  onPlan?: true;
}

interface BetterRequest {
  env: NodeJS.ProcessEnv;
  trials: number;
  skills: number;
  probeMs?: number;
  survey?: Pick<Survey, "agents">;
}

/** Small models: choosing from a list of cards is easy for them. */
const BY_KEY = {
  anthropic: "anthropic/claude-haiku-4-5",
  openai: "openai/gpt-5-mini",
  google: "google/gemini-2.5-flash",
  openrouter: "openrouter/openai/gpt-5-mini",
};

/** Cheapest first: a local model server, a CLI with a login, a provider whose key is set, then a CLI with a key. */
export async function betterExaminees({
  env,
  trials,
  skills,
  probeMs,
  survey,
}: BetterRequest): Promise<BetterExaminee[]> {
  const [servers, { agents }] = await Promise.all([findLocalServers(env, probeMs), survey ?? surveyAgents(env)]);
  const local = servers.map(({ provider, title, models }): BetterExaminee => {
    const model = models[0] ?? "";
    return {
      target: `router:${provider}/${model}`,
      flags: [],
      what: `${title} on this machine, with ${model}`,
      costUsd: 0,
    };
  });
  const able = agents.filter(({ speaks, path, ready }) => path !== undefined && (speaks || ready !== "no"));
  const borrowed = able.flatMap((agent): BetterExaminee[] => {
    if (agent.login.state === "present") return [{ ...cli(agent, "your login", ["--use-login"]), onPlan: true }];
    const token = tokenOf(agent);
    return token === undefined ? [] : [{ ...cli(agent, `the token in ${token}`, []), onPlan: true }];
  });
  const paid = able
    .filter(
      (agent) =>
        agent.login.state !== "present" && tokenOf(agent) === undefined && agent.keys.some((key) => key.present),
    )
    .map((agent) => cli(agent, "the key that is set", []));
  const keys = Object.entries(BY_KEY)
    .flatMap(([provider, model]): BetterExaminee[] => {
      const key = keyVariable(provider, env);
      if (key === undefined) return [];
      const each = costPerQuestion(model, skills);
      const costUsd = each === null ? null : each * trials;
      return [{ target: `router:${model}`, flags: [], what: `${model}, since ${key} is set`, costUsd }];
    })
    .sort((a, b) => (a.costUsd ?? Number.POSITIVE_INFINITY) - (b.costUsd ?? Number.POSITIVE_INFINITY));
  return [...local, ...borrowed, ...keys, ...paid];
}

/** The variable with a subscription's token, unless a key takes precedence. */
function tokenOf({ keys }: SurveyedAgent): string | undefined {
  const [first] = keys.filter(({ present }) => present);
  return first !== undefined && /_OAUTH_TOKEN$|^(?:COPILOT_GITHUB|GH|GITHUB)_TOKEN$/.test(first.name)
    ? first.name
    : undefined;
}

/** One call for 25 questions if the CLI can run without tools, otherwise the agent itself, one question at a time. */
function cli({ id, title, speaks }: SurveyedAgent, by: string, flags: string[]): BetterExaminee {
  const how = speaks ? ", a call for 25 questions" : "";
  return { target: speaks ? `router:cli/${id}` : id, flags, what: `${title} with ${by}${how}`, costUsd: null };
}
