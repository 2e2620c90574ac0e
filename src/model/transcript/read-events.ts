import { ERROR_REASONS, EVIDENCE, type TrialError, type TrialEvent } from "./events.ts";

const CLEAN_UP_MS = 1_000;

/**
 * Passes every value of a stream to `take` until it objects, the stream ends or throws, or the signal aborts. Returns
 * what went wrong.
 */
export async function readStream(
  events: AsyncIterable<unknown> | Iterable<unknown>,
  signal: AbortSignal | undefined,
  take: (value: unknown) => TrialError | undefined,
): Promise<TrialError | undefined> {
  if (signal?.aborted) return whyAborted(signal);
  try {
    return Symbol.asyncIterator in events ? await readAsync(events, signal, take) : readNow(events, take);
  } catch (error) {
    return {
      reason: "crash",
      message: `The target failed: ${error instanceof Error ? error.message : String(error)}`,
      retryable: true,
    };
  }
}

function readNow(events: Iterable<unknown>, take: (value: unknown) => TrialError | undefined): TrialError | undefined {
  for (const value of events) {
    const problem = take(value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function readAsync(
  events: AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
  take: (value: unknown) => TrialError | undefined,
): Promise<TrialError | undefined> {
  const iterator = events[Symbol.asyncIterator]();
  const aborted = signal && whenAborted(signal);
  try {
    for (;;) {
      const next = iterator.next();
      const step = aborted ? await Promise.race([next, aborted.promise]) : await next;
      if (step === ABORTED) {
        next.catch(() => {});
        await leave(iterator);
        return whyAborted(signal);
      }
      if (step.done) return undefined;
      const problem = take(step.value);
      if (problem !== undefined) {
        await leave(iterator);
        return problem;
      }
    }
  } finally {
    aborted?.forget();
  }
}

const ABORTED = Symbol("aborted");

function whenAborted(signal: AbortSignal): { promise: Promise<typeof ABORTED>; forget(): void } {
  let listener = () => {};
  const promise = new Promise<typeof ABORTED>((resolve) => {
    listener = () => resolve(ABORTED);
    signal.addEventListener("abort", listener, { once: true });
  });
  return { promise, forget: () => signal.removeEventListener("abort", listener) };
}

async function leave(iterator: AsyncIterator<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLEAN_UP_MS);
  });
  await Promise.race([Promise.resolve(iterator.return?.()).catch(() => {}), patience]);
  clearTimeout(timer);
}

function whyAborted(signal: AbortSignal | undefined): TrialError {
  const reason: unknown = signal?.reason;
  if (isTrialError(reason)) return reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    return { reason: "timeout", message: "The time limit was reached", retryable: true };
  return { reason: "interrupted", message: "The trial was interrupted", retryable: false };
}

function isTrialError(value: unknown): value is TrialError {
  return (
    typeof value === "object" &&
    value !== null &&
    "reason" in value &&
    ERROR_REASONS.some((reason) => reason === value.reason) &&
    "retryable" in value
  );
}

/**
 * Returns the event, or what is wrong with it. A target may be a plug-in or a script, so its events are not trusted.
 */
export function parseEvent(value: unknown): TrialEvent | string {
  if (typeof value === "string") return `Sent a line that is not an event: ${excerpt(value)}`;
  if (typeof value !== "object" || value === null) return "Sent something that is not an event";
  const wrong = fault(value as Record<string, unknown>);
  return wrong ?? (value as TrialEvent);
}

function fault(event: Record<string, unknown>): string | undefined {
  switch (event["type"]) {
    case "text":
      if (!isTurn(event["turn"]) || typeof event["text"] !== "string")
        return "Sent a text event without a turn or text";
      // A lone surrogate is left over when bytes were not UTF-8 or were cut in the middle of a character.
      return event["text"].isWellFormed() ? undefined : "Sent text that is not valid Unicode";
    case "call":
      return isTurn(event["turn"]) && typeof event["id"] === "string" && typeof event["tool"] === "string"
        ? undefined
        : "Sent a call without a turn, id or tool";
    case "result":
      if (typeof event["id"] !== "string" || typeof event["ok"] !== "boolean")
        return "Sent a result without an id or `ok`";
      return event["text"] === undefined || typeof event["text"] === "string"
        ? undefined
        : "Sent a result whose text is not a string";
    case "activation":
      if (!isTurn(event["turn"]) || typeof event["skill"] !== "string")
        return "Sent an activation without a turn or skill";
      return EVIDENCE.some((evidence) => evidence === event["evidence"])
        ? undefined
        : `Sent an activation with unknown evidence (${String(event["evidence"])})`;
    case "prediction":
      return Array.isArray((event["prediction"] as { ranking?: unknown } | undefined)?.ranking)
        ? undefined
        : "Sent a prediction without a ranking";
    case "end":
      return endFault(event);
    default:
      return `Sent an event of unknown type (${excerpt(String(event["type"]))})`;
  }
}

const ENDS: unknown[] = ["completed", "max_turns", "stopped", "error"];

function endFault({ how, error, costUsd, resources }: Record<string, unknown>): string | undefined {
  if (!ENDS.includes(how)) return `Ended in an unknown way (${excerpt(String(how))})`;
  if (costUsd !== undefined && !isAmount(costUsd)) return "Ended with a cost that is not an amount";
  const { peakMemoryBytes, cpuMs } = (resources ?? {}) as Record<string, unknown>;
  if (resources !== undefined && !(isAmount(peakMemoryBytes) && isAmount(cpuMs)))
    return "Ended with resources that are not amounts";
  if (error === undefined) return undefined;
  const { reason, message, retryable } = (error ?? {}) as Record<string, unknown>;
  const known =
    ERROR_REASONS.some((one) => one === reason) && typeof message === "string" && typeof retryable === "boolean";
  return known ? undefined : "Ended with an error without a reason, message or `retryable`";
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isTurn(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1;
}

function excerpt(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
