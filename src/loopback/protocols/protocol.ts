import { sha256 } from "../../base/index.ts";
import type { LoopbackRequest, ScriptedCall, ScriptedMove } from "../scenario.ts";

/** One provider's protocol. Everything here is a function of the request and the scripted move. */
export interface ModelProtocol {
  name: string;
  /** Matches the protocol's part of the path; before it come scenario and run. */
  path: RegExp;
  read(body: JsonObject, path: string): { stream: boolean; model: string; turn: number; opening: string };
  whole(move: ScriptedMove, request: LoopbackRequest): unknown;
  /** The same answer as a stream: each piece is a complete server-sent event. */
  pieces(move: ScriptedMove, request: LoopbackRequest): string[];
  error(status: number, message: string): unknown;
}

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** What a request says in the protocols whose conversation is a list of messages. */
export function readMessages(body: JsonObject): ReturnType<ModelProtocol["read"]> {
  const messages = list(body["messages"]);
  return {
    stream: body["stream"] === true,
    model: String(body["model"] ?? ""),
    turn: messages.filter((message) => message["role"] === "assistant").length,
    opening: JSON.stringify(messages.find((message) => message["role"] === "user")?.["content"] ?? ""),
  };
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Ids depend on the conversation alone, so a retry gets the same ones and a sub-agent gets other ones than its parent. */
export function idOf(prefix: string, request: LoopbackRequest, index = 0): string {
  return `${prefix}_${sha256(request.opening).slice(0, 10)}${request.turn}x${index}`;
}

export function inputText(call: ScriptedCall): string {
  return typeof call.input === "string" ? call.input : JSON.stringify(call.input);
}

/** Small, fixed and not zero, so that sums can be checked. */
export const TOKENS = { input: 1000, output: 20 };
