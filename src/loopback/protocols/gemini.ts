import type { LoopbackRequest, ScriptedMove } from "../scenario.ts";
import { event, list, type ModelProtocol, TOKENS } from "./protocol.ts";

export const gemini: ModelProtocol = {
  name: "gemini",
  path: /(\/v1(beta|alpha)?)?\/models\/[^/]+:(streamGenerateContent|generateContent)$/,

  read(body, path) {
    const contents = list(body["contents"]);
    return {
      stream: path.endsWith(":streamGenerateContent"),
      model: /\/models\/([^/]+):/.exec(path)?.[1] ?? "",
      turn: contents.filter((content) => content["role"] === "model").length,
      opening: JSON.stringify(
        contents.filter((content) => content["role"] === "user").map((content) => content["parts"]),
      ),
    };
  },

  whole(move, request) {
    return response(parts(move), finishReason(move), request);
  },

  pieces(move, request) {
    const all = parts(move);
    return all.map((part, index) =>
      event(response([part], index === all.length - 1 ? finishReason(move) : undefined, request)),
    );
  },

  error(status, message) {
    const names: Record<number, string> = {
      400: "INVALID_ARGUMENT",
      401: "UNAUTHENTICATED",
      403: "PERMISSION_DENIED",
      429: "RESOURCE_EXHAUSTED",
      503: "UNAVAILABLE",
    };
    return { error: { code: status, message, status: names[status] ?? "INTERNAL" } };
  },
};

function finishReason({ ends }: ScriptedMove): string {
  return ends === undefined ? "STOP" : ends === "length" ? "MAX_TOKENS" : "SAFETY";
}

function parts(move: ScriptedMove): unknown[] {
  const calls = (move.calls ?? []).map((call) => ({
    functionCall: { name: call.tool, args: call.input, id: call.id },
  }));
  return move.text === undefined && calls.length > 0 ? calls : [{ text: move.text ?? "" }, ...calls];
}

function response(some: unknown[], finishReason: string | undefined, request: LoopbackRequest) {
  const candidate = { content: { role: "model", parts: some }, index: 0, finishReason };
  const usageMetadata = {
    promptTokenCount: TOKENS.input,
    candidatesTokenCount: TOKENS.output,
    totalTokenCount: TOKENS.input + TOKENS.output,
  };
  return { candidates: [candidate], usageMetadata, modelVersion: request.model };
}
