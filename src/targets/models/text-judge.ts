import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel } from "ai";
import type { Judge } from "../../graders/index.ts";
import { call } from "./call.ts";
import { costOf, type Price, priceOf } from "./prices.ts";
import { type Connection, connect } from "./providers.ts";
import { parseModelSpec } from "./spec.ts";
import type { ModelOptions } from "./target.ts";

const ATTEMPTS = 4;

/** The judge of free text that graders ask. `always` is asked whatever a suite names. Models are connected before anything is spent. */
export function textJudge(models: Iterable<string>, options: ModelOptions & { always?: string }): Judge {
  const named = options.always === undefined ? new Set(models) : new Set([options.always]);
  const chairs = new Map([...named].map((name) => [name, chair(name, options)]));
  return async ({ system, prompt, model }) => {
    const asked = options.always === undefined ? chairs.get(model ?? "") : [...chairs.values()][0];
    if (asked === undefined) throw new Error("no judge is set: --judge MODEL, or judge.model or defaults.model in the suite");
    return asked(system, prompt);
  };
}

type Chair = (system: string, prompt: string) => Promise<{ text: string; costUsd?: number }>;

function chair(name: string, options: ModelOptions): Chair {
  const spec = parseModelSpec(name);
  const connection = connect(spec, options.env, options.providers);
  const price = priceOf(spec.provider, spec.model, options.prices);
  let model: Promise<LanguageModel> | undefined;
  return async (system, prompt) => {
    model ??= connection.model();
    return speak(await model, connection, { system, prompt }, price);
  };
}

/** Graders have no scheduler of their own, so what can pass is tried again here, as the provider asks or ever more slowly. */
async function speak(
  model: LanguageModel,
  { spec }: Connection,
  { system, prompt }: { system: string; prompt: string },
  price: Price | undefined,
): Promise<{ text: string; costUsd?: number }> {
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(120_000);
    const reply = await call({ model, system, messages: [{ role: "user", content: prompt }], maxOutputTokens: 1_000, signal });
    if (reply.status === "text") {
      const costUsd = costOf(reply.usage, price);
      return { text: reply.text, ...(costUsd !== undefined && { costUsd }) };
    }
    if (!reply.error.retryable || attempt === ATTEMPTS) throw new Error(`the judge ${spec.model} did not answer: ${reply.error.message}`);
    await sleep(reply.error.retryAfterMs ?? 500 * 2 ** attempt);
  }
}
