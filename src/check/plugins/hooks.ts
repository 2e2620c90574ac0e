import { join } from "node:path";
import { didYouMean, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { type JsonValue, readJson } from "./json-file.ts";
import { isForCodex } from "./plugin-manifest.ts";
import { type PluginFolder, type PluginScene, pluginName } from "./plugin-scene.ts";

export const hookRules = {
  "plugin/hooks": { severity: "warning", title: "A hook is ignored" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(hookRules);

export function lintHooks(plugin: PluginFolder, scene: PluginScene): Problem[] {
  const path = join(plugin.home, "hooks", "hooks.json");
  const field = plugin.claude?.root.get("hooks");
  const fields = field === undefined ? [] : [field, ...field.items()];
  const named = fields.flatMap(({ value }) => (typeof value === "string" ? [join(plugin.home, value)] : []));
  const files = [...new Set([path, ...named])].filter((file) => file.endsWith(".json") && scene.files.has(file));
  const problems = [
    ...files.flatMap(lintHooksFile),
    ...fields.filter(({ isObject }) => isObject).flatMap((hooks) => lintEvents(hooks)),
  ];
  if (files.includes(path) && plugin.claude !== undefined && isForCodex(plugin, scene))
    problems.push(
      problem("plugin/hooks", {
        message: `${pluginName(plugin)} is for Claude Code and for Codex, and both pick up hooks/hooks.json on their own, but expect different things in it.`,
        fix: "Name the hooks in `hooks` of .claude-plugin/plugin.json, in a file of another name.",
        location: { file: path, line: 1, column: 1 },
      }),
    );
  return problems;
}

/** In a marketplace entry, Claude Code does not tolerate an unknown event. */
export function lintEntryHooks(entry: JsonValue): Problem[] {
  const hooks = entry.get("hooks");
  return hooks?.isObject ? lintEvents(hooks, "Claude Code refuses the marketplace.") : [];
}

function lintHooksFile(file: string): Problem[] {
  const read = readJson(file);
  const say = (message: string, location: Problem["location"]) => [
    problem("plugin/hooks", {
      severity: "error",
      message,
      fix: 'Write { "hooks": { "PreToolUse": [ … ] } }.',
      location,
    }),
  ];
  if ("fault" in read)
    return [
      problem("plugin/hooks", {
        severity: "error",
        message: `The file cannot be read: ${read.fault}. Claude Code does not load the plugin.`,
        fix: "Correct the JSON.",
        location: read.at,
      }),
    ];
  const hooks = read.root.get("hooks");
  if (!read.root.isObject) return say("A file of hooks must be an object. Claude Code refuses it.", read.root.at);
  if (hooks === undefined)
    return read.root.get("modules") !== undefined
      ? []
      : say('This file has no "hooks", and Claude Code refuses it.', read.root.at);
  return hooks.isObject
    ? lintEvents(hooks)
    : say("hooks must be an object of events. Claude Code refuses the file.", hooks.at);
}

// biome-ignore format: a list of words
const EVENTS = [
  "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd", "Stop",
  "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied", "Setup",
  "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged",
  "FileChanged", "DirectoryAdded", "MessageDisplay",
];
const TYPES = ["command", "prompt", "agent", "http", "mcp_tool"];
/** Hooks may guard permissions, so Claude Code applies none of a file's hooks if it cannot load one. */
const GUARDS = ["PreToolUse", "PermissionRequest"];

function lintEvents(hooks: JsonValue, refusal?: string): Problem[] {
  return hooks.entries().flatMap(({ key, at, value }): Problem[] => {
    if (EVENTS.includes(key)) return lintEvent(key, value);
    const inner = value.entries().map((entry) => entry.key);
    const wrapped = inner.some((event) => EVENTS.includes(event));
    return [
      problem("plugin/hooks", {
        severity: wrapped || refusal !== undefined ? "error" : "warning",
        message: wrapped
          ? `"${key}" is no event, and the hooks in it are not loaded: a manifest holds the events themselves.`
          : `Claude Code has no event "${key}"${refusal === undefined ? " and ignores its hooks" : ""}.${refusal === undefined ? "" : ` ${refusal}`}`,
        fix: wrapped
          ? `Write "hooks": { "${inner[0]}": … }.`
          : didYouMean(
              key,
              EVENTS,
              `Common events are ${EVENTS.slice(0, 2).join(", ")}, UserPromptSubmit, SessionStart and Stop.`,
              {
                most: 1,
              },
            ),
        location: at,
      }),
    ];
  });
}

function lintEvent(event: string, value: JsonValue): Problem[] {
  const guards = GUARDS.includes(event);
  const effect = guards ? "Claude Code then applies none of the hooks beside it" : "Claude Code ignores it";
  const say = (message: string, fix: string, { at }: JsonValue) =>
    problem("plugin/hooks", {
      severity: guards ? "error" : "warning",
      message: `${message}. ${effect}.`,
      fix,
      location: at,
    });
  if (!Array.isArray(value.value))
    return [say(`The hooks of ${event} must be a list`, 'Write [{ "matcher": …, "hooks": [ … ] }].', value)];
  return value.items().flatMap((entry) => {
    const [matcher, list] = [entry.get("matcher"), entry.get("hooks")];
    if (list === undefined || !Array.isArray(list.value))
      return [
        say(
          `This entry of ${event} has no list \`hooks\``,
          'Write { "matcher": …, "hooks": [{ "type": "command", "command": … }] }.',
          entry,
        ),
      ];
    if (matcher !== undefined && typeof matcher.value !== "string")
      return [
        say(
          `The matcher of this entry of ${event} must be a string`,
          'Write a pattern for tools\' names, such as "Bash|Edit".',
          matcher,
        ),
      ];
    return list.items().flatMap((hook) => lintHook(event, hook, say));
  });
}

const NEEDS: Record<string, string[]> = {
  command: ["command"],
  prompt: ["prompt"],
  agent: ["prompt"],
  http: ["url"],
  mcp_tool: ["server", "tool"],
};

function lintHook(
  event: string,
  hook: JsonValue,
  say: (message: string, fix: string, at: JsonValue) => Problem,
): Problem[] {
  const type = hook.get("type");
  const kind = String(type?.value ?? "");
  if (!TYPES.includes(kind))
    return [
      say(
        `A hook of ${event} has ${type === undefined ? "no type" : `the type ${JSON.stringify(type.value)}`}`,
        didYouMean(kind, TYPES, `The types are ${TYPES.join(", ")}.`, { most: 1 }),
        type ?? hook,
      ),
    ];
  for (const key of NEEDS[kind] ?? []) {
    const value = hook.get(key);
    if (value === undefined) return [say(`A hook of ${event} has no ${key}`, `Add \`${key}\`.`, hook)];
    if (typeof value.value !== "string")
      return [say(`The ${key} of a hook of ${event} must be a string`, "Write a string.", value)];
    if (key === "url" && !URL.canParse(value.value))
      return [say(`"${value.value}" is not a URL`, "Write a whole URL, such as https://example.com/hook.", value)];
  }
  for (const [key, wanted, fits] of TYPED) {
    const value = hook.get(key);
    if (value !== undefined && !fits(value.value))
      return [say(`The ${key} of a hook of ${event} must be ${wanted}`, `Write ${wanted}.`, value)];
  }
  return unquotedRoot(hook);
}

const TYPED: [key: string, wanted: string, fits: (value: unknown) => boolean][] = [
  ["timeout", "a number of seconds above 0", (value) => typeof value === "number" && value > 0],
  ["args", "a list of strings", (value) => Array.isArray(value) && value.every((one) => typeof one === "string")],
  ["async", "true or false", (value) => typeof value === "boolean"],
];

function unquotedRoot(hook: JsonValue): Problem[] {
  const command = hook.get("command");
  if (typeof command?.value !== "string" || hook.get("args") !== undefined) return [];
  const bare = command.value.replaceAll(/"[^"]*"|'[^']*'/g, "");
  if (!/\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT\b)/.test(bare)) return [];
  return [
    problem("plugin/hooks", {
      message:
        "The command uses CLAUDE_PLUGIN_ROOT without quotes: it fails where the path of the plugin's folder contains a space.",
      fix: 'Put the path in double quotes (\\" in JSON).',
      location: command.at,
    }),
  ];
}
