import { addUsage, type TrialEvent, type Usage } from "../../model/index.ts";
import type { AgentAdapter, SessionFile, ShownSkills } from "../adapter.ts";
import { type Json, json, jsonLine, jsonLines, list, strings, text } from "../reading/json.ts";
import { onTurn } from "../reading/merge-events.ts";
import type { StagedSkills } from "../reading/staged-skills.ts";
import { ToolCalls } from "../reading/tool-calls.ts";
import { usageOf } from "./read.ts";

/**
 * The rollout file is the ground truth: stdout omits commands that the sandbox blocked, working directories and turn
 * boundaries.
 */
export const session: AgentAdapter["session"] = {
  files: ["codex/sessions/**/rollout-*.jsonl"],
  replaces: true,
  read(files, staged) {
    const rollouts = files.map((file): Rollout => ({ lines: jsonLines(file.text), file }));
    const main = rollouts.find(({ lines }) => !isSubAgent(lines)) ?? rollouts[0];
    if (main === undefined) return {};
    const events = merged(rollouts, main, staged);
    const listing = shown(
      main.lines.map((line) => line["payload"]),
      staged,
    );
    const agentsUsage = rollouts.reduce<Usage | undefined>(
      (sum, one) => (one === main ? sum : addUsage(sum, spentIn(one))),
      undefined,
    );
    return { events, agentsUsage, listing: listing.entries.length > 0 ? listing.listing : undefined };
  },
};

interface Rollout {
  lines: Json[];
  file: SessionFile;
}

function spentIn({ lines }: Rollout): Usage | undefined {
  const last = lines.findLast(
    (line) =>
      json(line["payload"])["type"] === "token_count" && json(json(line["payload"])["info"])["total_token_usage"],
  );
  return last && usageOf(json(json(json(last["payload"])["info"])["total_token_usage"]));
}

interface Timed {
  at: string;
  event: TrialEvent;
}

/** Events of all agents by time. A sub-agent's events get the turn of the main agent's call they go back to. */
function merged(rollouts: Rollout[], main: Rollout, staged: StagedSkills): TrialEvent[] {
  const own = rolloutEvents(main.lines, staged);
  const turnAt = (at: string) =>
    own.reduce(
      (turn, { at: then, event }) => (event.type === "call" && then <= at ? Math.max(turn, event.turn) : turn),
      1,
    );
  const turnOf = (rollout: Rollout): number => {
    const { parent_thread_id: above } = metaOf(rollout.lines);
    const parent = rollouts.find((other) => other !== main && other !== rollout && metaOf(other.lines)["id"] === above);
    return parent === undefined ? turnAt(text(rollout.lines[0]?.["timestamp"])) : turnOf(parent);
  };
  const subs = rollouts
    .filter((rollout) => rollout !== main)
    .flatMap((rollout) => {
      const turn = turnOf(rollout);
      return rolloutEvents(rollout.lines, staged, agentName(rollout.file)).map(({ at, event }) => ({
        at,
        event: onTurn(event, turn),
      }));
    });
  return [...own, ...subs].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ event }) => event);
}

export const LISTING_FORM = /^<skills_instructions>\n## Skills[\s\S]*$/;

export function eventsOf(items: readonly unknown[], staged: StagedSkills): TrialEvent[] {
  const lines = items.map((payload): Json => ({ type: "response_item", payload }));
  return rolloutEvents(lines, staged).map(({ event }) => event);
}

/** Accepts a request's body too, which has the same developer message. */
export function shown(request: unknown, staged: StagedSkills): ShownSkills {
  const block =
    [...strings(json(request)["input"] ?? request)].find((words) => words.startsWith("<skills_instructions>")) ?? "";
  const roots = new Map(
    [...block.matchAll(/^- `(\w+)` = `(.+)`$/gm)].map(([, name = "", folder = ""]) => [name, folder]),
  );
  const entries = [...block.matchAll(/^- (.+?): (.*?) ?\(file: ([^)]+)\)$/gm)].map(
    ([, name = "", text, file = ""]) => ({
      name,
      text: text || undefined,
      file: expanded(file, roots),
    }),
  );
  const listing = staged.listing((skill) => entries.find((entry) => staged.byFile(entry.file) === skill));
  return { entries: entries.map(({ name, text }) => ({ name, text })), listing, characters: block.length };
}

function expanded(file: string, roots: Map<string, string>): string {
  const [root = "", ...rest] = file.split("/");
  return roots.has(root) ? [roots.get(root), ...rest].join("/") : file;
}

function metaOf(lines: Json[]): Json {
  return json(lines.find((line) => line["type"] === "session_meta")?.["payload"]);
}

function isSubAgent(lines: Json[]): boolean {
  const meta = metaOf(lines);
  return JSON.stringify(meta["source"] ?? "").includes("subagent") || meta["parent_thread_id"] !== undefined;
}

