import { anthropicUsage, type Json, json, jsonLine, number, text } from "../../../hosts/reading/index.ts";
import { failure, httpFailure } from "../../models/call.ts";
import { bearer, type Protocol, withPath } from "./protocol.ts";

export const anthropic: Protocol = {
  url: (base) => `${withPath(base, "/v1")}/messages`,
  headers: (key, asBearer) => ({
    "anthropic-version": "2023-06-01",
    ...(asBearer ? bearer(key) : { "x-api-key": key ?? "" }),
  }),

  fold(events) {
    const error = events.find((event) => event["type"] === "error");
    if (error !== undefined) return failed(json(error["error"]));
    if (!events.some((event) => event["type"] === "message_stop")) return undefined;
    const started = json(events.find((event) => event["type"] === "message_start")?.["message"]);
    const last = json(events.findLast((event) => event["type"] === "message_delta"));
    const stop = json(last["delta"])["stop_reason"];
    const blocks = blocksOf(events);
    const calls = blocks
      .filter(({ start }) => start["type"] === "tool_use")
      .map(({ start, written }) => ({
        id: text(start["id"]),
        tool: text(start["name"]),
        input: jsonLine(written) ?? json(start["input"]),
      }));
    if (stop === "refusal") return failure("filtered", "the provider's own filter stopped the reply");
    if (stop === "max_tokens" && calls.length === 0)
      return failure("cut_answer", "the reply reached its token limit before the turn had ended");
    const usage = anthropicUsage({ ...json(started["usage"]), ...counted(json(last["usage"])) });
    return {
      text: blocks.map(({ start, spoken }) => (start["type"] === "text" ? text(start["text"]) + spoken : "")).join(""),
      calls,
      items: [],
      model: text(started["model"]) || undefined,
      usage,
    };
  },
};

function blocksOf(events: Json[]): { start: Json; spoken: string; written: string }[] {
  const starts = events.filter((event) => event["type"] === "content_block_start");
  return starts.map((start) => {
    const deltas = events
      .filter((event) => event["type"] === "content_block_delta" && event["index"] === start["index"])
      .map((event) => json(event["delta"]));
    const joined = (field: string) => deltas.map((delta) => text(delta[field])).join("");
    return { start: json(start["content_block"]), spoken: joined("text"), written: joined("partial_json") };
  });
}

/** The last event repeats some counts of the first, sometimes as null. */
function counted(usage: Json): Json {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => number(value) !== undefined));
}

const STATUS: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  overloaded_error: 529,
};

function failed(error: Json) {
  return httpFailure(STATUS[text(error["type"])] ?? 500, text(error["message"]), {});
}
