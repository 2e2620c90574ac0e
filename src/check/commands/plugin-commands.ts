import { basename, dirname, resolve } from "node:path";
import { type Node, parseTree } from "jsonc-parser";
import { isWithin, nestedTooDeep, readText, relativePosix } from "../../base/index.ts";
import { placeIn } from "../../exam/find/index.ts";
import { commandsInMarkdown, type OwnCommand } from "./skill-commands.ts";

/** Commands that a plugin, or settings checked into the repository, run unprompted. */
export function pluginCommands(root: string, files: readonly string[]): OwnCommand[] {
  const known = new Set(files);
  const named = new Set<string>();
  const found = files.flatMap((file) => {
    const kind = kindOf(relativePosix(root, file));
    if (kind === undefined) return [];
    if (kind === "code") return [{ what: "a plugin's code", command: basename(file), location: { file } }];
    return commandsOf(file, kind, (path) => named.add(path));
  });
  // A manifest may keep its hooks and servers in any file.
  const further = [...named].filter(
    (file) => known.has(file) && isWithin(root, file) && kindOf(relativePosix(root, file)) === undefined,
  );
  return [...found, ...further.flatMap((file) => commandsOf(file, "whole", () => {}))];
}

type FileKind = "whole" | "members" | "markdown" | "code";

const NOT_INSTALLED = /(^|\/)(evals?|tests?|__tests__|fixtures|examples?)\//;

function kindOf(path: string): FileKind | undefined {
  if (NOT_INSTALLED.test(path)) return undefined;
  if (/(^|\/)(hooks|monitors|\.?mcp|\.?lsp)\.json$/.test(path) || /(^|\/)\.github\/hooks\/[^/]+\.json$/.test(path))
    return "whole";
  if (
    /(^|\/)(plugin|marketplace|gemini-extension|qwen-extension|settings|settings\.local|opencode)\.jsonc?$/.test(path)
  )
    return "members";
  if (/(^|\/)(commands|agents)\/(?:.*\/)?[^/]+\.md$/.test(path)) return "markdown";
  return /(^|\/)\.opencode\/(plugins?|tools?)\/[^/]+\.[cm]?[jt]s$/.test(path) ? "code" : undefined;
}

const MEMBERS: Record<string, (name: string) => string> = {
  hooks: (name) => `a hook (${name})`,
  mcpServers: (name) => `the MCP server ${name}`,
  mcp: (name) => `the MCP server ${name}`,
  servers: (name) => `the MCP server ${name}`,
  lspServers: (name) => `the language server ${name}`,
  lsp: (name) => `the language server ${name}`,
  monitors: () => "a monitor",
  statusLine: () => "the status line",
  subagentStatusLine: () => "the status line",
  fileSuggestion: () => "the file suggestion",
};
const HELPERS = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "otelHeadersHelper"];
function aboutOf(file: string): (name: string) => string {
  // `!`: all four keys are in MEMBERS.
  if (/mcp\.json$/.test(file)) return MEMBERS["mcpServers"]!;
  if (/lsp\.json$/.test(file)) return MEMBERS["lspServers"]!;
  return /monitors\.json$/.test(file) ? MEMBERS["monitors"]! : MEMBERS["hooks"]!;
}

function commandsOf(file: string, kind: Exclude<FileKind, "code">, name: (path: string) => void): OwnCommand[] {
  const read = readText(file);
  if (read.status === "unreadable") return [];
  if (kind === "markdown") return commandsInMarkdown(file, read.text);
  if (nestedTooDeep(read.text)) return [];
  const tree = parseTree(read.bom ? ` ${read.text.slice(1)}` : read.text, [], { allowTrailingComma: true });
  if (tree === undefined) return [];
  const found: PluginCommand[] = [];
  // A manifest is in a folder of its own, such as .claude-plugin; its paths are relative to that folder's parent.
  const home = /[\\/]\.[^\\/]+$/.test(dirname(file)) ? dirname(dirname(file)) : dirname(file);
  const plain = kind === "whole" && !members(tree).some(([key]) => Object.hasOwn(MEMBERS, key));
  if (plain) for (const [key, value] of members(tree)) gather(value, aboutOf(file)(key), found);
  else collect(tree, { found, name: (path) => name(resolve(home, path)) });
  return found.slice(0, MOST_TOLD).map(({ what, command, node }) => ({
    what,
    command,
    location: placeIn(read.text, file, { start: node.offset, end: node.offset + node.length }),
  }));
}

const MOST_TOLD = 50;

interface PluginCommand {
  what: string;
  command: string;
  node: Node;
}

interface Collecting {
  found: PluginCommand[];
  name(path: string): void;
}

/** Searches at any depth, because a marketplace may contain whole manifests. */
function collect(node: Node, collecting: Collecting, depth = 0): void {
  if (depth > 8) return;
  for (const [key, value] of members(node)) {
    const what = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
    if (HELPERS.includes(key) && value.type === "string")
      collecting.found.push({ what: `the ${key}`, command: String(value.value), node: value });
    else if (what === undefined) collect(value, collecting, depth + 1);
    else if (value.type === "string") collecting.name(String(value.value));
    else if (key === "hooks" && value.type === "array")
      for (const one of value.children ?? []) hooksIn(one, what, collecting);
    else if (key === "statusLine" || value.type === "array") gather(value, what(""), collecting.found);
    else for (const [name, one] of members(value)) gather(one, what(name), collecting.found);
  }
  if (node.type === "array") for (const one of node.children ?? []) collect(one, collecting, depth + 1);
}

function hooksIn(node: Node, what: (name: string) => string, { found, name }: Collecting): void {
  if (node.type === "string") name(String(node.value));
  for (const [event, hooks] of members(node)) gather(hooks, what(event), found);
}

function gather(node: Node, what: string, found: PluginCommand[], depth = 0): void {
  if (depth > 8) return;
  const own = members(node);
  const args = own.find(([key]) => key === "args")?.[1];
  for (const [key, value] of own) {
    const words = COMMANDS.includes(key) ? texts(value) : [];
    if (words.length > 0)
      found.push({
        what,
        command: [...words, ...(key === "command" && args ? texts(args) : [])].join(" "),
        node: value,
      });
    else if (value !== args) gather(value, what, found, depth + 1);
  }
  if (node.type === "array") for (const one of node.children ?? []) gather(one, what, found, depth + 1);
}

const COMMANDS = ["command", "bash", "powershell", "url", "httpUrl", "serverUrl"];

function texts(node: Node): string[] {
  if (node.type === "string") return [String(node.value)];
  return node.type === "array"
    ? (node.children ?? []).flatMap((one) => (one.type === "string" ? [String(one.value)] : []))
    : [];
}

function members(node: Node): [string, Node][] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children }) =>
    children?.[0] !== undefined && children[1] !== undefined
      ? [[String(children[0].value), children[1]] as [string, Node]]
      : [],
  );
}
