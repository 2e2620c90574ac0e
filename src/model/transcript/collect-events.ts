import type { Activation, EndEvent, Prediction, TrialError, TrialEvent } from "./events.ts";
import type { ToolCall, Transcript } from "./transcript.ts";

/** The most characters kept of one text, of one result or input, and of all together. */
const MOST_OF_TEXT = 256_000;
const MOST_OF_RESULT = 32_000;
const MOST_IN_ALL = 8_000_000;
/** Events take memory besides their text. */
const MOST_EVENTS = 100_000;

/** A transcript in the making. */
export interface PartialTranscript {
  activations: Activation[];
  calls: ToolCall[];
  texts: Transcript["texts"];
  turns: number;
  prediction?: Prediction;
  end?: EndEvent;
  callsById: Map<string, ToolCall>;
  /** When the host reported a call. */
  calledAt: Map<string, number>;
  chars: { seen: number; most: number; kept: number };
  events: number;
  /** When the trial began, in milliseconds since the epoch. */
  began: number | undefined;
}

export function startTranscript(maxChars: number, began?: number): PartialTranscript {
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

/** Adds one event; an error when the stream has become a flood. */
export function addEvent(event: TrialEvent, partial: PartialTranscript): TrialError | undefined {
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

/** Nothing, where a clock was set back in between, or a target tells nonsense. */
function since(at: unknown, { began }: PartialTranscript): { ms?: number } {
  return began !== undefined && isMoment(at) && at >= began ? { ms: at - began } : {};
}

function isMoment(at: unknown): at is number {
  return typeof at === "number" && Number.isFinite(at);
}

/** As much of a text as there is room for. */
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
