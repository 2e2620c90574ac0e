import { UsageError } from "../../base/index.ts";
import type { AgentAdapter } from "../../hosts/adapter.ts";
import { connect, type ProviderSettings } from "../models/providers.ts";

/** Where the request goes, and the key it takes along. */
export interface Route {
  /** Without a slash at its end. */
  base: string;
  key: string | undefined;
  /** The key goes where a bearer's token goes, also where the protocol has a header of its own for keys. */
  bearer?: boolean;
  /** Absent = the provider's own address. */
  endpoint?: string;
}

export interface RouteRequest {
  model: string;
  env: NodeJS.ProcessEnv;
  endpoint?: string | undefined;
  providers?: Record<string, ProviderSettings> | undefined;
}

interface Direct {
  provider: string;
  home: string;
  /** Variables the agent takes a key from, the first that is set; the provider's own comes after them. */
  keys?: readonly string[];
  /** Where none of these is set: a token that is sent as a bearer's. */
  token?: string;
  /** A login that the provider takes from the agent alone. */
  notThis?: string;
}

/** Hosts whose models are at a provider of their own. */
const direct: Record<string, Direct> = {
  claude: {
    provider: "anthropic",
    home: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY"],
    token: "ANTHROPIC_AUTH_TOKEN",
    notThis: "CLAUDE_CODE_OAUTH_TOKEN",
  },
  codex: { provider: "openai", home: "https://api.openai.com/v1", keys: ["CODEX_API_KEY", "OPENAI_API_KEY"] },
  gemini: { provider: "google", home: "https://generativelanguage.googleapis.com" },
};

/** The others speak to whatever they are pointed at. Only a key that is meant for that: a GitHub token, say, is not. */
const pointed: Record<string, string> = {
  copilot: "COPILOT_PROVIDER_API_KEY",
  opencode: "OPENAI_API_KEY",
  qwen: "OPENAI_API_KEY",
};

/** Finds key and endpoint, or says what to set, before anything is spent. */
export function routeOf(adapter: AgentAdapter, { model, env, endpoint: configured, providers }: RouteRequest): Route {
  const own = configured ?? (env[adapter.endpointVariable] || undefined);
  const host = direct[adapter.id];
  if (host !== undefined) {
    const { key, bearer } = keyOf(host, env, providers);
    const settings = { ...providers, ...(key !== undefined && { [host.provider]: { ...providers?.[host.provider], apiKey: key } }) };
    const connection = connected(host, model, env, settings);
    const endpoint = own ?? connection.endpoint;
    return {
      base: trimmed(endpoint ?? host.home),
      key: connection.apiKey,
      ...(bearer && { bearer }),
      ...(endpoint !== undefined && { endpoint }),
    };
  }
  const key = pointed[adapter.id];
  if (key === undefined) throw new UsageError(`${adapter.title} cannot be asked for its first move.`, `Use -t ${adapter.id}:${model}.`);
  if (own === undefined) {
    throw new UsageError(
      `firstmove:${adapter.id} needs an endpoint that speaks OpenAI's chat completions, and none is set.`,
      `Set ${adapter.endpointVariable} (and ${key}), or use -t ${adapter.id}:${model}. Nothing was asked.`,
    );
  }
  return { base: trimmed(own), key: env[key] || undefined, endpoint: own };
}

/** The configuration's, else what the agent itself would take. */
function keyOf({ provider, keys = [], token }: Direct, env: NodeJS.ProcessEnv, providers: RouteRequest["providers"]) {
  if (providers?.[provider]?.apiKey !== undefined) return {};
  const named = keys.map((name) => env[name]).find(Boolean);
  if (named !== undefined) return { key: named };
  const sent = token === undefined ? undefined : env[token] || undefined;
  return sent === undefined ? {} : { key: sent, bearer: true };
}

function connected(host: Direct, model: string, env: NodeJS.ProcessEnv, providers: Record<string, ProviderSettings>) {
  try {
    return connect({ provider: host.provider, model }, env, providers);
  } catch (error) {
    if (!(error instanceof UsageError) || host.token === undefined) throw error;
    const not = host.notThis !== undefined && env[host.notThis] ? ` ${host.notThis} is set, but a subscription's token is not one.` : "";
    throw new UsageError(error.message, `Set ${[...(host.keys ?? []), host.token].join(" or ")}.${not} Nothing was asked.`);
  }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
