import type { AgentAdapter } from "../../hosts/index.ts";
import { loadAdapters } from "../../hosts/index.ts";
import { findAgent } from "./process/find-cli.ts";
import { findSandbox, sandboxAdvice } from "./process/find-sandbox.ts";
import { readLogin } from "./users-login.ts";

/** What this machine can run. Keys appear by name only. */
export interface Survey {
  sandbox: string | undefined;
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
  install: string;
  keys: { name: string; present: boolean }[];
  login: SurveyedLogin;
  speaks: boolean;
  endpoint?: string;
  /** `login`: ready with `--use-login`. */
  ready: "yes" | "login" | "no";
  needs: string[];
}

type SurveyedLogin =
  | { state: "present"; file: string; expiresAt?: string; providers?: string[] }
  | { state: "expired"; file: string; expiresAt: string }
  | { state: "none"; file: string }
  | { state: "refused"; file?: string; why: string; hint?: string };

export async function surveyAgents(env: NodeJS.ProcessEnv): Promise<Survey> {
  const sandbox = findSandbox(env)?.name;
  const agents = await Promise.all(
    (await loadAdapters()).map(async (adapter): Promise<SurveyedAgent> => {
      const found = await findAgent(adapter, env);
      const keys = adapter.keys.map((name) => ({ name, present: Boolean(env[name]) }));
      const login = await surveyLogin(adapter, env);
      const needs = [
        ...(found === undefined ? [`install it: ${adapter.install}`] : []),
        ...(keys.some(({ present }) => present) ? [] : [`set ${adapter.keys.join(" or ")}${wayIn(adapter, login)}`]),
        ...(sandbox === undefined && !adapter.readOnlyProfile ? [`${sandboxAdvice(env)}, or pass --no-sandbox`] : []),
      ];
      const onlyKey = needs.length === 1 && found !== undefined && !keys.some(({ present }) => present);
      const endpoint = env[adapter.endpointVariable] || undefined;
      return {
        id: adapter.id,
        title: adapter.title,
        path: found?.path,
        version: found?.version,
        warning: found?.warning,
        tested: adapter.tested,
        install: adapter.install,
        keys,
        login,
        speaks: adapter.speaks === true,
        endpoint,
        ready: needs.length === 0 ? "yes" : onlyKey && login.state === "present" ? "login" : "no",
        needs,
      };
    }),
  );
  return { sandbox, sandboxAdvice: sandbox === undefined ? sandboxAdvice(env) : undefined, agents };
}

async function surveyLogin(adapter: AgentAdapter, env: NodeJS.ProcessEnv): Promise<SurveyedLogin> {
  const source = adapter.login;
  if (source === undefined) return { state: "refused", why: "not possible" };
  if ("refused" in source) return { state: "refused", why: source.refused, hint: source.hint };
  const endpoint = env[adapter.endpointVariable] || undefined;
  const { file, login } = await readLogin(source, { model: "", env, endpoint });
  if (login === undefined) return { state: "none", file };
  if ("refused" in login) return { state: "refused", file, why: login.refused, hint: login.hint };
  const expiresAt = login.expiresAt === undefined ? undefined : new Date(login.expiresAt).toISOString();
  if (expiresAt !== undefined && Date.parse(expiresAt) < Date.now()) return { state: "expired", file, expiresAt };
  return { state: "present", file, expiresAt, providers: login.providers };
}

function wayIn({ command }: AgentAdapter, { state }: SurveyedLogin): string {
  switch (state) {
    case "present":
      return ", or pass --use-login";
    case "expired":
      return `, or start ${command} once, which renews its login, and pass --use-login`;
    case "none":
      return `, or log in with ${command} and pass --use-login`;
    case "refused":
      return "";
  }
}
