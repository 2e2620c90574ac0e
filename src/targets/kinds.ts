import { type AgentHost, agentHosts } from "../hosts/index.ts";
import type { ModelOptions } from "./models/index.ts";
import type { ModelRole } from "./models/spec.ts";
import type { Target } from "./target.ts";

export interface TargetContext {
  cwd: string;
  /** The folder that holds `.proctor`; defaults to `cwd`. */
  root?: string;
  env: NodeJS.ProcessEnv;
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
const judgingCli = agentHosts.find(({ agent }) => agent.judges)?.agent.id;

function modelKind(role: ModelRole, about: string): TargetKind {
  const throughCli = judgingCli === undefined ? "" : ` or ${role}:${CLI}${judgingCli}`;
  return {
    prefix: role,
    usage: `${role}:MODEL${throughCli}`,
    about,
    async open(name, context) {
      if (name.startsWith(CLI))
        return (await import("./models/cli/index.ts")).cliTargets[role](name.slice(CLI.length), agentSettings(context));
      const { env, models = { env } } = context;
      return (await import("./models/index.ts")).modelTarget(role, name, models);
    },
  };
}

/** Every kind of target. A new one is a folder and a line here; a new agent CLI is a host. */
export const targetKinds: readonly TargetKind[] = [
  {
    prefix: "embedded",
    usage: "embedded[:keywords|:minilm]",
    about: "predicts from the cards alone, offline",
    open: async (name, context) =>
      (await import("./embedded/index.ts")).embeddedTarget(name, { root: context.root ?? context.cwd }),
  },
  modelKind("judge", "a model reads one skill's card and says yes or no"),
  modelKind("router", "a model reads all cards and chooses"),
  modelKind("model", "a model answers a case's prompt, without tools"),
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
    open: async (name, context) => (await import("./replay/index.ts")).replayTarget(name, context.root ?? context.cwd),
  },
];
