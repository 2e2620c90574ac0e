import type { LoopbackRequest, ScriptedMove } from "../scenario.ts";
import { event, idOf, inputText, type ModelProtocol, readMessages, TOKENS } from "./protocol.ts";

export const anthropic: ModelProtocol = {
  name: "anthropic",
  path: /\/v1\/messages$/,

  read: readMessages,

  whole(move, request) {
    return {
      ...envelope(request),
      content: blocks(move, request),
      stop_reason: stopReason(move),
      stop_sequence: null,
      usage: usage(TOKENS.output),
    };
  },

  pieces(move, request) {
    const start = {
      type: "message_start",
      message: { ...envelope(request), content: [], stop_reason: null, stop_sequence: null, usage: usage(1) },
    };
    const stop = {
      type: "message_delta",
      delta: { stop_reason: stopReason(move), stop_sequence: null },
      usage: { output_tokens: TOKENS.output },
    };
    return [
      event(start, "message_start"),
      ...blocks(move, request).flatMap(blockPieces),
      event(stop, "message_delta"),
      event({ type: "message_stop" }, "message_stop"),
    ];
  },

  error(status, message) {
    const types: Record<number, string> = {
      400: "invalid_request_error",
      401: "authentication_error",
      403: "permission_error",
      404: "not_found_error",
      429: "rate_limit_error",
      529: "overloaded_error",
    };
    return { type: "error", error: { type: types[status] ?? "api_error", message } };
  },
};

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

function blocks(move: ScriptedMove, request: LoopbackRequest): Block[] {
  const calls = (move.calls ?? []).map(
    (call, index): Block => ({
      type: "tool_use",
      id: call.id ?? idOf("toolu", request, index),
      name: call.tool,
      input: call.input,
    }),
  );
  return move.text === undefined ? calls : [{ type: "text", text: move.text }, ...calls];
}

function blockPieces(block: Block, index: number): string[] {
  const delta =
    block.type === "text"
      ? { type: "text_delta", text: block.text }
      : {
          type: "input_json_delta",
          partial_json: inputText({ tool: block.name, input: block.input as Record<string, unknown> }),
        };
  const empty = block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
  return [
    event({ type: "content_block_start", index, content_block: empty }, "content_block_start"),
    event({ type: "content_block_delta", index, delta }, "content_block_delta"),
    event({ type: "content_block_stop", index }, "content_block_stop"),
  ];
}

function envelope(request: LoopbackRequest) {
  return { id: idOf("msg", request), type: "message", role: "assistant", model: request.model };
}

function stopReason(move: ScriptedMove): string {
  if (move.ends !== undefined) return move.ends === "length" ? "max_tokens" : "refusal";
  return move.calls?.length ? "tool_use" : "end_turn";
}

function usage(output: number) {
  return {
    input_tokens: TOKENS.input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
    service_tier: "standard",
  };
}
