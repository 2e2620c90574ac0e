import { join } from "node:path";
import { kindAt, type Problem, problemsBy, type Rule } from "../../base/index.ts";
import type { JsonValue } from "./json-file.ts";
import type { PluginScene } from "./plugin-scene.ts";

export const pathRules = {
  "plugin/path": { severity: "error", title: "A plugin's manifest names something that is not there" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(pathRules);

export const PATHS = ["commands", "agents", "skills", "hooks", "mcpServers", "lspServers", "outputStyles", "workflows"];
const ENDINGS: Record<string, { pattern: RegExp; words: string; fix: string }> = {
  agents: {
    pattern: /\.md$/,
    words: "an agent's file ends in .md, and a folder cannot be named",
    fix: 'Write "./agents/name.md" for each, or leave `agents` out: agents/ is found without it.',
  },
  hooks: { pattern: /\.json$/, words: "a file of hooks ends in .json", fix: "Name a .json file." },
  mcpServers: {
    pattern: /\.(?:json|mcpb|dxt)$/,
    words: "a file of servers ends in .json, .mcpb or .dxt",
    fix: "Name such a file.",
  },
};

export function lintPaths(key: string, value: JsonValue | undefined, { home, host, scene }: PathOwner): Problem[] {
  const malformed = lintForms(key, value, host);
  if (malformed.length > 0) return malformed;
  return named(key, value).flatMap((one): Problem[] => {
    const path = String(one.value);
    const file = join(home, path);
    const say = (message: string, fix: string) => [
      problem("plugin/path", { message: `${key}: ${message}`, fix, location: one.at }),
    ];
    const kind = scene.files.has(file) ? "file" : kindAt(file, scene.root);
    if (key === "skills" && kind === "file")
      return say(
        `"${path}" is a file, and hosts look for folders with a SKILL.md in them.`,
        "Name the folder that SKILL.md is in.",
      );
    if (kind !== "missing") return [];
    const silent = key === "mcpServers" && path.endsWith(".json");
    const what = silent ? "its servers are skipped silently" : "the plugin is reported as broken when it is loaded";
    return say(`there is no ${path} in the plugin, and ${what}.`, "Correct the path, or add what it names.");
  });
}

export interface PathOwner {
  home: string;
  host: "Claude Code" | "Codex";
  scene: PluginScene;
}

export function lintForms(
  key: string,
  value: JsonValue | undefined,
  host: PathOwner["host"] = "Claude Code",
): Problem[] {
  return named(key, value).flatMap((one): Problem[] => {
    const path = String(one.value);
    const say = (message: string, fix: string) => [
      problem("plugin/path", { message: `${key}: ${message}`, fix, location: one.at }),
    ];
    if (!path.startsWith("./") && !(key === "skills" && path === "."))
      return say(
        `"${path}" does not start with "./". ${host} refuses the manifest.`,
        `Write "./${path.replace(/^[./\\]+/, "")}".`,
      );
    if (path.split("/").includes(".."))
      return say(
        `"${path}" has ".." in it, and only the plugin's own folder is installed.`,
        'Move it into the plugin, and write its path without "..".',
      );
    const ending = host === "Claude Code" ? ENDINGS[key] : undefined;
    return ending === undefined || ending.pattern.test(path)
      ? []
      : say(`"${path}": ${ending.words}. ${host} refuses the manifest.`, ending.fix);
  });
}

function named(key: string, value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  const sources =
    key === "commands" && value.isObject ? value.entries().flatMap((entry) => entry.value.get("source") ?? []) : [];
  return [value, ...value.items(), ...sources].filter(
    (one) => typeof one.value === "string" && !/^https?:/.test(one.value),
  );
}
