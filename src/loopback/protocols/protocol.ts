import { sha256 } from "../../base/index.ts";
import type { LoopbackRequest, Move, ScriptedCall } from "../scenario.ts";

/** One provider's way of asking and answering. Everything here is a function of the request and the scripted move. */
export interface Protocol {
  name: string;
  /** The part of the path that belongs to the protocol; what stands before it is scenario and run. */
  path: RegExp;
  read(body: Json, path: string): { stream: boolean; model: string; turn: number; opening: string };
  whole(move: Move, request: LoopbackRequest): unknown;
  /** The pieces of the same answer as a stream, each a complete server-sent event. */
  pieces(move: Move, request: LoopbackRequest): string[];
  error(status: number, message: string): unknown;
}

export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function event(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** Ids are a function of the conversation, so that a retry gets the same ones and a sub-agent gets others than its parent. */
export function idOf(prefix: string, request: LoopbackRequest, index = 0): string {
  return `${prefix}_${sha256(request.opening).slice(0, 10)}${request.turn}x${index}`;
}

export function inputText(call: ScriptedCall): string {
  return typeof call.input === "string" ? call.input : JSON.stringify(call.input);
}

/** Small, fixed and not zero: a client that adds them up can be checked. */
export const TOKENS = { input: 1000, output: 20 };
