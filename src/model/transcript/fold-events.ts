import type { Activation, EndEvent, Prediction, TrialError, TrialEvent } from "./events.ts";
import { parseEvent, readStream } from "./read-events.ts";
import type { Outcome, ToolCall, Transcript } from "./transcript.ts";

export interface FoldOptions {
  /**
   * The library's skill ids. A stream that claims to have activated any other skill cannot be trusted and is an error.
   */
  skills?: ReadonlySet<string>;
  /** The model asked for. A stream whose end names an unrelated model is an error. */
  model?: string;
  /**
   * Ends the trial at once, even if the target ignores it. Its reason may be a TrialError; any other reason means
   * "interrupted".
   */
  signal?: AbortSignal;
  /** Reading stops after this much text, and the trial is a flood. Default 64 million characters. */
  maxChars?: number;
  /** Start of the trial in milliseconds since the epoch; event times are relative to it. */
  began?: number;
}

/**
 * Folds a trial's events into its transcript. Never throws: a faulty stream becomes an error outcome. Memory is
 * bounded: long texts are cut, and reading a flood stops.
 */
export async function foldEvents(
  events: AsyncIterable<TrialEvent> | Iterable<TrialEvent>,
  options: FoldOptions = {},
): Promise<Transcript> {
  const partial = startTranscript(options.maxChars ?? 64_000_000, options.began);
  const problem = await readStream(events, options.signal, (value) => addChecked(value, partial, options));
  return finish(partial, problem, options);
}

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
  // Hosts refuse calls to unknown skills, and models mention them. Neither claims an activation.
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

/** `haiku` and `claude-haiku-4-5` are two names of one model. */
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

/** Most characters kept of one text, of one result or input, and of a whole trial. */
const MOST_OF_TEXT = 256_000;
const MOST_OF_RESULT = 32_000;
const MOST_IN_ALL = 8_000_000;
const MOST_EVENTS = 100_000;

interface PartialTranscript {
  activations: Activation[];
  calls: ToolCall[];
  texts: Transcript["texts"];
  turns: number;
  prediction?: Prediction;
  end?: EndEvent;
  callsById: Map<string, ToolCall>;
  calledAt: Map<string, number>;
  chars: { seen: number; most: number; kept: number };
  events: number;
  began: number | undefined;
}

function startTranscript(maxChars: number, began?: number): PartialTranscript {
  const chars = { seen: 0, most: maxChars, kept: 0 };
  return {
    activations: [],
    calls: [],
    texts: [],
    turns: 0,
    callsById: new Map(),
    calledAt: new Map(),
    chars,
    events: 0,
    began,
  };
}

function addEvent(event: TrialEvent, partial: PartialTranscript): TrialError | undefined {
  if (++partial.events > MOST_EVENTS) return flood(`more than ${MOST_EVENTS} events`);
  if ("turn" in event) partial.turns = Math.max(partial.turns, event.turn);
  switch (event.type) {
    case "text":
      addText(event, partial);
      break;
    case "call":
      addCall(event, partial);
      break;
    case "result":
      addResult(event, partial);
      break;
    case "activation": {
      const { type: _, ...activation } = event;
      partial.activations.push(activation);
      break;
    }
    case "prediction":
      partial.prediction = event.prediction;
      break;
    case "end":
      partial.end = event;
      break;
  }
  return partial.chars.seen > partial.chars.most ? flood(`more than ${partial.chars.most} characters`) : undefined;
}

function addText({ turn, text, agent, at }: Extract<TrialEvent, { type: "text" }>, partial: PartialTranscript): void {
  const last = partial.texts.at(-1);
  if (last !== undefined && last.turn === turn && last.agent === agent) {
    last.text += excerpt(text, MOST_OF_TEXT - last.text.length, partial);
  } else {
    partial.texts.push({ turn, text: excerpt(text, MOST_OF_TEXT, partial), agent, ...since(at, partial) });
  }
}

function addCall(
  { turn, id, tool, input, agent, at }: Extract<TrialEvent, { type: "call" }>,
  partial: PartialTranscript,
): void {
  const json = JSON.stringify(input) ?? "null";
  const kept = excerpt(json, MOST_OF_RESULT, partial);
  const call: ToolCall = { turn, id, tool, input: kept === json ? input : { cut: kept }, agent, ...since(at, partial) };
  partial.calls.push(call);
  partial.callsById.set(id, call);
  if (isMoment(at)) partial.calledAt.set(id, at);
}

function addResult({ id, ok, text, at }: Extract<TrialEvent, { type: "result" }>, partial: PartialTranscript): void {
  const kept = text === undefined ? undefined : excerpt(text, MOST_OF_RESULT, partial);
  const call = partial.callsById.get(id);
  if (call === undefined) return;
  call.ok = ok;
  if (kept !== undefined) call.result = kept;
  const called = partial.calledAt.get(id);
  if (called !== undefined && isMoment(at) && at > called) call.tookMs = at - called;
}

/** Returns no time if the clock was set back or the target reported an invalid one. */
function since(at: unknown, { began }: PartialTranscript): { ms?: number } {
  return began !== undefined && isMoment(at) && at >= began ? { ms: at - began } : {};
}

function isMoment(at: unknown): at is number {
  return typeof at === "number" && Number.isFinite(at);
}

function excerpt(text: string, room: number, { chars }: PartialTranscript): string {
  chars.seen += text.length;
  const most = Math.max(0, Math.min(room, MOST_IN_ALL - chars.kept));
  const kept = text.length <= most ? text : text.slice(0, most);
  chars.kept += kept.length;
  return kept;
}

function flood(what: string): TrialError {
  return { reason: "flood", message: `The target sent ${what}; the rest was not read`, retryable: false };
}
