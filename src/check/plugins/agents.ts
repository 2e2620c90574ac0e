import { join } from "node:path";
import { isWithin, lineIndex, type Problem, problemsBy, type Rule, readText } from "../../base/index.ts";
import { readFrontmatter } from "../../exam/find/index.ts";
import type { JsonFile } from "./json-file.ts";
import type { PluginFolder, PluginScene } from "./plugin-scene.ts";

export const agentRules = {
  "plugin/agent": { severity: "warning", title: "A plugin's agent has no description" },
  "plugin/slash-command": { severity: "info", title: "A plugin's command has no description" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(agentRules);

export function lintAgents({ home, claude }: PluginFolder, { files }: PluginScene): Problem[] {
  if (claude === undefined) return [];
  const inside = [...files].filter((file) => isWithin(home, file));
  const of = (folder: "agents" | "commands") => {
    const named = namedIn(claude, folder).map((path) => join(home, path));
    const found = inside.filter(
      (file) => new RegExp(`^${folder}[\\\\/].*\\.md$`).test(file.slice(home.length + 1)) || named.includes(file),
    );
    // A folder of commands may contain skills.
    return found.filter((file) => !/[\\/](?:README|SKILL)\.md$/i.test(file));
  };
  return [
    ...of("agents").flatMap((file) => lintPrompt(file, "agent")),
    ...of("commands").flatMap((file) => lintPrompt(file, "command")),
  ];
}

function namedIn({ root }: JsonFile, key: string): string[] {
  const field = root.get(key);
  return field === undefined
    ? []
    : [field, ...field.items()].flatMap(({ value }) =>
        typeof value === "string" && value.endsWith(".md") ? [value] : [],
      );
}

function lintPrompt(file: string, what: "agent" | "command"): Problem[] {
  const read = readText(file);
  if (read.status === "unreadable") return [];
  const say = (severity: Problem["severity"], message: string, fix: string, offset = 0) =>
    problem(what === "agent" ? "plugin/agent" : "plugin/slash-command", {
      severity,
      message,
      fix,
      location: { file, ...lineIndex(read.text)(offset) },
    });
  // People can use a command without a description, but a model chooses an agent by its description.
  const mild = what === "agent" ? "warning" : "info";
  const header = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(read.text);
  const fix = "Add `description:` with what it is for.";
  if (header?.[1] === undefined || header[2] === undefined)
    return [
      say(
        mild,
        `This ${what} has no frontmatter, so ${what === "agent" ? "Claude is told nothing about it" : "nobody is told what it is for"}.`,
        "Begin the file with ---, description and ---.",
      ),
    ];
  const { values, fields, failure } = readFrontmatter(read.text, header[1].length, header[1].length + header[2].length);
  if (failure !== undefined && Object.keys(values).length === 0)
    return [
      say(
        "error",
        `The frontmatter cannot be read: ${failure.message}. Claude Code drops all of it and takes the name from the file's.`,
        "Correct the YAML.",
        failure.place.start,
      ),
    ];
  const wrong = Object.entries(FIELDS).flatMap(([key, { wanted, fits }]) => {
    const value = values[key];
    if (value === undefined || value === null || fits(value) || (key === "allowed-tools" && what === "agent"))
      return [];
    return [
      say("error", `${key} must be ${wanted}. Claude Code drops it.`, `Write ${wanted}.`, fields.get(key)?.value.start),
    ];
  });
  if (wrong.length > 0 || String(values["description"] ?? "").trim() !== "") return wrong;
  return [
    say(
      mild,
      what === "agent"
        ? "This agent has no description, so Claude is not told when to use it."
        : "This command has no description, so neither users nor Claude are told what it is for.",
      fix,
      fields.get("description")?.key.start,
    ),
  ];
}

/** A description may be a YAML number, a name may not. */
const FIELDS: Record<string, { wanted: string; fits(value: unknown): boolean }> = {
  name: { wanted: "text", fits: (value) => typeof value === "string" },
  description: { wanted: "text", fits: (value) => typeof value !== "object" },
  "allowed-tools": {
    wanted: "text, or a list of texts",
    fits: (value) =>
      typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string")),
  },
};
