import type { EndEvent, TrialError, TrialEvent, Usage } from "../../model/index.ts";
import type { EventReader } from "../adapter.ts";
import { apiError, crashed, failedEnd } from "../reading/errors.ts";
import { type Json, json, number, text } from "../reading/json.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";

const cli = { id: "codex", keys: ["CODEX_API_KEY", "OPENAI_API_KEY"] };

/**
 * Reads `codex exec --json`. There is no skill event: the model uses a skill by reading its SKILL.md with a command.
 */
export function reader(staged: StagedSkills): EventReader {
  return new CodexReader(staged);
}

const ENOUGH = 3;
const WAITS = /waiting for network/i;

class CodexReader implements EventReader {
  #calls: ToolCalls;
  #turn = 0;
  #modelSpeaks = false;
  #completed: Json | undefined;
  #failure: TrialError | undefined;
  #trouble: TrialError | undefined;
  #blocked: TrialError | undefined;
  #vain = 0;

  constructor(staged: StagedSkills) {
    this.#calls = new ToolCalls(staged);
  }

  read(event: Json): TrialEvent[] {
    switch (event["type"]) {
      case "item.started":
      case "item.completed":
        return this.#item(json(event["item"]), event["type"] === "item.completed");
      case "turn.completed":
        this.#completed = event;
        return [];
      case "turn.failed":
        this.#failure = apiError(cli, undefined, text(json(event["error"])["message"]));
        return [];
      case "error":
        // Retries are announced this way too, so this is not yet the end.
        this.#trouble = apiError(cli, undefined, text(event["message"]));
        this.#vain += WAITS.test(text(event["message"])) || this.#trouble.reason === "rate_limit" ? ENOUGH : 1;
        return [];
      default:
        return [];
    }
  }

  /** Codex retries forever if nothing answers, at intervals set by the provider. */
  enough(): boolean {
    return this.#vain >= ENOUGH;
  }

  end(exit: Parameters<EventReader["end"]>[0]): { events: TrialEvent[]; end: EndEvent } {
    const events = this.#calls.end();
    const failure =
      this.#failure ?? (this.#completed === undefined ? (this.#trouble ?? crashed(cli, exit)) : this.#blocked);
    const usage = usageOf(json(this.#completed?.["usage"]));
    const end: EndEvent = failure === undefined ? { type: "end", how: "completed" } : failedEnd(failure);
    return { events, end: { ...end, usage } };
  }

  #item(item: Json, completed: boolean): TrialEvent[] {
    const id = text(item["id"]);
    if (item["type"] !== "error") this.#vain = 0;
    switch (item["type"]) {
      case "reasoning":
        this.#speak();
        return [];
      case "agent_message":
        this.#speak();
        return [{ type: "text", turn: this.#turn, text: text(item["text"]) }];
      case "command_execution": {
        if (!this.#calls.isOpen(id)) this.#speak();
        const command = text(item["command"]);
        const call = this.#calls.call({
          turn: this.#turn,
          id,
          tool: "shell",
          input: { command },
          reach: { way: "shell", command },
        });
        if (!completed) return call;
        this.#modelSpeaks = false;
        const [ok, output] = [item["exit_code"] === 0, text(item["aggregated_output"])];
        if (!ok) this.#blocked ??= blocked(output);
        return [...call, ...this.#calls.result(id, { ok, output })];
      }
      default:
        return [];
    }
  }

  #speak(): void {
    if (!this.#modelSpeaks) this.#turn++;
    this.#modelSpeaks = true;
  }
}

/** If Codex's own sandbox cannot start, no command runs, so the model cannot read any skill. */
function blocked(output: string): TrialError | undefined {
  const said = /^bwrap: .*/.exec(output)?.[0];
  if (said === undefined) return undefined;
  const message = `codex could not run a command: its own sandbox does not work on this machine (${said}). Allow user namespaces, or pass --no-sandbox.`;
  return { reason: "blocked", message, retryable: false };
}

export function usageOf(usage: Json): Usage | undefined {
  const input = number(usage["input_tokens"]);
  if (input === undefined) return undefined;
  const read = number(usage["cached_input_tokens"]);
  const output = number(usage["output_tokens"]);
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: read,
  };
}
