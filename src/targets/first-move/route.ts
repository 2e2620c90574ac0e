import { UsageError } from "../../base/index.ts";
import type { AgentAdapter, FirstMove } from "../../hosts/index.ts";
import { connect, type ProviderSettings, type Reaching } from "../models/providers.ts";

export interface Route {
  base: string;
  key: string | undefined;
  /** The key is a bearer token, even if the protocol has a header for keys. */
  bearer?: boolean;
  endpoint?: string;
}

export interface RouteRequest {
  model: string;
  env: NodeJS.ProcessEnv;
  endpoint?: string | undefined;
  providers?: Record<string, ProviderSettings> | undefined;
}

type ToProvider = Extract<FirstMove, { to: "provider" }>;

/** Finds key and endpoint, or throws what to set, before anything is spent. */
export function routeOf(adapter: AgentAdapter, { model, env, endpoint: configured, providers }: RouteRequest): Route {
  const own = configured ?? (env[adapter.endpointVariable] || undefined);
  const { firstMove } = adapter;
  if (firstMove === undefined)
    throw new UsageError(`${adapter.title} cannot be asked for its first move.`, `Use -t ${adapter.id}:${model}.`);
  if (firstMove.to === "provider") {
    const { key, bearer } = keyOf(firstMove, env, providers);
    const { provider } = firstMove;
    const settings = {
      ...providers,
      ...(key !== undefined && { [provider]: { ...providers?.[provider], apiKey: key } }),
    };
    const connection = connected(firstMove, model, { env, providers: settings });
    const endpoint = own ?? connection.endpoint;
    return {
      base: trimmed(endpoint ?? firstMove.home),
      key: connection.apiKey,
      bearer,
      endpoint,
    };
  }
  if (own === undefined) {
    throw new UsageError(
      `firstmove:${adapter.id} needs an endpoint that speaks OpenAI's chat completions, and none is set.`,
      `Set ${adapter.endpointVariable} (and ${firstMove.key}), or use -t ${adapter.id}:${model}. Nothing was asked.`,
    );
  }
  return { base: trimmed(own), key: env[firstMove.key] || undefined, endpoint: own };
}

export function providerOf({ firstMove, provider }: AgentAdapter): string {
  return firstMove?.to === "endpoint" ? "openai-compatible" : provider;
}

function keyOf(
  { provider, keys = [], token }: ToProvider,
  env: NodeJS.ProcessEnv,
  providers: RouteRequest["providers"],
) {
  if (providers?.[provider]?.apiKey !== undefined) return {};
  const named = keys.map((name) => env[name]).find(Boolean);
  if (named !== undefined) return { key: named };
  const sent = token === undefined ? undefined : env[token] || undefined;
  return sent === undefined ? {} : { key: sent, bearer: true };
}

function connected(host: ToProvider, model: string, { env, providers }: Reaching) {
  try {
    return connect({ provider: host.provider, model }, { env, providers });
  } catch (error) {
    if (!(error instanceof UsageError) || host.token === undefined) throw error;
    const not =
      host.notThis !== undefined && env[host.notThis]
        ? ` ${host.notThis} is set, but a subscription's token is not one.`
        : "";
    throw new UsageError(
      error.message,
      `Set ${[...(host.keys ?? []), host.token].join(" or ")}.${not} Nothing was asked.`,
    );
  }
}

function trimmed(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}
