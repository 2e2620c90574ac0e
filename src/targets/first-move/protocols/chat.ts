import { type Json, json, jsonLine, list, number, text } from "../../../hosts/reading/index.ts";
import type { Usage } from "../../../model/index.ts";
import { failure, httpFailure } from "../../models/call.ts";
import { bearer, type ProposedCall, type Protocol, withPath } from "./protocol.ts";

export const chat: Protocol = {
  url: (base) => `${withPath(base, "/v1")}/chat/completions`,
  headers: bearer,

  fold(events) {
    const error = events.find((event) => event["error"] !== undefined && event["error"] !== null);
    if (error !== undefined) return httpFailure(500, text(json(error["error"])["message"]), {});
    const choices = events.flatMap((event) => list(event["choices"]).slice(0, 1));
    const finish = choices.map((choice) => text(choice["finish_reason"])).findLast((reason) => reason !== "");
    if (finish === undefined) return undefined;
    const deltas = choices.map((choice) => json(choice["delta"]));
    const calls = callsOf(deltas.flatMap((delta) => list(delta["tool_calls"])));
    if (finish === "content_filter") return failure("filtered", "the provider's own filter stopped the reply");
    if (finish === "length" && calls.length === 0)
      return failure("cut_answer", "the reply reached its token limit before the turn had ended");
    const model = text(events.find((event) => typeof event["model"] === "string")?.["model"]);
    const usage = usageOf(
      json(events.findLast((event) => json(event["usage"])["prompt_tokens"] !== undefined)?.["usage"]),
    );
    return {
      text: deltas.map((delta) => text(delta["content"])).join(""),
      calls,
      items: [],
      model: model || undefined,
      usage,
    };
  },
};

function callsOf(pieces: Json[]): ProposedCall[] {
  const indexes = [...new Set(pieces.map((piece) => piece["index"]))];
  return indexes.map((index) => {
    const same = pieces.filter((piece) => piece["index"] === index);
    const joined = (field: string) => same.map((piece) => text(json(piece["function"])[field])).join("");
    const id = text(same.find((piece) => text(piece["id"]) !== "")?.["id"]);
    return { id, tool: joined("name"), input: jsonLine(joined("arguments")) ?? {} };
  });
}

function usageOf(usage: Json): Usage | undefined {
  const input = number(usage["prompt_tokens"]);
  const output = number(usage["completion_tokens"]);
  const cached = number(json(usage["prompt_tokens_details"])["cached_tokens"]);
  if (input === undefined) return undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cached,
  };
}
