import { addUsage, type EndEvent, type TrialError, type TrialEvent, type Usage } from "../../model/index.ts";
import type { EventReader } from "../adapter.ts";
import { apiError, crashed, type ErrorSource, failedEnd, notAsked } from "./errors.ts";
import { type Json, json, list, number, text } from "./json.ts";
import type { StagedSkills } from "./staged-skills.ts";
import { type Reach, ToolCalls } from "./tool-calls.ts";

interface Dialect {
  cli: ErrorSource;
  reach(tool: string, input: Json): Reach;
  /** True if all blocks of a response carry its id. Otherwise a turn begins when the model speaks after a result. */
  sharedIds: boolean;
  errorWords?: string;
}

export class StreamJsonReader implements EventReader {
  #staged: StagedSkills;
  #dialect: Dialect;
  #calls: ToolCalls;
  #messages = new Set<string>();
  #modelSpeaks = false;
  #model: string | undefined;
  #trouble: TrialError | undefined;
  #result: Json | undefined;
  /** Usage of all models since the process began; it may include earlier messages of the session. */
  #spent: Pick<EndEvent, "usage" | "costUsd"> | undefined;

  constructor(staged: StagedSkills, dialect: Dialect) {
    this.#staged = staged;
    this.#dialect = dialect;
    this.#calls = new ToolCalls(staged);
  }

  read(event: Json): TrialEvent[] {
    switch (event["type"]) {
      case "system":
        if (event["subtype"] === "init") this.#model = text(event["model"]);
        if (event["subtype"] === "api_retry")
          this.#trouble = apiError(this.#dialect.cli, number(event["error_status"]), text(event["error"]));
        if (event["subtype"] === "permission_denied")
          this.#calls.forbid(text(event["tool_use_id"]), text(event["message"]));
        return [];
      case "assistant":
        return this.#assistant(event);
      case "user":
        return this.#user(event);
      case "result":
        // A background sub-agent can cause a second result; the last one counts.
        this.#result = event;
        if (event["model_usage_since_last_result"] !== undefined)
          this.#spend(json(event["model_usage_since_last_result"]));
        return [];
      default:
        return [];
    }
  }

