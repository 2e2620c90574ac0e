import type { LoopbackRequest, ScriptedMove } from "../scenario.ts";
import { event, idOf, inputText, type ModelProtocol, readMessages, TOKENS } from "./protocol.ts";

export const chat: ModelProtocol = {
  name: "chat",
  path: /(\/v1)?\/chat\/completions$/,

  read: readMessages,

  whole(move, request) {
    const message = {
      role: "assistant",
      content: move.text ?? null,
      tool_calls: move.calls?.length ? toolCalls(move, request) : undefined,
    };
    return {
      ...envelope(request, "chat.completion"),
      choices: [{ index: 0, message, finish_reason: finishReason(move) }],
      usage: usage(),
    };
  },

  pieces(move, request) {
    const chunk = (delta: unknown, finish: string | null = null) =>
      event({ ...envelope(request, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] });
    return [
      chunk({ role: "assistant", content: "" }),
      ...(move.text === undefined ? [] : [chunk({ content: move.text })]),
      ...toolCalls(move, request).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
      chunk({}, finishReason(move)),
      event({ ...envelope(request, "chat.completion.chunk"), choices: [], usage: usage() }),
      event("[DONE]"),
    ];
  },

  error(status, message) {
    // Some clients retry any error of type server_error, even a 400.
    return {
      error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: null, param: null },
    };
  },
};

function toolCalls(move: ScriptedMove, request: LoopbackRequest) {
  return (move.calls ?? []).map((call, index) => ({
    id: call.id ?? idOf("call", request, index),
    type: "function",
    function: { name: call.tool, arguments: inputText(call) },
  }));
}

function envelope(request: LoopbackRequest, object: string) {
  return { id: idOf("chatcmpl", request), object, created: 1_700_000_000, model: request.model };
}

function finishReason(move: ScriptedMove): string {
  if (move.ends !== undefined) return move.ends === "length" ? "length" : "content_filter";
  return move.calls?.length ? "tool_calls" : "stop";
}

function usage() {
  return { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output };
}
