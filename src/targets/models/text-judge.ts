import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel } from "ai";
import type { Judge } from "../../graders/index.ts";
import type { TrialError } from "../../transcripts/index.ts";
import { call } from "./call.ts";
import { costOf, type Price, priceOf } from "./prices.ts";
import { type Connection, connect } from "./providers.ts";
import { parseModelSpec } from "./spec.ts";
import type { ModelOptions } from "./target.ts";

const ATTEMPTS = 4;
const TIME_LIMIT = 120_000;

/** The judge of free text that graders ask. `always` is asked whatever a suite names. Models are connected before anything is spent. */
export async function textJudge(models: Iterable<string>, options: ModelOptions & { always?: string }): Promise<Judge> {
  const named = options.always === undefined ? new Set(models) : new Set([options.always]);
  const chairs = new Map<string, Chair>();
  for (const name of named)
    chairs.set(name, name.startsWith("cli/") ? await cliChair(name.slice("cli/".length), options) : chair(name, options));
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
  return chairOf(connection, price, () => {
    model ??= connection.model();
    return model;
  });
}

/** Through an installed CLI, without tools. */
async function cliChair(name: string, { env, agents }: ModelOptions): Promise<Chair> {
  const { openSpeaker } = await import("../agents/speaker.ts");
  const speaker = await openSpeaker(name, { env, ...agents });
  return (system, prompt) =>
    patiently(`cli/${name}`, async (signal) => {
      const { outcome, finalText, costUsd } = await speaker.say({ system, prompt, signal, timeoutMs: TIME_LIMIT });
      return outcome.status === "error" ? outcome : { status: "text", text: finalText, ...(costUsd !== undefined && { costUsd }) };
    });
}

function chairOf(connection: Connection, price: Price | undefined, model: () => Promise<LanguageModel>): Chair {
  return (system, prompt) =>
    patiently(connection.spec.model, async (signal) => {
      const messages = [{ role: "user" as const, content: prompt }];
      const reply = await call({ model: await model(), system, messages, maxOutputTokens: 1_000, signal });
      if (reply.status === "error") return reply;
      const costUsd = costOf(reply.usage, price);
      return { status: "text", text: reply.text, ...(costUsd !== undefined && { costUsd }) };
    });
}

type Spoken = { status: "text"; text: string; costUsd?: number } | { status: "error"; error: TrialError };

/** Graders have no scheduler of their own, so what can pass is tried again here, as the provider asks or ever more slowly. */
async function patiently(judge: string, speak: (signal: AbortSignal) => Promise<Spoken>): Promise<{ text: string; costUsd?: number }> {
  for (let attempt = 1; ; attempt++) {
    const reply = await speak(AbortSignal.timeout(TIME_LIMIT));
    if (reply.status === "text") {
      const { status: _, ...said } = reply;
      return said;
    }
    if (!reply.error.retryable || attempt === ATTEMPTS) throw new Error(`the judge ${judge} did not answer: ${reply.error.message}`);
    await sleep(reply.error.retryAfterMs ?? 500 * 2 ** attempt);
  }
}
