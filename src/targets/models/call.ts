import type { LanguageModel, ModelMessage } from "ai";
import type { TrialError, Usage } from "../../model/index.ts";
import { isCount, RedirectRefused, ReplyTooLarge } from "./capped-fetch.ts";

export interface ModelCall {
  model: LanguageModel;
  system: string;
  messages: ModelMessage[];
  maxOutputTokens: number;
  sampling?: Sampling;
  signal: AbortSignal;
  schema?: Parameters<typeof import("ai")["jsonSchema"]>[0];
}

export interface Sampling {
  temperature?: number;
  topP?: number;
  seed?: number;
}

/** `cut`: the reply reached its token limit. */
export type Reply =
  | { status: "text"; text: string; cut?: boolean; usage?: Usage }
  | { status: "error"; error: TrialError; usage?: Usage };

let sdk: Promise<typeof import("ai")> | undefined;

/** Loaded once: the SDK is large, and many calls start together. */
function loadSdk(): Promise<typeof import("ai")> {
  sdk ??= import("ai");
  return sdk;
}

/** Never retries: the schedule does, so that every attempt is counted and its cost recorded. */
export async function callModel(request: ModelCall): Promise<Reply> {
  const { generateText, jsonSchema, Output } = await loadSdk();
  try {
    const result = await generateText({
      model: request.model,
      system: request.system,
      messages: request.messages,
      maxOutputTokens: request.maxOutputTokens,
      ...request.sampling,
      maxRetries: 0,
      abortSignal: request.signal,
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
      output: request.schema && Output.object({ schema: jsonSchema(request.schema) }),
    });
    const usage = usageOf(result.usage);
    if (result.finishReason === "content-filter") {
      return { status: "error", error: failure("filtered", "the provider's content filter stopped the reply"), usage };
    }
    return { status: "text", text: result.text, cut: result.finishReason === "length", usage };
  } catch (error) {
    return explain(error, request.signal);
  }
}

function usageOf(usage: {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails?: { cacheReadTokens: number | undefined; cacheWriteTokens: number | undefined };
}): Usage | undefined {
  const known = (count: number | undefined) => (isCount(count) ? count : undefined);
  const [inputTokens, outputTokens] = [known(usage.inputTokens), known(usage.outputTokens)];
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails ?? {};
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: known(cacheReadTokens),
    cacheWriteTokens: known(cacheWriteTokens),
  };
}

export async function explain(error: unknown, signal: AbortSignal): Promise<Reply> {
  const { APICallError, NoObjectGeneratedError } = await loadSdk();
  if (signal.aborted) return { status: "error", error: failure("interrupted", "stopped before the model replied") };
  if (NoObjectGeneratedError.isInstance(error)) {
    const usage = error.usage && usageOf(error.usage);
    if (error.finishReason === "content-filter")
      return { status: "error", error: failure("filtered", "the provider's content filter stopped the reply"), usage };
    return { status: "text", text: error.text ?? "", cut: error.finishReason === "length", usage };
  }
  const chain = causes(error);
  const tooLarge = chain.find((cause) => cause instanceof ReplyTooLarge);
  if (tooLarge !== undefined) return { status: "error", error: failure("flood", tooLarge.message) };
  const redirect = chain.find((cause) => cause instanceof RedirectRefused);
  if (redirect !== undefined) return { status: "error", error: failure("api", redirect.message) };
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode !== 200) {
    return { status: "error", error: httpFailure(error.statusCode, error.message, error.responseHeaders ?? {}) };
  }
  // A cause is often told in the message above it already.
  const messages = chain
    .map((cause) => cause.message)
    .filter((text, index, all) => text !== "" && !all[index - 1]?.includes(text));
  const message = messages.join(": ");
  const broken = chain.some((cause) =>
    /JSON|parse|terminated|premature|socket|ECONNRESET|other side closed/i.test(`${cause.name} ${cause.message}`),
  );
  return { status: "error", error: { ...failure(broken ? "cut_stream" : "api", message), retryable: true } };
}

export function httpFailure(status: number, message: string, headers: Record<string, string>): TrialError {
  const text = `HTTP ${status}: ${message}`;
  if (status === 401 || status === 403) return failure("auth", text);
  if (status === 429) return { ...failure("rate_limit", text), retryable: true, retryAfterMs: retryAfter(headers) };
  if (status === 529 || status === 503)
    return { ...failure("overloaded", text), retryable: true, retryAfterMs: retryAfter(headers) };
  return { ...failure("api", text), retryable: status >= 500 || status === 408 || status === 409 };
}

/** In milliseconds; undefined if the provider does not say. */
function retryAfter(headers: Record<string, string>): number | undefined {
  const exact = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}

export function failure(reason: TrialError["reason"], message: string): TrialError {
  return { reason, message, retryable: false };
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 5; cause = cause.cause) chain.push(cause);
  return chain;
}
