import { type Keeping, keep, startKeeping } from "./collect-events.ts";
import type { EndEvent, TrialError, TrialEvent } from "./events.ts";
import { readEvent } from "./parse-event.ts";
import { readStream } from "./read-stream.ts";
import type { Outcome, Transcript } from "./transcript.ts";

export interface FoldOptions {
  /** The ids of the library's skills. A stream that claims to have activated any other is wrong about itself: an error. */
  skills?: ReadonlySet<string>;
  /** The model that was asked. A stream whose end names an unrelated one did not come from it: an error. */
  model?: string;
  /** Ends the trial at once, even when the target does not listen. Its reason may be a TrialError; otherwise the trial was interrupted. */
  signal?: AbortSignal;
  /** More text than this in one trial is a flood, and reading stops. Default 64 million characters. */
  maxChars?: number;
}

/**
 * The transcript of a trial, from its events. Never throws: whatever is wrong with the stream becomes an error outcome.
 * Memory stays bounded however much is sent: long texts are kept in part, and a flood is cut off.
 */
export async function foldEvents(events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>, options: FoldOptions = {}): Promise<Transcript> {
  const keeping = startKeeping(options.maxChars ?? 64_000_000);
  const problem = await readStream(events, options.signal, (value) => take(value, keeping, options));
  return finish(keeping, problem, options);
}

/** Keeps one event, or says why the trial cannot be measured. */
function take(value: unknown, keeping: Keeping, options: FoldOptions): TrialError | undefined {
  if (keeping.end !== undefined) return unparseable("The stream went on after its end");
  const event = readEvent(value);
  if (typeof event === "string") return unparseable(event);
  return keep(event, keeping) ?? (event.type === "activation" ? stranger(event, options.skills) : undefined);
}

function stranger(event: { skill: string; evidence: string }, skills: ReadonlySet<string> | undefined): TrialError | undefined {
  if (skills === undefined || skills.has(event.skill)) return undefined;
  // Hosts refuse calls of skills that do not exist, and models talk about them: neither is a claim that one was activated.
  if (event.evidence === "refused" || event.evidence === "mentioned") return undefined;
  return unparseable(`Says it activated \`${event.skill}\`, which is not in the library`);
}

function finish(keeping: Keeping, problem: TrialError | undefined, options: FoldOptions): Transcript {
  const { activations, calls, texts, turns, end } = keeping;
  const error = problem ?? endError(end, options.model);
  const outcome: Outcome = error === undefined ? { status: "activations", activations } : { status: "error", error };
  return {
    outcome,
    activations,
    calls,
    texts,
    finalText: texts.findLast((entry) => entry.agent === undefined)?.text ?? "",
    turns,
    how: error === undefined && end !== undefined ? end.how : "error",
    ...(keeping.prediction && { prediction: keeping.prediction }),
    ...(end?.listing && { listing: end.listing }),
    ...(end?.usage && { usage: end.usage }),
    ...(end?.costUsd !== undefined && { costUsd: end.costUsd }),
    ...(end?.costEstimated !== undefined && { costEstimated: end.costEstimated }),
    ...(end?.model !== undefined && { model: end.model }),
    ...(end?.resources && { resources: end.resources }),
  };
}

function endError(end: EndEvent | undefined, asked: string | undefined): TrialError | undefined {
  if (end === undefined) return { reason: "cut_stream", message: "The stream stopped without an end", retryable: true };
  if (end.error !== undefined) return end.error;
  if (end.how === "error") return { reason: "unknown", message: "The target reported an error and no reason", retryable: false };
  if (end.model !== undefined && asked !== undefined && !related(end.model, asked)) {
    return unparseable(`The answer comes from ${end.model}, not from ${asked}`);
  }
  return undefined;
}

/** `haiku` and `claude-haiku-4-5` are one model under two names; `haiku` and `gpt-5.5` are not. */
function related(reported: string, asked: string): boolean {
  const [a, b] = [words(reported), words(asked)];
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

function words(name: string): string[] {
  return name.toLowerCase().match(/[a-z]+|[0-9]+/g) ?? [];
}

function unparseable(message: string): TrialError {
  return { reason: "unparseable", message, retryable: false };
}
