import { addEvent, type PartialTranscript, startTranscript } from "./collect-events.ts";
import type { EndEvent, TrialError, TrialEvent } from "./events.ts";
import { parseEvent } from "./parse-event.ts";
import { readStream } from "./read-stream.ts";
import type { Outcome, Transcript } from "./transcript.ts";

export interface FoldOptions {
  /** The ids of the library's skills. A stream that claims to have activated any other skill cannot be trusted: an error. */
  skills?: ReadonlySet<string>;
  /** The model that was asked. A stream whose end names an unrelated model did not come from it: an error. */
  model?: string;
  /** Ends the trial at once, even when the target ignores it. Its reason may be a TrialError; otherwise the trial was interrupted. */
  signal?: AbortSignal;
  /** More text than this in one trial is a flood, and reading stops. Default 64 million characters. */
  maxChars?: number;
  /** When the trial began, in milliseconds since the epoch: what the host told later is timed from there. */
  began?: number;
}

/**
 * The transcript of a trial, from its events. Never throws: whatever is wrong with the stream becomes an error outcome.
 * Memory stays bounded however much is sent: of long texts only a part is kept, and a flood is cut off.
 */
export async function foldEvents(
  events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>,
  options: FoldOptions = {},
): Promise<Transcript> {
  const partial = startTranscript(options.maxChars ?? 64_000_000, options.began);
  const problem = await readStream(events, options.signal, (value) => addChecked(value, partial, options));
  return finish(partial, problem, options);
}

/** Adds one event, or says why the trial cannot be measured. */
function addChecked(value: unknown, partial: PartialTranscript, options: FoldOptions): TrialError | undefined {
  if (partial.end !== undefined) return unparseable("The stream continued after its end");
  const event = parseEvent(value);
  if (typeof event === "string") return unparseable(event);
  return addEvent(event, partial) ?? (event.type === "activation" ? unknownSkill(event, options.skills) : undefined);
}

function unknownSkill(
  event: { skill: string; evidence: string },
  skills: ReadonlySet<string> | undefined,
): TrialError | undefined {
  if (skills === undefined || skills.has(event.skill)) return undefined;
  // Hosts refuse calls to skills that do not exist, and models talk about them: neither claims that one was activated.
  if (event.evidence === "refused" || event.evidence === "mentioned") return undefined;
  return unparseable(`The target claims to have activated \`${event.skill}\`, which is not in the library`);
}

function finish(partial: PartialTranscript, problem: TrialError | undefined, options: FoldOptions): Transcript {
  const { activations, calls, texts, turns, prediction, end } = partial;
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
    prediction,
    listing: end?.listing,
    usage: end?.usage,
    costUsd: end?.costUsd,
    costEstimated: end?.costEstimated,
    model: end?.model,
    resources: end?.resources,
  };
}

function endError(end: EndEvent | undefined, asked: string | undefined): TrialError | undefined {
  if (end === undefined) return { reason: "cut_stream", message: "The stream stopped without an end", retryable: true };
  if (end.error !== undefined) return end.error;
  if (end.how === "error")
    return { reason: "unknown", message: "The target reported an error without a reason", retryable: false };
  if (end.model !== undefined && asked !== undefined && !isSameModel(end.model, asked)) {
    return unparseable(`The answer came from ${end.model}, not from ${asked}`);
  }
  return undefined;
}

/** `haiku` and `claude-haiku-4-5` are one model under two names; `haiku` and `gpt-5.5` are not. */
function isSameModel(reported: string, asked: string): boolean {
  const [a, b] = [words(reported), words(asked)];
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

function words(name: string): string[] {
  return name.toLowerCase().match(/[a-z]+|[0-9]+/g) ?? [];
}

function unparseable(message: string): TrialError {
  return { reason: "unparseable", message, retryable: false };
}
