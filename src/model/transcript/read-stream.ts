import { ERROR_REASONS, type TrialError } from "./events.ts";

/** How long a target may take to clean up once nobody reads on, in milliseconds. */
const CLEAN_UP_MS = 1_000;

/** Hands every value of a stream to `take` until it objects, the stream ends or throws, or the signal aborts. Returns what went wrong. */
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

/** Lets a target clean up, but does not wait for one that hangs. */
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
