import { addUsage, type EndEvent, type TrialError, type TrialEvent, type Usage } from "../../model/index.ts";
import type { EventReader } from "../adapter.ts";
import { apiError, crashed, cutShort, failedEnd, filtered } from "../reading/errors.ts";
import { type Json, json, number, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { reachBy, ToolCalls } from "../reading/tool-calls.ts";

const cli = { id: "opencode", keys: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] };

/** Reads `run --format json`. Tools are reported once they have finished, and nothing but the exit marks the end. */
export function reader(staged: StagedSkills): EventReader {
  return new OpencodeReader(staged);
}

const LONG_MS = 15_000;

class OpencodeReader implements EventReader {
  #calls: ToolCalls;
  #turn = 0;
  #last: string | undefined;
  #trouble: TrialError | undefined;
  #vain = 0;
  #failure: TrialError | undefined;
  #usage: Usage | undefined;
  #cost = 0;

  constructor(staged: StagedSkills) {
    this.#calls = new ToolCalls(staged);
  }

  read(event: Json): TrialEvent[] {
    const part = json(event["part"]);
    switch (event["type"]) {
      case "step_start":
        this.#turn++;
        return [];
      case "text":
        this.#vain = 0;
        return [{ type: "text", turn: this.#now(), text: text(part["text"]) }];
      case "tool_use":
        this.#vain = 0;
        return toolEvents(this.#calls, part, { turn: this.#now() });
      case "step_finish":
        this.#last = text(part["reason"]);
        this.#spend(json(part["tokens"]), number(part["cost"]) ?? 0);
        // It asks again at once, forever, if an answer has neither text nor an end.
        if (this.#last === "unknown") this.#fail(apiError(cli, undefined, "an empty or malformed stream"));
        return [];
      case "retry":
        // Sent by our plugin. OpenCode's own five retries take a minute or more.
        this.#fail(apiError(cli, undefined, text(event["message"])));
        // A long wait requested by the provider counts as a second failure.
        if ((number(event["waitMs"]) ?? 0) > LONG_MS) this.#vain++;
        return [];
      case "error": {
        const failure = json(event["error"]);
        const data = json(failure["data"]);
        this.#failure = apiError(cli, number(data["statusCode"]), text(data["message"]) || text(failure["name"]));
        return [];
      }
      default:
        return [];
    }
  }

  enough(): boolean {
    return this.#vain > 1;
  }

  end(exit: Parameters<EventReader["end"]>[0]): { events: TrialEvent[]; end: EndEvent } {
    const events = this.#calls.end();
    const spent =
      this.#last === undefined ? {} : { usage: this.#usage, costUsd: this.#cost > 0 ? this.#cost : undefined };
    const failure =
      this.#failure ??
      (this.#last === undefined || exit.code !== 0
        ? (this.#trouble ?? retried(exit.stderr) ?? crashed(cli, exit))
        : this.#unfinished());
    return {
      events,
      end: failure === undefined ? { type: "end", how: "completed", ...spent } : { ...failedEnd(failure), ...spent },
    };
  }

  /** It exits with 0 after an unreadable answer, and after a permission request that no user could answer. */
  #unfinished(): TrialError | undefined {
    if (this.#vain > 0) return this.#trouble;
    if (this.#last === "content-filter") return filtered("");
    if (this.#last === "length") return cutShort();
    // The endpoint answered with something other than a model's text.
    if (this.#last === "unknown" || this.#last === "error")
      return apiError(cli, undefined, `empty or malformed answer (${this.#last})`);
    if (this.#last !== "tool-calls") return undefined;
    return {
      reason: "denied",
      message: "opencode ended the session because a tool needed a permission that nobody was there to give",
      retryable: false,
    };
  }

  #fail(trouble: TrialError): void {
    this.#trouble = trouble;
    this.#vain++;
  }

  #spend(tokens: Json, cost: number): void {
    this.#usage = addUsage(this.#usage, usageOf(tokens));
    this.#cost += cost;
  }

  #now(): number {
    return Math.max(1, this.#turn);
  }
}

/** OpenCode counts cached tokens separately; our input tokens include them. */
export function usageOf(tokens: Json): Usage {
  const cache = json(tokens["cache"]);
  const [read, written] = [number(cache["read"]) ?? 0, number(cache["write"]) ?? 0];
  return {
    inputTokens: (number(tokens["input"]) ?? 0) + read + written,
    outputTokens: number(tokens["output"]) ?? 0,
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
}

/** It retries forever without reporting it on stdout; its log on stderr has the reason. */
function retried(stderr: string): TrialError | undefined {
  const message = [...stderr.matchAll(/AI_APICallError: ([^"\n]*)/g)].at(-1)?.[1];
  return message === undefined ? undefined : apiError(cli, undefined, message);
}

export function toolEvents(
  calls: ToolCalls,
  part: Json,
  { turn, agent }: { turn: number; agent?: string | undefined },
): TrialEvent[] {
  const state = json(part["state"]);
  const tool = text(part["tool"]);
  const input = json(state["input"]);
  const id = text(part["callID"]);
  const ok = state["status"] === "completed" && (number(json(state["metadata"])["exit"]) ?? 0) === 0;
  return [
    ...calls.call({ turn, id, tool, input, agent, reach: reach(tool, input) }),
    ...calls.result(id, { ok, output: text(state["output"]) || text(state["error"]) }),
  ];
}

export const reach = reachBy({
  skill: ["skill", "name"],
  read: ["read", "filePath"],
  shell: ["bash", "command"],
  search: ["grep"],
});
