import { type Survey, type SurveyedAgent, surveyAgents } from "./agents/index.ts";
import { findLocalServers } from "./models/local-servers.ts";
import { keyVariable } from "./models/providers.ts";
import { costPerQuestion } from "./models/target.ts";

/** An examinee that knows more than cards and words, and that this machine has. */
export interface BetterExaminee {
  /** As it is given to `-t`. */
  target: string;
  /** Flags it needs besides. */
  flags: string[];
  /** What it is, for a person. */
  what: string;
  /** What this many trials would cost: 0 = nothing, null = not known (a subscription). */
  costUsd: number | null;
  /** A subscription pays, not a key. */
  onPlan?: true;
}

interface BetterRequest {
  env: NodeJS.ProcessEnv;
  /** How many trials there would be: questions, times the runs of each. */
  trials: number;
  /** Of how many skills the library is. */
  skills: number;
  /** How long to wait for a server on this machine to say that it is there. */
  probeMs?: number;
  /** What is known of this machine's CLIs already. */
  survey?: Pick<Survey, "agents">;
}

/** The models whose keys may be set, small ones: choosing from a list of cards is easy for them. */
const BY_KEY = {
  anthropic: "anthropic/claude-haiku-4-5",
  openai: "openai/gpt-5-mini",
  google: "google/gemini-2.5-flash",
  openrouter: "openrouter/openai/gpt-5-mini",
};

/** Who could be asked next, the cheapest first: a model server on this machine, an installed CLI with a login, a provider whose key is set; then a CLI with a key. */
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

/** The variable with a subscription's token, where no key would be used instead. */
function tokenOf({ keys }: SurveyedAgent): string | undefined {
  const [first] = keys.filter(({ present }) => present);
  return first !== undefined && /_OAUTH_TOKEN$|^(?:COPILOT_GITHUB|GH|GITHUB)_TOKEN$/.test(first.name)
    ? first.name
    : undefined;
}

/** One call for many questions where the CLI can be kept from its tools; else the agent itself, question by question. */
function cli({ id, title, speaks }: SurveyedAgent, by: string, flags: string[]): BetterExaminee {
  const how = speaks ? ", a call for 25 questions" : "";
  return { target: speaks ? `router:cli/${id}` : id, flags, what: `${title} with ${by}${how}`, costUsd: null };
}