function agentName(file: SessionFile): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(file.path)?.[1] ?? "sub-agent";
}

function toldAt(event: TrialEvent, timestamp: string): TrialEvent {
  const at = Date.parse(timestamp);
  const isTimed = event.type === "text" || event.type === "call" || event.type === "result";
  return isTimed && !Number.isNaN(at) ? { ...event, at } : event;
}

const MODEL_ITEMS = new Set(["reasoning", "function_call", "custom_tool_call"]);

function rolloutEvents(lines: Json[], staged: StagedSkills, agent?: string): Timed[] {
  const calls = new ToolCalls(staged);
  const events: Timed[] = [];
  const common = agent === undefined ? {} : { agent };
  let turn = 0;
  let modelSpeaks = false;
  let at = "";
  const push = (told: TrialEvent[]) => events.push(...told.map((event) => ({ at, event: toldAt(event, at) })));
  for (const line of lines) {
    at = text(line["timestamp"]) || at;
    const payload = json(line["payload"]);
    const type = text(payload["type"]);
    if (line["type"] === "response_item") {
      const byModel = MODEL_ITEMS.has(type) || (type === "message" && payload["role"] === "assistant");
      if (byModel && !modelSpeaks) turn++;
      modelSpeaks = byModel;
      push(responseItem(payload, type));
    } else if (type === "item_completed" && json(payload["item"])["type"] === "CommandExecution") {
      push(execution(json(payload["item"])));
    }
  }
  push(calls.end());
  return events;

  function responseItem(payload: Json, type: string): TrialEvent[] {
    const id = text(payload["call_id"]);
    const tool = text(payload["name"]);
    switch (type) {
      case "message":
        if (payload["role"] === "user") return selected(payload);
        if (payload["role"] !== "assistant") return [];
        return list(payload["content"]).map((part) => ({ type: "text", turn, text: text(part["text"]), ...common }));
      case "function_call": {
        const input = jsonLine(text(payload["arguments"])) ?? {};
        const words = input["cmd"] ?? input["command"];
        const command = Array.isArray(words) ? words.at(-1) : words;
        return calls.call({
          turn,
          id,
          tool,
          input,
          ...common,
          reach: { way: "shell", command, ...cwdOf(input["workdir"]) },
        });
      }
      case "custom_tool_call": {
        const code = text(payload["input"]);
        return calls.call({
          turn,
          id,
          tool,
          input: { code },
          ...common,
          reach: { way: "shell", command: commandsIn(code).join("\n"), ...cwdOf(valueIn(code, "workdir")[0]) },
        });
      }
      case "function_call_output":
      case "custom_tool_call_output": {
        const output = [...strings(payload["output"])].join("\n");
        return calls.result(id, {
          ok: !/^Process exited with code [1-9]/m.test(output) && !/^Script (failed|error)/m.test(output),
          output,
        });
      }
      default:
        return [];
    }
  }

  /** Codex itself loads a skill that the prompt names as `$name`. */
  function selected(payload: Json): TrialEvent[] {
    return [...strings(payload["content"])].flatMap((words) => {
      const skill = staged.byFile(/^<skill>\n<name>.*<\/name>\n<path>(.+)<\/path>\n/.exec(words)?.[1]);
      return skill === undefined
        ? []
        : [{ type: "activation", skill: skill.id, turn: Math.max(1, turn), evidence: "loaded", ...common } as const];
    });
  }

  /** What a command of the model's script really did. It overrules what the script's text suggests. */
  function execution(item: Json): TrialEvent[] {
    const id = text(item["id"]);
    if (calls.isOpen(id)) return [];
    calls.overrule();
    const command = Array.isArray(item["command"]) ? item["command"].map(String) : [];
    const [, , script] = command;
    const words = command.length === 3 && script !== undefined ? script : command.join(" ");
    return [
      ...calls.call({
        turn,
        id,
        tool: "exec_command",
        input: { command: words },
        ...common,
        reach: { way: "shell", command: words, ...cwdOf(item["cwd"]) },
      }),
      ...calls.result(id, { ok: item["exit_code"] === 0, output: text(item["aggregated_output"]) }),
    ];
  }
}

function cwdOf(value: unknown): { cwd?: string } {
  return typeof value === "string" && value !== "" ? { cwd: value.replace(/^file:\/\//, "") } : {};
}

function commandsIn(code: string): string[] {
  return valueIn(code, "cmd");
}

function valueIn(code: string, property: string): string[] {
  const literals = code.matchAll(
    new RegExp(
      `\\b${property}["']?\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)`,
      "g",
    ),
  );
  return [...literals].map(([, literal = ""]) =>
    literal.slice(1, -1).replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char)),
  );
}
