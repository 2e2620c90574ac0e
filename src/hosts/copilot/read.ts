import type { EndEvent, TrialError, TrialEvent } from "../../model/index.ts";
import type { EventReader } from "../adapter.ts";
import { apiError, crashed, failedEnd, filtered } from "../reading/errors.ts";
import { type Json, json, number, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { reachBy, ToolCalls } from "../reading/tool-calls.ts";

const cli = { id: "copilot", keys: ["COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"] };

const FILTERED = "The model returned no content because the response was blocked by content filtering.";

export function reader(staged: StagedSkills): EventReader {
  return new CopilotReader(staged);
}

class CopilotReader implements EventReader {
  #calls: ToolCalls;
  #turn = 0;
  #model: string | undefined;
  #failure: TrialError | undefined;
  #trouble: TrialError | undefined;
  #result: Json | undefined;
  #vain = 0;

  constructor(staged: StagedSkills) {
    this.#calls = new ToolCalls(staged);
  }

  read(event: Json): TrialEvent[] {
    const data = json(event["data"]);
    const agent = text(event["agentId"]) || undefined;
    // A sub-agent may continue while the main agent takes further turns.
    const turn = this.#calls.turnOf(text(data["parentToolCallId"])) ?? Math.max(1, this.#turn);
    switch (event["type"]) {
      case "assistant.turn_start":
        if (agent === undefined) this.#turn++;
        return [];
      case "assistant.message": {
        this.#vain = 0;
        if (agent === undefined) this.#model = text(data["model"]) || this.#model;
        const words = text(data["content"]);
        if (words === FILTERED) this.#failure = filtered("");
        return words === "" ? [] : [{ type: "text", turn, text: words, agent }];
      }
      case "tool.execution_start": {
        const tool = text(data["toolName"]);
        const input = json(data["arguments"]);
        return this.#calls.call({
          turn,
          id: text(data["toolCallId"]),
          tool,
          input,
          agent,
          reach: reach(tool, input),
        });
      }
      case "tool.execution_complete": {
        const exitCode = number(json(data["shellExecution"])["exitCode"]);
        const ok = data["success"] === true && (exitCode === undefined || exitCode === 0);
        const { code, message } = json(data["error"]);
        if (code === "denied") this.#calls.forbid(text(data["toolCallId"]), text(message));
        return this.#calls.result(text(data["toolCallId"]), {
          ok,
          output: text(json(data["result"])["content"]) || text(message),
        });
      }
      case "model.call_failure":
        this.#trouble = apiError(cli, number(data["statusCode"]), text(data["errorMessage"]));
        this.#vain++;
        return [];
      case "session.error":
        this.#failure = apiError(
          cli,
          number(data["statusCode"]) ?? (data["errorType"] === "authentication" ? 401 : undefined),
          text(data["message"]),
        );
        return [];
      case "result":
        this.#result = event;
        return [];
      default:
        return [];
    }
  }

  /** Its retries cannot be switched off and can take minutes. */
  enough(): boolean {
    return this.#vain > 1;
  }

  end(exit: Parameters<EventReader["end"]>[0]): ReturnType<EventReader["end"]> {
    const events = this.#calls.end();
    const model = this.#model === undefined ? {} : { model: this.#model };
    // It reports success even when we stopped it.
    const ended =
      exit.stopped === undefined && this.#result !== undefined && this.#result["exitCode"] === 0 && this.#turn > 0;
    const failure = this.#failure ?? (ended ? undefined : (this.#trouble ?? crashed(cli, exit)));
    const end: EndEvent = failure === undefined ? { type: "end", how: "completed" } : failedEnd(failure);
    return { events, end: { ...end, ...model }, keptFrom: this.#calls.keptFrom() };
  }
}

export const reach = reachBy({
  skill: ["skill", "skill"],
  read: ["view", "path"],
  shell: ["bash", "command"],
  search: ["grep", "rg"],
});
