import { z } from "zod";
import type { Check } from "../../model/index.ts";
import { type ToolCall, type Transcript, toolKind, toolNames } from "../../model/index.ts";
import { skipped } from "../checks.ts";
import { find, patternFault } from "../patterns/pattern.ts";

export function callsOf({ calls, workspace, texts }: Transcript): readonly ToolCall[] | Check {
  if (calls.length === 0 && workspace === undefined && texts.length > 0) return skipped("this target uses no tools");
  return calls;
}

export function isCalls(value: readonly ToolCall[] | Check): value is readonly ToolCall[] {
  return Array.isArray(value);
}

/**
 * Whether a suite's name for a tool means this call: the host's own name, its kind (`shell`, `read`,
 * `mcp:server/tool`), or another host's name for that kind (`Bash` is `exec_command` on Codex).
 */
export function isTool(call: ToolCall, name: string): boolean {
  return (
    toolNames(call.tool, call.input).some((known) => known === name) ||
    (name === "mcp:*" && toolKind(call.tool).startsWith("mcp:"))
  );
}

export function toolPattern(isLoose: boolean) {
  return z
    .string()
    .min(1)
    .superRefine((written, context) => {
      const message = patternFault(isLoose ? whateverCase(written) : written, "re2");
      if (message !== undefined) context.addIssue({ code: "custom", message });
    });
}

export function whateverCase(written: string): string {
  return `(?i)${written}`;
}

/**
 * The pattern may match anywhere in the host's own name, or in any name of an MCP tool. It must match other hosts'
 * names as a whole: `read` does not mean a shell, although Copilot has a `read_bash`.
 */
export function fitsTool(call: ToolCall, written: string): boolean {
  const [own = "", ...others] = toolNames(call.tool, call.input);
  const isMcp = toolKind(call.tool).startsWith("mcp:");
  return [own, ...(isMcp ? others : [])].some(has(written)) || others.some(has(`^(?:${written})$`));
}

function has(written: string): (name: string) => boolean {
  return (name) => find(written, name) !== undefined;
}

export function shownTool(call: ToolCall): string {
  const kind = toolKind(call.tool, call.input);
  return kind === "other" || kind === call.tool ? call.tool : `${call.tool} (${kind})`;
}

export function usedTools(calls: readonly ToolCall[]): string {
  const shown = [...new Set(calls.map(shownTool))];
  return shown.length === 0
    ? "no tool was used"
    : `used: ${shown.slice(0, 12).join(", ")}${shown.length > 12 ? " …" : ""}`;
}

export function commandOf({ input }: ToolCall): string | undefined {
  const value = first(input, ["command", "cmd", "script"]);
  return Array.isArray(value) ? value.map(String).join(" ") : value === undefined ? undefined : String(value);
}

export function pathsOf(call: ToolCall): string[] {
  const named = first(call.input, [
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "filename",
    "notebook_path",
    "dir_path",
  ]);
  const patch = typeof call.input === "string" ? call.input : first(call.input, ["patch", "input", "patchText"]);
  const patched =
    typeof patch === "string"
      ? [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = ""]) => path)
      : [];
  return [...(typeof named === "string" ? [named] : []), ...patched];
}

export function skillOf(call: ToolCall): string | undefined {
  if (toolKind(call.tool, call.input) !== "skill") return undefined;
  const name = first(call.input, ["skill", "name", "skill_name"]);
  return typeof name === "string" ? name : undefined;
}

function first(input: unknown, names: readonly string[]): unknown {
  if (typeof input !== "object" || input === null) return undefined;
  const members = input as Record<string, unknown>;
  return names.map((name) => members[name]).find((value) => value !== undefined && value !== null);
}