  end(exit: Parameters<EventReader["end"]>[0]): ReturnType<EventReader["end"]> {
    for (const call of list(this.#result?.["permission_denials"])) this.#calls.forbid(text(call["tool_use_id"]), "");
    return { ...this.#ended(exit), keptFrom: this.#calls.keptFrom() };
  }

  #ended(exit: Parameters<EventReader["end"]>[0]): { events: TrialEvent[]; end: EndEvent } {
    const result = this.#result;
    const events = this.#calls.end();
    if (result === undefined) return { events, end: failedEnd(this.#trouble ?? crashed(this.#dialect.cli, exit)) };
    const { usage, costUsd } = this.#spent ?? {
      usage: usageOfModels(json(result["modelUsage"])) ?? anthropicUsage(json(result["usage"])),
      costUsd: number(result["total_cost_usd"]),
    };
    // A model without a price makes the sum unknown.
    const common = { usage, costUsd: Number.isNaN(costUsd) ? undefined : costUsd, model: this.#model };
    if (result["subtype"] === "error_max_turns") return { events, end: { type: "end", how: "max_turns", ...common } };
    if (result["terminal_reason"] === "hook_stopped")
      return { events, end: { type: "end", how: "stopped", ...common } };
    // API errors come with the subtype `success`; only `is_error` is stable across versions.
    if (result["is_error"] === true || this.#saysError(result))
      return { events, end: { ...failedEnd(this.#failure(result)), ...common } };
    if (result["num_turns"] === 0)
      return { events, end: { ...failedEnd(notAsked(this.#dialect.cli, text(result["result"]))), ...common } };
    return { events, end: { type: "end", how: "completed", ...common } };
  }

  #spend(models: Json): void {
    const { usage, costUsd = 0 } = this.#spent ?? {};
    const costs = Object.values(models).map((model) => number(json(model)["costUSD"]) ?? Number.NaN);
    this.#spent = {
      usage: addUsage(usage, usageOfModels(models) ?? { inputTokens: 0, outputTokens: 0 }),
      costUsd: costs.reduce((sum, cost) => sum + cost, costUsd),
    };
  }

  #saysError(result: Json): boolean {
    const { errorWords } = this.#dialect;
    return errorWords !== undefined && text(result["result"]).startsWith(errorWords);
  }

  #failure(result: Json): TrialError {
    const errors = Array.isArray(result["errors"]) ? result["errors"].map(String).join("; ") : "";
    const message =
      text(result["result"]) || errors || text(json(result["error"])["message"]) || text(result["subtype"]);
    const failure = apiError(this.#dialect.cli, number(result["api_error_status"]), message);
    if (failure.reason !== "unknown") return failure;
    if (this.#trouble !== undefined && this.#trouble.reason !== "unknown") return this.#trouble;
    return this.#trouble === undefined && result["num_turns"] === 0 ? notAsked(this.#dialect.cli, message) : failure;
  }

  #assistant(event: Json): TrialEvent[] {
    const message = json(event["message"]);
    const agent = text(event["parent_tool_use_id"]) || undefined;
    // API errors are reported as messages of a model called <synthetic>.
    if (message["model"] === "<synthetic>") return [];
    if (agent === undefined) this.#begin(text(message["id"]));
    // A sub-agent may continue while the main agent takes further turns.
    const turn = (agent === undefined ? undefined : this.#calls.turnOf(agent)) ?? Math.max(1, this.#messages.size);
    return list(message["content"]).flatMap((block): TrialEvent[] => {
      if (block["type"] === "text") return [{ type: "text", turn, text: text(block["text"]), agent }];
      if (block["type"] !== "tool_use") return [];
      const tool = text(block["name"]);
      const input = json(block["input"]);
      return this.#calls.call({
        turn,
        id: text(block["id"]),
        tool,
        input,
        agent,
        reach: this.#dialect.reach(tool, input),
      });
    });
  }

  #begin(id: string): void {
    if (this.#dialect.sharedIds || !this.#modelSpeaks) this.#messages.add(id);
    this.#modelSpeaks = true;
  }

  #user(event: Json): TrialEvent[] {
    if (!text(event["parent_tool_use_id"])) this.#modelSpeaks = false;
    // The name to which the host itself resolved the call.
    const skill = this.#staged.byName(json(event["tool_use_result"])["commandName"]);
    return list(json(event["message"])["content"])
      .filter((block) => block["type"] === "tool_result")
      .flatMap((block) =>
        this.#calls.result(text(block["tool_use_id"]), {
          ok: block["is_error"] !== true,
          output: resultText(block["content"]),
          skill,
        }),
      );
  }
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part["text"]))
    .join("\n");
}

/** The result's own count leaves out sub-agents. */
function usageOfModels(models: Json): Usage | undefined {
  const counts = Object.values(models).map((model) => {
    const [input, read = 0, written = 0] = ["inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"].map(
      (name) => number(json(model)[name]),
    );
    const outputTokens = number(json(model)["outputTokens"]);
    return input === undefined
      ? undefined
      : { inputTokens: input + read + written, outputTokens, cacheReadTokens: read, cacheWriteTokens: written };
  });
  return counts.reduce<Usage | undefined>(addUsage, undefined);
}

export function anthropicUsage(usage: Json): Usage | undefined {
  const input = number(usage["input_tokens"]);
  if (input === undefined) return undefined;
  const read = number(usage["cache_read_input_tokens"]);
  const written = number(usage["cache_creation_input_tokens"]);
  const output = number(usage["output_tokens"]);
  return {
    // Anthropic counts cached tokens separately; our input tokens include them.
    inputTokens: input + (read ?? 0) + (written ?? 0),
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
}
