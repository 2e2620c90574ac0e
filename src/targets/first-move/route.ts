import { UsageError } from "../../base/index.ts";
import type { AgentAdapter } from "../agents/adapter.ts";
import { connect, type ProviderSettings } from "../models/providers.ts";

/** Where the request goes, and the key it takes along. */
export interface Route {
  /** Without a slash at its end. */
  base: string;
  key: string | undefined;
  /** Absent = the provider's own address. */
  endpoint?: string;
}

export interface RouteRequest {
  model: string;
  env: NodeJS.ProcessEnv;
  endpoint?: string | undefined;
  providers?: Record<string, ProviderSettings> | undefined;
}

/** Hosts whose models are at a provider of their own. */
const direct: Record<string, { provider: string; home: string }> = {
  claude: { provider: "anthropic", home: "https://api.anthropic.com" },
  codex: { provider: "openai", home: "https://api.openai.com/v1" },
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
    const connection = connect({ provider: host.provider, model }, env, providers);
    const endpoint = own ?? connection.endpoint;
    return { base: trimmed(endpoint ?? host.home), key: connection.apiKey, ...(endpoint !== undefined && { endpoint }) };
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

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
