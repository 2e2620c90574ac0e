import { join } from "node:path";
import { type Problem, problemsBy, type Rule } from "../../base/index.ts";
import { type JsonValue, readJson } from "./json-file.ts";
import type { PluginFolder, PluginScene } from "./plugin-scene.ts";

export const serverRules = {
  "plugin/servers": { severity: "error", title: "A plugin's server is not started" },
} as const satisfies Record<string, Rule>;

const problem = problemsBy(serverRules);

/** Servers in plugin.json or a marketplace entry. An invalid one invalidates the whole manifest. */
export function lintOwnServers(owner: JsonValue, refused = "manifest"): Problem[] {
  const within = (key: string) => {
    const value = owner.get(key);
    return value === undefined ? [] : [value, ...value.items()].filter((one) => one.isObject);
  };
  const effect = `Claude Code refuses the ${refused}.`;
  return [
    ...within("mcpServers").flatMap((servers) => lintServers(servers, effect)),
    ...within("lspServers").flatMap((servers) =>
      servers.entries().flatMap((server) => lintLanguageServer(server, effect)),
    ),
  ];
}

/** Servers in .mcp.json and in files that the manifest names. An invalid one is silently dropped. */
export function lintServerFiles({ home, claude }: PluginFolder, { files }: PluginScene): Problem[] {
  if (claude === undefined) return [];
  const field = claude.root.get("mcpServers");
  const named =
    field === undefined
      ? []
      : [field, ...field.items()].map(({ value }) => value).filter((value) => typeof value === "string");
  const all = [".mcp.json", ...named.filter((path) => path.endsWith(".json"))].map((path) => join(home, path));
  return [...new Set(all)].filter((file) => files.has(file)).flatMap(lintServerFile);
}

function lintServerFile(file: string): Problem[] {
  const read = readJson(file);
  if ("fault" in read)
    return [
      problem("plugin/servers", {
        message: `The file cannot be read: ${read.fault}. Claude Code starts none of its servers and says so only in its log.`,
        fix: "Correct the JSON.",
        location: read.at,
      }),
    ];
  return lintServers(read.root.get("mcpServers") ?? read.root, "Claude Code drops this server without a word.");
}

const REMOTE = ["http", "sse", "ws", "streamable-http"];
const OF_THE_HOST = ["sdk", "sse-ide", "ws-ide"];

function lintServers(servers: JsonValue, effect: string): Problem[] {
  return servers.entries().flatMap(({ key, at, value: server }): Problem[] => {
    const say = (message: string, fix: string, location = at) => [
      problem("plugin/servers", { message: `MCP server ${key}: ${message} ${effect}`, fix, location }),
    ];
    if (!server.isObject) return say("it is not an object.", 'Write { "command": … } or { "type": "http", "url": … }.');
    const type = server.get("type");
    const kind = type?.value ?? "stdio";
    if (OF_THE_HOST.includes(String(kind))) return [];
    if (kind !== "stdio" && !REMOTE.includes(String(kind)))
      return say(
        `there is no type ${JSON.stringify(kind)}.`,
        "Write stdio (or no type) for a command, or http, sse or ws for a URL.",
        type?.at,
      );
    const needs = kind === "stdio" ? "command" : "url";
    const value = server.get(needs);
    if (value === undefined) {
      const misses = needs === "command" && server.get("url") !== undefined;
      return say(
        `it has no ${needs}.`,
        misses ? 'Add "type": "http", or "sse" or "ws": without a type, a command is expected.' : `Add ${needs}.`,
      );
    }
    if (typeof value.value !== "string" || value.value === "")
      return say(`${needs} must be a string that is not empty.`, `Correct ${needs}.`, value.at);
    const args = server.get("args");
    if (args !== undefined && !isTexts(args.value))
      return say("args must be a list of strings.", 'Write ["…", "…"].', args.at);
    const env = ["env", "headers"].map((name) => ({ name, value: server.get(name) }));
    return env.flatMap(({ name, value }) => {
      const fits =
        value === undefined || (value.isObject && isTexts(value.entries().map((entry) => entry.value.value)));
      return fits ? [] : say(`${name} must be an object of strings.`, "Put the values in double quotes.", value.at);
    });
  });
}

function lintLanguageServer({ key, at, value }: ReturnType<JsonValue["entries"]>[number], effect: string): Problem[] {
  const wants = [
    ["command", typeof value.get("command")?.value === "string"],
    ["extensionToLanguage", value.get("extensionToLanguage")?.isObject === true],
  ] as const;
  return wants.flatMap(([name, fits]) =>
    fits
      ? []
      : [
          problem("plugin/servers", {
            message: `Language server ${key}: it has no ${name}. ${effect}`,
            fix: `Add ${name}.`,
            location: at,
          }),
        ],
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
