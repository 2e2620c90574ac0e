import { type AgentHost, agentHosts } from "../hosts/index.ts";
import type { ModelOptions } from "./models/index.ts";
import type { Target } from "./target.ts";

export interface TargetContext {
  /** Base of relative paths. */
  cwd: string;
  /** The folder that holds `.proctor`; defaults to `cwd`. */
  root?: string;
  env: NodeJS.ProcessEnv;
  /** Defaults to what the environment says. */
  models?: ModelOptions;
  settings?: {
    endpoint?: string | undefined;
    env?: Record<string, string> | undefined;
    options?: Record<string, unknown> | undefined;
  };
}

export interface TargetKind {
  prefix: string;
  usage: string;
  about: string;
  /** `name` is what follows the colon. Loads the target's code only now. */
  open(name: string, context: TargetContext): Promise<Target>;
}

function agentKind({ title, agent }: AgentHost): TargetKind {
  const { id } = agent;
  return {
    prefix: id,
    usage: `${id}:MODEL`,
    about: `${title}, the real CLI, in its own workspace`,
    open: async (name, context) => (await import("./agents/index.ts")).openAgent(id, name, agentSettings(context)),
  };
}

function agentSettings({ cwd, root = cwd, env, settings }: TargetContext) {
  return { cwd: root, env, endpoint: settings?.endpoint, targetEnv: settings?.env, options: settings?.options };
}

const CLI = "cli/";

/** Every kind of target. A new one is a folder and a line here; a new agent CLI is a host. */
export const targetKinds: readonly TargetKind[] = [
  {
    prefix: "embedded",
    usage: "embedded[:keywords|:minilm]",
    about: "predicts from the cards alone, offline",
    open: async (name, context) =>
      (await import("./embedded/index.ts")).embeddedTarget(name, { root: context.root ?? context.cwd }),
  },
  {
    prefix: "judge",
    usage: [
      "judge:MODEL",
      ...agentHosts
        .filter(({ agent }) => agent.judges)
        .slice(0, 1)
        .map(({ agent }) => `judge:${CLI}${agent.id}`),
    ].join(" or "),
    about: "a model reads one skill's card and says yes or no",
    open: async (name, context) => {
      const { env, models = { env } } = context;
      if (name.startsWith(CLI))
        return (await import("./models/cli/cli-judge.ts")).cliJudge(name.slice(CLI.length), agentSettings(context));
      return (await import("./models/index.ts")).modelTarget("judge", name, models);
    },
  },
  {
    prefix: "router",
    usage: [
      "router:MODEL",
      ...agentHosts
        .filter(({ agent }) => agent.judges)
        .slice(0, 1)
        .map(({ agent }) => `router:${CLI}${agent.id}`),
    ].join(" or "),
    about: "a model reads all cards and chooses",
    open: async (name, context) => {
      const { env, models = { env } } = context;
      if (name.startsWith(CLI))
        return (await import("./models/cli/cli-router.ts")).cliRouter(name.slice(CLI.length), agentSettings(context));
      return (await import("./models/index.ts")).modelTarget("router", name, models);
    },
  },
  {
    prefix: "model",
    usage: [
      "model:MODEL",
      ...agentHosts
        .filter(({ agent }) => agent.judges)
        .slice(0, 1)
        .map(({ agent }) => `model:${CLI}${agent.id}`),
    ].join(" or "),
    about: "a model answers a case's prompt, without tools",
    open: async (name, context) => {
      const { env, models = { env } } = context;
      if (name.startsWith(CLI))
        return (await import("./models/cli/cli-model.ts")).cliModel(name.slice(CLI.length), agentSettings(context));
      return (await import("./models/index.ts")).modelTarget("model", name, models);
    },
  },
  {
    prefix: "firstmove",
    usage: "firstmove:AGENT:MODEL",
    about: "an agent's own first request, answered once by its model; nothing is run",
    open: async (name, context) => {
      const { cwd, root = cwd, env, models = { env } } = context;
      return (await import("./first-move/index.ts")).firstMoveTarget(name, { root, models, ...agentSettings(context) });
    },
  },
  ...agentHosts.map(agentKind),
  {
    prefix: "agent",
    usage: "agent:FILE or agent:FILE:MODEL",
    about: "your own agent, defined with defineAgent",
    open: async (name, context) =>
      (await import("./agents/index.ts")).openDefinedAgent(name, context.cwd, agentSettings(context)),
  },
  {
    prefix: "script",
    usage: "script:FILE",
    about: "answers written in a YAML file, for tests, demos and teaching",
    open: async (name, context) => (await import("./script/index.ts")).scriptTarget(name, context.cwd),
  },
  {
    prefix: "replay",
    usage: "replay:RUN",
    about: "the answers of a stored run, again",
    open: async (name, context) => (await import("./replay.ts")).replayTarget(name, context.root ?? context.cwd),
  },
];
