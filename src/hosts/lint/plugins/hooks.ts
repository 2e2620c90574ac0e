import { join } from "node:path";
import { didYouMean, type Problem } from "../../../base/index.ts";
import { problem } from "../problem.ts";
import { type JsonValue, readJsonFile } from "./json-file.ts";
import { type PluginFolder, type PluginScene, pluginName } from "./lint-plugins.ts";
import { isForCodex } from "./plugin-manifest.ts";

/** hooks/hooks.json, and hooks that the manifest itself holds: what Claude Code ignores at run time without a word. */
export function lintHooks(plugin: PluginFolder, scene: PluginScene): Problem[] {
  const path = join(plugin.home, "hooks", "hooks.json");
  const file = scene.files.has(path) ? readJsonFile(path) : undefined;
  const inline = plugin.claude?.root.get("hooks");
  const problems = typeof inline?.value === "object" && !Array.isArray(inline.value) ? lintEvents(inline.get("hooks") ?? inline) : [];
  if (file === undefined) return problems;
  const hooks = file.root.get("hooks");
  if (hooks === undefined)
    problems.push(
      problem("plugin/hooks", {
        message: 'hooks.json has no "hooks", so it does nothing.',
        fix: 'Write { "hooks": { "PreToolUse": [ … ] } }.',
        location: file.root.at,
      }),
    );
  else problems.push(...lintEvents(hooks));
  if (plugin.claude !== undefined && isForCodex(plugin, scene))
    problems.push(
      problem("plugin/hooks", {
        message: `${pluginName(plugin)} is for Claude Code and for Codex, and both pick up hooks/hooks.json on their own, but expect different things in it.`,
        fix: "Name the hooks in `hooks` of .claude-plugin/plugin.json, in a file of another name.",
        location: file.root.at,
      }),
    );
  return problems;
}

// biome-ignore format: a list of words
const EVENTS = [
  "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd", "Stop",
  "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch", "PermissionRequest", "PermissionDenied", "Setup",
  "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange", "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged",
  "FileChanged", "DirectoryAdded", "MessageDisplay",
];
const TYPES = ["command", "prompt", "agent", "http", "mcp_tool"];

function lintEvents(hooks: JsonValue): Problem[] {
  return hooks.entries().flatMap(({ key, at, value }): Problem[] => {
    if (!EVENTS.includes(key))
      return [
        problem("plugin/hooks", {
          message: `Claude Code has no event "${key}" and ignores its hooks.`,
          fix: didYouMean(key, EVENTS, `The events are ${EVENTS.join(", ")}.`, { most: 1 }),
          location: at,
        }),
      ];
    if (!Array.isArray(value.value))
      return [
        problem("plugin/hooks", {
          message: `The hooks of ${key} are ignored: they are not a list.`,
          fix: 'Write [{ "matcher": …, "hooks": [ … ] }].',
          location: value.at,
        }),
      ];
    return value.items().flatMap((entry) => lintEntry(key, entry));
  });
}

function lintEntry(event: string, entry: JsonValue): Problem[] {
  const list = entry.get("hooks");
  if (list === undefined || !Array.isArray(list.value))
    return [
      problem("plugin/hooks", {
        message: `This entry of ${event} is ignored: it has no list \`hooks\`.`,
        fix: 'Write { "matcher": …, "hooks": [{ "type": "command", "command": … }] }.',
        location: entry.at,
      }),
    ];
  return list.items().flatMap((hook): Problem[] => {
    const type = hook.get("type");
    if (type === undefined || !TYPES.includes(String(type.value)))
      return [
        problem("plugin/hooks", {
          message: `A hook of ${event} has ${type === undefined ? "no type" : `the type ${JSON.stringify(type.value)}`} and is ignored.`,
          fix: didYouMean(String(type?.value ?? ""), TYPES, `The types are ${TYPES.join(", ")}.`, { most: 1 }),
          location: (type ?? hook).at,
        }),
      ];
    const needs = type.value === "command" ? "command" : type.value === "prompt" || type.value === "agent" ? "prompt" : undefined;
    if (needs === undefined || typeof hook.get(needs)?.value === "string") return [];
    return [
      problem("plugin/hooks", {
        message: `A hook of ${event} has no ${needs} and does nothing.`,
        fix: `Add \`${needs}\`.`,
        location: hook.at,
      }),
    ];
  });
}
