import { type Survey, type SurveyedAgent, surveyAgents } from "./agents/index.ts";
import { findLocalServers } from "./models/local-servers.ts";
import { costPerQuestion } from "./models/target.ts";

/** An examinee that knows more than cards and words, and that this machine has. */
export interface BetterExaminee {
  /** As it is given to `-t`. */
  target: string;
  /** Flags it needs besides. */
  flags: string[];
  /** What it is, for a person. */
  what: string;
  /** What this many questions would cost: 0 = nothing, null = not known (a subscription). */
  costUsd: number | null;
}

interface BetterRequest {
  env: NodeJS.ProcessEnv;
  /** How many questions would be asked. */
  questions: number;
  /** How long to wait for a server on this machine to say that it is there. */
  probeMs?: number;
  /** What is known of this machine's CLIs already. */
  survey?: Pick<Survey, "agents">;
}

/** The models whose keys may be set, small ones: choosing from a list of cards is easy for them. */
const BY_KEY = [
  { key: "ANTHROPIC_API_KEY", model: "anthropic/claude-haiku-4-5" },
  { key: "OPENAI_API_KEY", model: "openai/gpt-5-mini" },
  { key: "GEMINI_API_KEY", model: "google/gemini-2.5-flash" },
];

/** Who could be asked next, the cheapest first: a model server on this machine, an installed CLI with a login, a provider whose key is set; then a CLI with a key. */
export async function betterExaminees({ env, questions, probeMs, survey }: BetterRequest): Promise<BetterExaminee[]> {
  const [servers, { agents }] = await Promise.all([findLocalServers(env, probeMs), survey ?? surveyAgents(env)]);
  const local = servers.map(({ provider, title, models }): BetterExaminee => {
    const model = models[0] ?? "";
    return { target: `router:${provider}/${model}`, flags: [], what: `${title} on this machine, with ${model}`, costUsd: 0 };
  });
  const able = agents.filter(({ speaks, path, ready }) => path !== undefined && (speaks || ready !== "no"));
  const borrowed = able.filter(({ login }) => login.state === "present").map((agent) => cli(agent, "your login", ["--use-login"]));
  const paid = able
    .filter((agent) => agent.login.state !== "present" && agent.keys.some((key) => key.present))
    .map((agent) => cli(agent, "the key that is set", []));
  const keys = BY_KEY.filter(({ key }) => Boolean(env[key])).map(({ key, model }): BetterExaminee => {
    const each = costPerQuestion(model);
    return {
      target: `router:${model}`,
      flags: [],
      what: `${model}, since ${key} is set`,
      costUsd: each === null ? null : each * questions,
    };
  });
  return [...local, ...borrowed, ...keys, ...paid];
}

/** One call for many questions where the CLI can be kept from its tools; else the agent itself, question by question. */
function cli({ id, title, speaks }: SurveyedAgent, by: string, flags: string[]): BetterExaminee {
  const how = speaks ? ", a call for 25 questions" : "";
  return { target: speaks ? `router:cli/${id}` : id, flags, what: `${title} with ${by}${how}`, costUsd: null };
}
