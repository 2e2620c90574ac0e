import type { Usage } from "../../model/index.ts";
import { type Reaching, runsHere } from "./providers.ts";
import type { ModelSpec } from "./spec.ts";

/** Dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** When these list prices were taken from the providers' pages. `prices` in the configuration overrides them. */
export const PRICES_DATE = "2025-11-01";

const prices: Record<string, Price> = {
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "anthropic/claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  "anthropic/claude-opus-4-1": { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  "openai/gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
  "openai/gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025 },
  "openai/gpt-5-nano": { input: 0.05, output: 0.4, cacheRead: 0.005 },
  "google/gemini-2.5-pro": { input: 1.25, output: 10 },
  "google/gemini-2.5-flash": { input: 0.3, output: 2.5 },
  "google/gemini-2.5-flash-lite": { input: 0.1, output: 0.4 },
};

export function priceOf(provider: string, model: string, overrides: Record<string, Price> = {}): Price | undefined {
  for (const table of [overrides, prices]) {
    for (const name of [model, model.replace(/-\d{8}$|-\d{4}-\d{2}-\d{2}$/, "")]) {
      const price = table[`${provider}/${name}`];
      if (price !== undefined) return price;
    }
  }
  return undefined;
}

/** The price where the model is reached; undefined if unknown. A server on this machine is free. */
export function modelPrice(spec: ModelSpec, options: Reaching & { prices?: Record<string, Price> }): Price | undefined {
  return priceOf(spec.provider, spec.model, options.prices) ?? (runsHere(spec, options) ? FREE : undefined);
}

const FREE: Price = { input: 0, output: 0 };

export function isFree({ input, output, cacheRead = 0, cacheWrite = 0 }: Price): boolean {
  return input + output + cacheRead + cacheWrite === 0;
}

/** In dollars; undefined if the price or a token count is unknown. `inputTokens` includes cached tokens. */
export function costOf(usage: Usage | undefined, price: Price | undefined): number | undefined {
  // Whether it counts its tokens or not.
  if (price !== undefined && isFree(price)) return 0;
  if (price === undefined || usage?.inputTokens === undefined || usage.outputTokens === undefined) return undefined;
  const read = usage.cacheReadTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, usage.inputTokens - read - written);
  const dollars =
    fresh * price.input +
    read * (price.cacheRead ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return dollars / 1_000_000;
}
