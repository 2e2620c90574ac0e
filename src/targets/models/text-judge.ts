import { setTimeout as sleep } from "node:timers/promises";
import type { LanguageModel } from "ai";
import type { Judge } from "../../graders/index.ts";
import type { TrialError } from "../../transcripts/index.ts";
import { callModel } from "./call.ts";
import { costOf, priceOf } from "./prices.ts";
import { connect } from "./providers.ts";
import { parseModelSpec } from "./spec.ts";
import type { ModelOptions } from "./target.ts";

const ATTEMPTS = 4;
const TIME_LIMIT_MS = 120_000;

/** The judge of free text that graders ask. `always` is asked whatever model a suite names. Keys are checked before anything is paid for. */
export async function textJudge(models: Iterable<string>, options: ModelOptions & { always?: string }): Promise<Judge> {
  const named = options.always === undefined ? new Set(models) : new Set([options.always]);
  const judges = new Map<string, AskJudge>();
  for (const name of named)
    judges.set(name, name.startsWith("cli/") ? await cliTextJudge(name.slice("cli/".length), options) : modelJudge(name, options));
  return async ({ system, prompt, model }) => {
    const ask = options.always === undefined ? judges.get(model ?? "") : judges.get(options.always);
    if (ask === undefined) throw new Error("no judge is set: --judge MODEL, or judge.model or defaults.model in the suite");
    return ask(system, prompt);
  };
}

type AskJudge = (system: string, prompt: string) => Promise<{ text: string; costUsd?: number }>;

function modelJudge(name: string, options: ModelOptions): AskJudge {
  const spec = parseModelSpec(name);
  const connection = connect(spec, options.env, options.providers);
  const price = priceOf(spec.provider, spec.model, options.prices);
  let model: Promise<LanguageModel> | undefined;
  return (system, prompt) =>
    withRetries(spec.model, async (signal) => {
      model ??= connection.model();
      const messages = [{ role: "user" as const, content: prompt }];
      const reply = await callModel({ model: await model, system, messages, maxOutputTokens: 1_000, signal });
      if (reply.status === "error") return reply;
      return { status: "text", text: reply.text, costUsd: costOf(reply.usage, price) };
    });
}

/** Through an installed CLI, without tools. */
async function cliTextJudge(name: string, { env, agents }: ModelOptions): Promise<AskJudge> {
  const { openSpeaker } = await import("../agents/speaker.ts");
  const speaker = await openSpeaker(name, { env, ...agents });
  return (system, prompt) =>
    withRetries(`cli/${name}`, async (signal) => {
      const { outcome, finalText, costUsd } = await speaker.say({ system, prompt, signal, timeoutMs: TIME_LIMIT_MS });
      return outcome.status === "error" ? outcome : { status: "text", text: finalText, costUsd };
    });
}

type JudgeReply = { status: "text"; text: string; costUsd?: number } | { status: "error"; error: TrialError };

/** Graders have no schedule of their own, so transient errors are retried here, after the wait the provider asks for or ever longer ones. */
async function withRetries(judge: string, send: (signal: AbortSignal) => Promise<JudgeReply>): Promise<{ text: string; costUsd?: number }> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send(AbortSignal.timeout(TIME_LIMIT_MS));
    if (reply.status === "text") return { text: reply.text, costUsd: reply.costUsd };
    if (!reply.error.retryable || attempt === ATTEMPTS) throw new Error(`the judge ${judge} did not answer: ${reply.error.message}`);
    await sleep(reply.error.retryAfterMs ?? 500 * 2 ** attempt);
  }
}
