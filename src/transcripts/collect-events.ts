import type { Activation, EndEvent, Prediction, TrialError, TrialEvent } from "./events.ts";
import type { ToolCall, Transcript } from "./transcript.ts";

/** Of one text, one result and one input, at most this many characters are kept; of all together, at most KEPT_IN_ALL. */
const KEPT_OF_TEXT = 256_000;
const KEPT_OF_RESULT = 32_000;
const KEPT_IN_ALL = 8_000_000;
/** Events cost memory beside their text. */
const MOST_EVENTS = 100_000;

/** A transcript in the making. */
export interface Keeping {
  activations: Activation[];
  calls: ToolCall[];
  texts: Transcript["texts"];
  turns: number;
  prediction?: Prediction;
  end?: EndEvent;
  callsById: Map<string, ToolCall>;
  chars: { seen: number; most: number; kept: number };
  events: number;
}

export function startKeeping(maxChars: number): Keeping {
  const chars = { seen: 0, most: maxChars, kept: 0 };
  return { activations: [], calls: [], texts: [], turns: 0, callsById: new Map(), chars, events: 0 };
}

/** Adds one event; an error when the stream has become a flood. */
export function keep(event: TrialEvent, keeping: Keeping): TrialError | undefined {
  if (++keeping.events > MOST_EVENTS) return flood(`more than ${MOST_EVENTS} events`);
  if ("turn" in event) keeping.turns = Math.max(keeping.turns, event.turn);
  switch (event.type) {
    case "text":
      keepText(event, keeping);
      break;
    case "call":
      keepCall(event, keeping);
      break;
    case "result":
      keepResult(event, keeping);
      break;
    case "activation": {
      const { type: _, ...activation } = event;
      keeping.activations.push(activation);
      break;
    }
    case "prediction":
      keeping.prediction = event.prediction;
      break;
    case "end":
      keeping.end = event;
      break;
  }
  return keeping.chars.seen > keeping.chars.most ? flood(`more than ${keeping.chars.most} characters`) : undefined;
}

function keepText({ turn, text, agent }: { turn: number; text: string; agent?: string }, keeping: Keeping): void {
  const last = keeping.texts.at(-1);
  if (last !== undefined && last.turn === turn && last.agent === agent) {
    last.text += excerpt(text, KEPT_OF_TEXT - last.text.length, keeping);
  } else {
    keeping.texts.push({ turn, text: excerpt(text, KEPT_OF_TEXT, keeping), ...(agent !== undefined && { agent }) });
  }
}

function keepCall({ turn, id, tool, input, agent }: Extract<TrialEvent, { type: "call" }>, keeping: Keeping): void {
  const json = JSON.stringify(input) ?? "null";
  const kept = excerpt(json, KEPT_OF_RESULT, keeping);
  const call: ToolCall = { turn, id, tool, input: kept === json ? input : { cut: kept }, ...(agent !== undefined && { agent }) };
  keeping.calls.push(call);
  keeping.callsById.set(id, call);
}

function keepResult({ id, ok, text }: Extract<TrialEvent, { type: "result" }>, keeping: Keeping): void {
  const kept = text === undefined ? undefined : excerpt(text, KEPT_OF_RESULT, keeping);
  const call = keeping.callsById.get(id);
  if (call === undefined) return;
  call.ok = ok;
  if (kept !== undefined) call.result = kept;
}

/** As much of a text as there is room for. */
function excerpt(text: string, room: number, { chars }: Keeping): string {
  chars.seen += text.length;
  const most = Math.max(0, Math.min(room, KEPT_IN_ALL - chars.kept));
  const kept = text.length <= most ? text : text.slice(0, most);
  chars.kept += kept.length;
  return kept;
}

function flood(what: string): TrialError {
  return { reason: "flood", message: `The target sent ${what}; the rest was not read`, retryable: false };
}
