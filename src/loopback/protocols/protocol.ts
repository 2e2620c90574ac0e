import { sha256 } from "../../base/index.ts";
import type { LoopbackRequest, ScriptedCall, ScriptedMove } from "../scenario.ts";

/** A provider's protocol. Everything depends only on the request and the scripted move. */
export interface ModelProtocol {
  name: string;
  /** Matches the end of the path; scenario and run come before it. */
  path: RegExp;
  read(body: JsonObject, path: string): { stream: boolean; model: string; turn: number; opening: string };
  whole(move: ScriptedMove, request: LoopbackRequest): unknown;
  /** Each piece is a complete server-sent event. */
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

/** Depends on the conversation alone: a retry gets the same ids, a sub-agent gets other ids than its parent. */
export function idOf(prefix: string, request: LoopbackRequest, index = 0): string {
  return `${prefix}_${sha256(request.opening).slice(0, 10)}${request.turn}x${index}`;
}

export function inputText(call: ScriptedCall): string {
  return typeof call.input === "string" ? call.input : JSON.stringify(call.input);
}

/** Fixed and not zero, so that tests can check sums. */
export const TOKENS = { input: 1000, output: 20 };
