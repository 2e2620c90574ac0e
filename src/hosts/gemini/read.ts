import type { EndEvent, TrialError, TrialEvent, Usage } from "../../model/index.ts";
import type { EventReader } from "../adapter.ts";
import { apiError, crashed, failedEnd, loopDetected } from "../reading/errors.ts";
import { type Json, json, number, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { reachBy, ToolCalls } from "../reading/tool-calls.ts";

const cli = { id: "gemini", keys: ["GEMINI_API_KEY"] };

export function reader(staged: StagedSkills): EventReader {
  return new GeminiReader(staged);
}

class GeminiReader implements EventReader {
  #calls: ToolCalls;
  #turn = 0;
  #modelSpeaks = false;
  #model: string | undefined;
  #result: Json | undefined;
  #trouble = "";
  #loop = false;

  constructor(staged: StagedSkills) {
    this.#calls = new ToolCalls(staged);
  }

  read(event: Json): TrialEvent[] {
    switch (event["type"]) {
      case "init":
        this.#model = text(event["model"]) || undefined;
        return [];
      case "message":
        if (event["role"] !== "assistant") return [];
        this.#speak();
        return [{ type: "text", turn: this.#turn, text: text(event["content"]) }];
      case "tool_use": {
        this.#speak();
        const tool = text(event["tool_name"]);
        const input = json(event["parameters"]);
        return this.#calls.call({
          turn: this.#turn,
          id: text(event["tool_id"]),
          tool,
          input,
          reach: reach(tool, input),
        });
      }
      case "tool_result":
        this.#modelSpeaks = false;
        return this.#calls.result(text(event["tool_id"]), {
          ok: event["status"] === "success",
          output: text(event["output"]),
        });
      case "error":
        this.#trouble = text(event["message"]);
        if (/^loop detected/i.test(this.#trouble)) this.#loop = true;
        return [];
      case "result":
        this.#result = event;
        return [];
      default:
        return [];
    }
  }

  end(exit: Parameters<EventReader["end"]>[0]): { events: TrialEvent[]; end: EndEvent } {
    const events = this.#calls.end();
    const usage = usageOf(json(this.#result?.["stats"]));
    const common = { usage, model: this.#model };
    const failure = this.#failure(exit);
    return {
      events,
      end: failure === undefined ? { type: "end", how: "completed", ...common } : { ...failedEnd(failure), ...common },
    };
  }

  #failure(exit: Parameters<EventReader["end"]>[0]): TrialError | undefined {
    if (this.#loop) return loopDetected(cli);
    if (this.#result?.["status"] === "success") return undefined;
    if (this.#result !== undefined) {
      const failure = apiError(cli, undefined, text(json(this.#result["error"])["message"]) || this.#trouble);
      // Older versions end with "An unknown error occurred".
      return failure.reason === "unknown" ? (onStderr(exit.stderr) ?? failure) : failure;
    }
    const told = onStderr(exit.stderr);
    if (told !== undefined) return told;
    return exit.code === 41 ? apiError(cli, 401, "no login it accepts") : crashed(cli, exit);
  }

  #speak(): void {
    if (!this.#modelSpeaks) this.#turn++;
    this.#modelSpeaks = true;
  }
}

function onStderr(stderr: string): TrialError | undefined {
  const status = /(?:status|code)["']?:? ?([45]\d\d)/.exec(stderr)?.[1];
  if (status !== undefined) return apiError(cli, Number(status), "");
  const message = /^Error when talking to Gemini API .*?\.json (.+)$/m.exec(stderr)?.[1];
  return message === undefined ? undefined : apiError(cli, undefined, message);
}

export const reach = reachBy({
  skill: ["activate_skill", "name"],
  read: ["read_file", "file_path"],
  shell: ["run_shell_command", "command"],
  search: ["grep_search", "search_file_content", "read_many_files"],
});

function usageOf(stats: Json): Usage | undefined {
  const input = number(stats["input_tokens"]);
  if (input === undefined) return undefined;
  const output = number(stats["output_tokens"]);
  const cached = number(stats["cached"]);
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cached,
  };
}
