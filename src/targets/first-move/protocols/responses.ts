import { json, list, number, text } from "../../../hosts/reading/index.ts";
import { failure, httpFailure } from "../../models/call.ts";
import { bearer, type Protocol, withPath } from "./protocol.ts";

export const responses: Protocol = {
  url: (base) => `${withPath(base, "/v1")}/responses`,
  headers: bearer,

  fold(events) {
    const error = events.find((event) => event["type"] === "error");
    if (error !== undefined)
      return httpFailure(500, text(error["message"]) || text(json(error["error"])["message"]), {});
    const last = events.findLast((event) => /^response\.(completed|failed|incomplete)$/.test(text(event["type"])));
    if (last === undefined) return undefined;
    const response = json(last["response"]);
    const items = finishedItems(events) ?? list(response["output"]);
    const called = items.some((item) => item["type"] !== "message" && item["type"] !== "reasoning");
    if (last["type"] === "response.failed") return httpFailure(500, text(json(response["error"])["message"]), {});
    if (last["type"] === "response.incomplete" && !called) {
      const why = text(json(response["incomplete_details"])["reason"]);
      if (why === "content_filter") return failure("filtered", "the provider's own filter stopped the reply");
      return failure("cut_answer", "the reply reached its token limit before the turn had ended");
    }
    const usage = usageOf(json(response["usage"]));
    return {
      text: items
        .flatMap((item) => list(item["content"]))
        .map((part) => text(part["text"]))
        .join(""),
      calls: [],
      items,
      model: text(response["model"]) || undefined,
      usage,
    };
  },
};

/** Not every server repeats the items in its last event. */
function finishedItems(events: Parameters<Protocol["fold"]>[0]) {
  const done = events
    .filter((event) => event["type"] === "response.output_item.done")
    .map((event) => json(event["item"]));
  return done.length === 0 ? undefined : done;
}

function usageOf(usage: Record<string, unknown>) {
  const [input, output] = [usage["input_tokens"], usage["output_tokens"]];
  const cached = json(usage["input_tokens_details"])["cached_tokens"];
  if (typeof input !== "number" || typeof output !== "number") return undefined;
  return { inputTokens: input, outputTokens: output, cacheReadTokens: number(cached) };
}
