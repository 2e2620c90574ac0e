import { json, list, number, text } from "../../../hosts/reading/index.ts";
import { failure, httpFailure } from "../../models/call.ts";
import { type Protocol, withPath } from "./protocol.ts";

export const gemini: Protocol = {
  url: (base, model) =>
    `${withPath(base, "/v1beta")}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
  headers: (key) => ({ "x-goog-api-key": key ?? "" }),

  fold(events) {
    const error = events.find((event) => event["error"] !== undefined);
    if (error !== undefined)
      return httpFailure(number(json(error["error"])["code"]) ?? 500, text(json(error["error"])["message"]), {});
    const blocked = events
      .map((event) => text(json(event["promptFeedback"])["blockReason"]))
      .find((reason) => reason !== "");
    if (blocked !== undefined) return failure("filtered", `the provider's own filter refused the request: ${blocked}`);
    const candidates = events.flatMap((event) => list(event["candidates"]).slice(0, 1));
    const finish = candidates.map((candidate) => text(candidate["finishReason"])).findLast((reason) => reason !== "");
    if (finish === undefined) return undefined;
    const parts = candidates.flatMap((candidate) => list(json(candidate["content"])["parts"]));
    const calls = parts
      .map((part) => json(part["functionCall"]))
      .filter((call) => typeof call["name"] === "string")
      .map((call, index) => ({
        id: text(call["id"]) || `call-${index + 1}`,
        tool: text(call["name"]),
        input: json(call["args"]),
      }));
    if (calls.length === 0 && finish !== "STOP") {
      const message = `the reply ended with ${finish} before the turn had ended`;
      // A call the model wrote wrongly is a matter of luck: the CLI asks again, too.
      if (finish === "MALFORMED_FUNCTION_CALL") return { ...failure("unparseable", message), retryable: true };
      return failure(finish === "MAX_TOKENS" ? "cut_answer" : "filtered", message);
    }
    const usage = usageOf(json(events.findLast((event) => event["usageMetadata"] !== undefined)?.["usageMetadata"]));
    const model = text(events.find((event) => typeof event["modelVersion"] === "string")?.["modelVersion"]);
    return {
      text: parts.map((part) => (part["thought"] === true ? "" : text(part["text"]))).join(""),
      calls,
      items: [],
      model: model || undefined,
      usage,
    };
  },
};

function usageOf(usage: Record<string, unknown>) {
  const input = number(usage["promptTokenCount"]);
  const spoken = number(usage["candidatesTokenCount"]);
  const cached = number(usage["cachedContentTokenCount"]);
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    // Thoughts are paid for as output, and counted apart.
    outputTokens: spoken === undefined ? undefined : spoken + (number(usage["thoughtsTokenCount"]) ?? 0),
    cacheReadTokens: cached,
  };
}
