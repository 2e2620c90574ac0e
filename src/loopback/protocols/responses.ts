import type { LoopbackRequest, ScriptedMove } from "../scenario.ts";
import { event, idOf, inputText, type JsonObject, list, type ModelProtocol, TOKENS } from "./protocol.ts";

export const responses: ModelProtocol = {
  name: "responses",
  path: /(\/v1)?\/responses$/,

  read(body) {
    const items = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : list(body["input"]);
    return {
      stream: body["stream"] === true,
      model: String(body["model"] ?? ""),
      turn: modelRuns(items),
      opening: JSON.stringify(
        items
          .filter((item) => item["role"] === "user" || item["type"] === "agent_message")
          .map((item) => item["content"]),
      ),
    };
  },

  whole(move, request) {
    return finished(move, request);
  },

  pieces(move, request) {
    const base = { ...envelope(request), status: "in_progress", output: [] };
    let sequence = 0;
    const send = (type: string, data: JsonObject) => event({ type, sequence_number: sequence++, ...data }, type);
    return [
      send("response.created", { response: base }),
      ...items(move, request).flatMap((item, index) => {
        const place = { output_index: index, item_id: item["id"] };
        const added = send("response.output_item.added", { output_index: index, item: started(item) });
        const done = send("response.output_item.done", { output_index: index, item });
        if (item["type"] === "message") {
          const text = move.text ?? "";
          const part = { type: "output_text", text: "", annotations: [] };
          return [
            added,
            send("response.content_part.added", { ...place, content_index: 0, part }),
            send("response.output_text.delta", { ...place, content_index: 0, delta: text }),
            send("response.output_text.done", { ...place, content_index: 0, text }),
            done,
          ];
        }
        if (item["type"] === "function_call") {
          return [
            added,
            send("response.function_call_arguments.delta", { ...place, delta: item["arguments"] }),
            send("response.function_call_arguments.done", { ...place, arguments: item["arguments"] }),
            done,
          ];
        }
        return [added, done];
      }),
      send(move.ends === undefined ? "response.completed" : "response.incomplete", {
        response: finished(move, request),
      }),
    ];
  },

  error(status, message) {
    return {
      error: {
        message,
        type: status < 500 ? "invalid_request_error" : "server_error",
        code: status === 401 ? "invalid_api_key" : null,
        param: null,
      },
    };
  },
};

/** Consecutive items of the model (reasoning, text, calls) came in one response and are one turn. */
function modelRuns(items: JsonObject[]): number {
  const byModel = items.map(
    (item) =>
      item["role"] === "assistant" || ["reasoning", "function_call", "custom_tool_call"].includes(String(item["type"])),
  );
  return byModel.filter((mine, index) => mine && !byModel[index - 1]).length;
}

function items(move: ScriptedMove, request: LoopbackRequest): JsonObject[] {
  const text = move.text === undefined ? [] : [message(move.text, request)];
  const calls = (move.calls ?? []).map((call, index): JsonObject => {
    const shared = {
      status: "completed",
      call_id: call.id ?? idOf("call", request, index),
      name: call.tool,
      namespace: call.namespace,
    };
    return typeof call.input === "string"
      ? { type: "custom_tool_call", id: idOf("ctc", request, index), ...shared, input: call.input }
      : { type: "function_call", id: idOf("fc", request, index), ...shared, arguments: inputText(call) };
  });
  return [...text, ...calls];
}

function message(text: string, request: LoopbackRequest): JsonObject {
  return {
    type: "message",
    id: idOf("msg", request),
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text, annotations: [] }],
  };
}

function started(item: JsonObject): JsonObject {
  const empty: JsonObject =
    item["type"] === "message" ? { content: [] } : item["type"] === "function_call" ? { arguments: "" } : {};
  return { ...item, ...empty, status: "in_progress" };
}

function finished(move: ScriptedMove, request: LoopbackRequest): JsonObject {
  const reason = move.ends === "length" ? "max_output_tokens" : "content_filter";
  const status =
    move.ends === undefined ? { status: "completed" } : { status: "incomplete", incomplete_details: { reason } };
  return { ...envelope(request), ...status, output: items(move, request), usage: usage() };
}

function envelope(request: LoopbackRequest): JsonObject {
  return {
    id: idOf("resp", request),
    object: "response",
    created_at: 1_700_000_000,
    model: request.model,
    error: null,
    incomplete_details: null,
  };
}

function usage(): JsonObject {
  return {
    input_tokens: TOKENS.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: TOKENS.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TOKENS.input + TOKENS.output,
  };
}
