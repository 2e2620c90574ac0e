import { resolve } from "node:path";
import { z } from "zod";
import { cacheFolder, fingerprint, noteText, rejectionsOf, UsageError } from "../../base/index.ts";
import type { AgentAdapter, Login } from "../../hosts/index.ts";
import { notLoggedIn } from "../../hosts/reading/index.ts";
import type { Identity, TrialError } from "../../model/index.ts";
import { NotHere } from "../not-here.ts";
import type { Target } from "../target.ts";
import { commandPrint } from "./process/command-print.ts";
import { type FoundAgent, findAgent, pathVariable } from "./process/find-cli.ts";
import { findSandbox } from "./process/find-sandbox.ts";
import { startsInShellOnly } from "./process/on-path.ts";
import type { Sandbox } from "./process/sandbox.ts";
import { borrowLogin, loginLasts } from "./users-login.ts";
import { workspacePlace } from "./workspace/clean-folder.ts";
import { type Distractors, findDistractors } from "./workspace/distractors.ts";
import { type ProjectContext, readContext } from "./workspace/project-context.ts";

export interface AgentSettings {
  /** Keys, endpoints and PATH are looked up here; nothing else of it reaches the CLI. */
  env: NodeJS.ProcessEnv;
  cwd?: string;
  endpoint?: string | undefined;
  targetEnv?: Record<string, string> | undefined;
  options?: Record<string, unknown> | undefined;
  files?: Record<string, string>;
  /** Survives runs: passed canaries, and what a CLI unpacks once. */
  cacheDir?: string;
}

export interface Cell {
  adapter: AgentAdapter;
  file: string;
  model: string;
  options: AgentOptions;
  endpoint: string | undefined;
  env: NodeJS.ProcessEnv;
  targetEnv: Record<string, string>;
  sandbox: Sandbox | undefined;
  cache: string;
  login: Login | undefined;
  distractors: Distractors | undefined;
  context: ProjectContext | undefined;
  identity: Identity;
}

export function borrowed(cell: Cell): Pick<Target, "secrets" | "lasts" | "missing"> {
  const { adapter, login } = cell;
  const lasts = loginLasts(adapter, login);
  return {
    secrets: login?.secrets,
    lasts,
    missing: async () => (await loginMissing(cell))?.message,
  };
}

export function loginMissing({ adapter, env, targetEnv, login }: Cell): Promise<TrialError> | undefined {
  const present =
    login !== undefined ||
    adapter.keys.length === 0 ||
    adapter.keys.some((name) => env[name]) ||
    Object.keys(targetEnv).length > 0;
  return present ? undefined : Promise.resolve(notLoggedIn(adapter));
}

