import { z } from "zod";
import { didYouMean, rejectionsOf, UsageError } from "../../base/index.ts";
import type { Sampling } from "./call.ts";
import type { Price } from "./prices.ts";
import type { ProviderSettings } from "./providers.ts";

export interface ModelOptions {
  env: NodeJS.ProcessEnv;
  providers?: Record<string, ProviderSettings>;
  prices?: Record<string, Price>;
  endpoint?: string;
  options?: Record<string, unknown>;
  agents?: { cwd?: string; options?: Record<string, unknown> };
}

const schema = z.strictObject({
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
});

/** A model target's `options`; as written, they are part of its identity. */
export interface ModelSettings {
  maxTokens?: number;
  sampling: Sampling;
  written: Record<string, unknown>;
}

/** Refuses unknown options: the answer would be reported as measured with them. */
export function modelSettings(target: string, options: Record<string, unknown> = {}): ModelSettings {
  const parsed = schema.safeParse(options);
  if (parsed.success) {
    const { max_tokens: maxTokens, temperature, top_p, seed } = parsed.data;
    const sampling: Sampling = {};
    if (temperature !== undefined) sampling.temperature = temperature;
    if (top_p !== undefined) sampling.topP = top_p;
    if (seed !== undefined) sampling.seed = seed;
    return { maxTokens, sampling, written: options };
  }
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `targets: options.${unknown} of ${target} in the configuration is not an option of a model.`,
      didYouMean(unknown, known, `It may have ${known.join(", ")}.`),
    );
  // `!`: what is not accepted has at least one fault.
  const { path, message } = rejectionsOf(options, schema)[0]!;
  throw new UsageError(
    `targets: options.${path.join(".")} of ${target} in the configuration cannot be used: ${message}.`,
  );
}
