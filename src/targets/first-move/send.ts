import { json, jsonLine, text } from "../../hosts/reading/index.ts";
import type { TrialError } from "../../model/index.ts";
import { explain, failure, httpFailure } from "../models/call.ts";
import { cappedFetch } from "../models/capped-fetch.ts";
import type { Capture } from "./capture.ts";
import { anthropic } from "./protocols/anthropic.ts";
import { chat } from "./protocols/chat.ts";
import { gemini } from "./protocols/gemini.ts";
import type { Move, Protocol } from "./protocols/protocol.ts";
import { responses } from "./protocols/responses.ts";
import type { Route } from "./route.ts";

const protocols: Record<string, Protocol> = { anthropic, chat, gemini, responses };

interface Sending {
  capture: Capture;
  route: Route;
  query: string;
  signal: AbortSignal;
}

export type Sent = { raw: string } & ({ status: "moved"; move: Move } | { status: "error"; error: TrialError });

export async function send({ capture, route, query, signal }: Sending): Promise<Sent> {
  const protocol = protocols[capture.protocol];
  if (protocol === undefined) throw new Error(`no request of the protocol "${capture.protocol}" can be sent`);
  let raw = "";
  try {
    const response = await cappedFetch(protocol.url(route.base, capture.requestModel), {
      method: "POST",
      headers: { "content-type": "application/json", ...protocol.headers(route.key, route.bearer), ...capture.headers },
      body: JSON.stringify(fill(capture.body, capture.placeholder, query)),
      // A key goes to the address it is meant for and nowhere else.
      redirect: "error",
      signal,
    });
    raw = await response.text();
    if (!response.ok) {
      const error = httpFailure(response.status, messageIn(raw), Object.fromEntries(response.headers));
      return { status: "error", error, raw };
    }
    return { ...understood(protocol, raw), raw };
  } catch (error) {
    const reply = await explain(error, signal);
    if (reply.status === "error") return { status: "error", error: reply.error, raw };
    throw error;
  }
}

function understood(
  protocol: Protocol,
  raw: string,
): { status: "moved"; move: Move } | { status: "error"; error: TrialError } {
  const events = serverSentEvents(raw);
  if (events.length === 0) {
    const shown = JSON.stringify(raw.slice(0, 200));
    return {
      status: "error",
      error: { ...failure("unparseable", `the reply is not a stream of events: ${shown}`), retryable: true },
    };
  }
  const move = protocol.fold(events);
  if (move === undefined)
    return {
      status: "error",
      error: { ...failure("cut_stream", "the reply broke off before the turn had ended"), retryable: true },
    };
  return "reason" in move ? { status: "error", error: move } : { status: "moved", move };
}

function serverSentEvents(raw: string) {
  return raw.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5));
    const value = jsonLine(data.join("\n"));
    return value === undefined ? [] : [value];
  });
}

function messageIn(raw: string): string {
  const body = jsonLine(raw) ?? {};
  return text(json(body["error"])["message"]) || text(body["message"]) || raw.trim().slice(0, 200);
}

function fill(value: unknown, placeholder: string, query: string): unknown {
  if (typeof value === "string") return value.replaceAll(placeholder, () => query);
  if (Array.isArray(value)) return value.map((member) => fill(member, placeholder, query));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, placeholder, query)]));
}