export async function openCell(
  adapter: AgentAdapter,
  model: string,
  settings: AgentSettings,
): Promise<{ cell: Cell; found: FoundAgent }> {
  const options = parseOptions(adapter, settings.options);
  workspacePlace();
  const asked = model === "" ? adapter.defaultModel : model;
  const identity = { host: adapter.id, provider: adapter.provider, model: asked };
  const known = { identity, reportsCost: adapter.reportsCost === true };
  const found = await findAgent(adapter, settings.env, settings.cacheDir);
  if (found === undefined) {
    const named = settings.env[pathVariable(adapter)] || undefined;
    const where =
      named === undefined
        ? `there is no "${adapter.command}" on PATH`
        : `${pathVariable(adapter)} names ${named}, and that is no program`;
    const missing = `${adapter.title} is not installed: ${where}.`;
    throw new NotHere(
      missing,
      settings.files === undefined
        ? `Install it with ${adapter.install}, or set ${pathVariable(adapter)} to its path. proctor doctor shows what is here.`
        : `Install it${adapter.install === "" ? "" : ` with ${adapter.install}`}, or set ${pathVariable(adapter)}.`,
      known,
    );
  }
  if (startsInShellOnly(found.path))
    throw new NotHere(
      `${adapter.title} is ${found.path} here, a batch file: only a shell can start those, and no shell may read what suites say.`,
      `Set ${pathVariable(adapter)} to the program itself (an .exe), or run Proctor in WSL.`,
      known,
    );
  const command = await commandPrint(found.path, settings.files !== undefined);
  const sandbox =
    options.sandbox === "off" ? undefined : findSandbox(settings.env)?.hiding([settings.cwd ?? process.cwd()]);
  const endpoint = settings.endpoint ?? (settings.env[adapter.endpointVariable] || undefined);
  const distractors = await findDistractors(options.with_skills, settings.cwd ?? process.cwd());
  const { with_context } = options;
  const project = settings.cwd ?? process.cwd();
  const context =
    with_context === false
      ? undefined
      : readContext(adapter, with_context === true ? project : resolve(project, with_context));
  const login = options.use_login
    ? await borrowLogin(adapter, { env: settings.env, model: asked, endpoint })
    : undefined;
  const cell: Cell = {
    adapter,
    file: found.path,
    model: asked,
    options,
    endpoint,
    env: settings.env,
    targetEnv: settings.targetEnv ?? {},
    sandbox,
    cache: settings.cacheDir ?? cacheFolder(settings.env),
    login,
    distractors,
    context,
    identity: {
      ...identity,
      version: found.version,
      endpoint,
      options: {
        adapter: adapter.revision,
        files: settings.files,
        command,
        ...variablePrints(settings.targetEnv, adapter.keys),
        max_turns: options.max_turns,
        realistic: options.realistic,
        use_login: options.use_login,
        only_skill: options.only_skill || undefined,
        login: login?.kind,
        with_skills: distractors?.fingerprint,
        with_context: context?.prints,
        sandbox: sandbox?.name ?? (options.sandbox === "off" ? "off" : "none"),
        tools: { trigger: "read", case: "work" },
      },
      deterministic: false,
    },
  };
  return { cell, found };
}

/**
 * A variable can make the target another one, so it is part of the identity. Values may be secret: only fingerprints
 * are kept. Login keys are left out, since renewing one does not change who answers.
 */
function variablePrints(
  env: Record<string, string> | undefined,
  keys: readonly string[],
): { env?: Record<string, string> } {
  const told = Object.entries(env ?? {}).filter(([name]) => !keys.includes(name));
  return told.length === 0
    ? {}
    : { env: Object.fromEntries(told.map(([name, value]) => [name, fingerprint([name, value]).slice(0, 16)])) };
}

/** `options` of an agent target in the configuration. All but the last three can change answers. */
const agentOptions = z.strictObject({
  max_turns: z.int().min(1).default(6),
  /** `auto`: if there is one. `on`: required. `off`: the machine itself is the sandbox. */
  sandbox: z.enum(["auto", "on", "off"]).default("auto"),
  /** Keeps the host's bundled skills, which compete with the library. */
  realistic: z.boolean().default(false),
  with_skills: z.array(z.string()).default([]),
  /** Includes the project's own instructions (AGENTS.md, CLAUDE.md); a string names their folder. */
  with_context: z.union([z.boolean(), z.string().min(1)]).default(false),
  only_skill: z.boolean().default(false),
  use_login: z.boolean().default(false),
  allow_hooks: z.boolean().default(false),
  canary: z.boolean().default(true),
  keep_workspaces: z.boolean().default(false),
});

type AgentOptions = z.output<typeof agentOptions>;

function parseOptions(adapter: AgentAdapter, options: Record<string, unknown> | undefined): AgentOptions {
  const parsed = agentOptions.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  // `!`: what is not accepted has at least one fault.
  const note = rejectionsOf(options ?? {}, agentOptions)[0]!;
  throw new UsageError(
    `An option of ${adapter.id} is wrong: ${noteText(note)}`,
    `Its options are ${Object.keys(agentOptions.shape).join(", ")}.`,
  );
}
