import type { LanguageModel } from "ai";
import { nearest, UsageError } from "../../base/index.ts";
import { NotHere } from "../not-here.ts";
import { modelFetch } from "./capped-fetch.ts";
import type { ModelSpec } from "./spec.ts";
import { isThisMachine } from "./this-machine.ts";

export interface ProviderSettings {
  baseUrl?: string;
  apiKey?: string;
}

interface Provider {
  keys: string[];
  baseUrls: string[];
  home?: string;
  needsKey: boolean;
  structured: boolean;
  /** Runs models on its own machine, and sends no bill. */
  runsModels?: boolean;
  load(spec: ModelSpec, settings: ProviderSettings): Promise<LanguageModel>;
}

const providers: Record<string, Provider> = {
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    baseUrls: ["ANTHROPIC_BASE_URL"],
    needsKey: true,
    structured: true,
    async load(spec, { baseUrl, apiKey }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      const baseURL = baseUrl && withPath(baseUrl, "/v1");
      return createAnthropic({ baseURL, apiKey: apiKey ?? "", fetch: modelFetch })(spec.model);
    },
  },
  openai: {
    keys: ["OPENAI_API_KEY"],
    baseUrls: ["OPENAI_BASE_URL"],
    needsKey: true,
    structured: true,
    async load(spec, { baseUrl, apiKey }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? "", fetch: modelFetch })(spec.model);
    },
  },
  google: {
    keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    baseUrls: ["GOOGLE_GEMINI_BASE_URL"],
    needsKey: true,
    structured: true,
    async load(spec, { baseUrl, apiKey }) {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      const baseURL = baseUrl && withPath(baseUrl, "/v1beta");
      return createGoogleGenerativeAI({ baseURL, apiKey: apiKey ?? "", fetch: modelFetch })(spec.model);
    },
  },
  openrouter: { ...compatible({ prefix: "OPENROUTER", home: "https://openrouter.ai/api/v1" }), needsKey: true },
  ollama: server("OLLAMA", "http://127.0.0.1:11434/v1"),
  lmstudio: server("LMSTUDIO", "http://127.0.0.1:1234/v1"),
  llamacpp: server("LLAMACPP", "http://127.0.0.1:8080/v1"),
  vllm: server("VLLM", "http://127.0.0.1:8000/v1"),
};

function server(prefix: string, home: string): Provider {
  return { ...compatible({ prefix, home }), runsModels: true };
}

function compatible({ prefix, home }: { prefix?: string; home: string }): Provider {
  return {
    keys: prefix === undefined ? [] : [`${prefix}_API_KEY`],
    baseUrls: prefix === undefined ? [] : [`${prefix}_BASE_URL`],
    home,
    needsKey: false,
    structured: false,
    async load(spec, { baseUrl, apiKey }) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name: spec.provider, baseURL: baseUrl ?? home, apiKey, fetch: modelFetch })(
        spec.model,
      );
    },
  };
}

export interface Connection {
  spec: ModelSpec;
  endpoint?: string;
  apiKey?: string;
  structured: boolean;
  model(): Promise<LanguageModel>;
}

/** Finds key and endpoint, or throws what to set, before anything is paid for. */
export function connect(spec: ModelSpec, { env, providers: configured, endpoint }: Reaching): Connection {
  const own = configured?.[spec.provider];
  const address = endpoint ?? own?.baseUrl;
  const provider = providers[spec.provider] ?? (address === undefined ? undefined : compatible({ home: address }));
  if (provider === undefined) {
    const known = Object.keys(providers);
    const near = nearest(spec.provider, known);
    throw new UsageError(
      `No model provider is called "${spec.provider}".`,
      [
        ...(near.length > 0 ? [`Did you mean ${near.join(" or ")}?`] : []),
        `Known: ${known.join(", ")}; for any other that speaks OpenAI's chat completions,`,
        `set providers.${spec.provider}.baseUrl in the configuration.`,
      ].join(" "),
    );
  }
  const apiKey = own?.apiKey ?? firstSet(provider.keys, env);
  if (provider.needsKey && apiKey === undefined) {
    const message = `${spec.provider}/${spec.model} needs a key, and none is set.`;
    throw new NotHere(message, `Set ${provider.keys[0]}. Nothing was asked.`, { key: provider.keys[0] });
  }
  const baseUrl = address ?? firstSet(provider.baseUrls, env);
  if (baseUrl !== undefined && !(/^https?:/i.test(baseUrl) && URL.canParse(baseUrl)))
    throw new UsageError(
      `The address of ${spec.provider} is no URL: "${baseUrl}".`,
      `It must begin with http:// or https://${address === undefined ? `: correct ${provider.baseUrls.find((name) => env[name] === baseUrl)}` : ""}.`,
    );
  return {
    spec,
    endpoint: baseUrl ?? provider.home,
    apiKey,
    structured: provider.structured,
    model: () => provider.load(spec, { baseUrl, apiKey }),
  };
}

/** Whether a local server runs the model itself. Ollama forwards models whose names say so to its makers' machines. */
export function runsHere({ provider, model }: ModelSpec, { env, providers: configured, endpoint }: Reaching): boolean {
  const known = providers[provider];
  if (known?.runsModels !== true || /[-:]cloud$/.test(model)) return false;
  const address = endpoint ?? configured?.[provider]?.baseUrl ?? firstSet(known.baseUrls, env) ?? known.home;
  return address !== undefined && URL.canParse(address) && isThisMachine(new URL(address));
}

export interface Reaching {
  env: NodeJS.ProcessEnv;
  providers?: Record<string, ProviderSettings>;
  endpoint?: string;
}

export function keyVariable(provider: string, env: NodeJS.ProcessEnv): string | undefined {
  return providers[provider]?.keys.find((name) => Boolean(env[name]));
}

function firstSet(names: string[], env: NodeJS.ProcessEnv): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
}

/** Environment variables may name the host (`http://gateway`), but the SDKs want the versioned path. */
function withPath(baseUrl: string, path: string): string {
  const trimmed = baseUrl.replace(/(?<!\/)\/+$/, "");
  return /\/v\d+(beta)?$/.test(trimmed) ? trimmed : `${trimmed}${path}`;
}
