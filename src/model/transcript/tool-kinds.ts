/** What a tool does, independent of its name on a host. MCP tools are `mcp:server/tool`; unknown tools are `other`. */
export type ToolKind =
  | "shell"
  | "read"
  | "write"
  | "edit"
  | "search"
  | "web"
  | "skill"
  | "agent"
  | "plan"
  | "other"
  | `mcp:${string}`;

/** Tool names in lower case of Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode and Copilot CLI. */
const NAMES: Record<Exclude<ToolKind, "other" | `mcp:${string}`>, readonly string[]> = {
  shell: [
    ...[
      "bash",
      "shell",
      "exec_command",
      "write_stdin",
      "local_shell",
      "command_execution",
      "unified_exec",
      "container.exec",
    ],
    ...[
      "run_shell_command",
      "powershell",
      "bashoutput",
      "read_bash",
      "write_bash",
      "stop_bash",
      "killshell",
      "run_in_terminal",
    ],
  ],
  read: ["read", "read_file", "read_many_files", "view", "view_image", "notebookread", "open_file"],
  write: ["write", "write_file", "create", "create_file"],
  edit: [
    "edit",
    "multiedit",
    "notebookedit",
    "replace",
    "apply_patch",
    "patch",
    "file_change",
    "str_replace",
    "str_replace_editor",
  ],
  search: [
    ...[
      "grep",
      "glob",
      "ls",
      "list",
      "search",
      "grep_search",
      "search_file_content",
      "list_directory",
      "list_dir",
      "file_search",
    ],
    ...["rg", "find", "codesearch"],
  ],
  web: ["webfetch", "websearch", "web_fetch", "web_search", "google_web_search", "fetch", "web_search_call"],
  skill: ["skill", "activate_skill", "load_skill", "use_skill"],
  agent: ["task", "agent", "spawn_agent", "delegate_to_agent"],
  plan: ["todowrite", "todoread", "update_plan", "write_todos", "todo_write", "exitplanmode", "report_intent"],
};

const KINDS = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const)),
);

export function toolKind(tool: string, input?: unknown): ToolKind {
  const mcp = mcpTool(tool);
  if (mcp !== undefined) return mcp;
  const kind = KINDS.get(tool.toLowerCase()) ?? "other";
  if (kind !== "edit") return kind;
  const told = typeof input === "object" && input !== null ? (input as Record<string, unknown>)["command"] : undefined;
  if (told === "create") return "write";
  return told === "view" ? "read" : kind;
}

/** Names a suite may use for this call: the host's own, its kind, and other hosts' names for that kind. */
export function toolNames(tool: string, input?: unknown): readonly string[] {
  const kind = toolKind(tool, input);
  const mcp = /^mcp:([^/]+)\/(.+)$/.exec(kind);
  return [tool, kind, ...(mcp === null ? (WRITTEN.get(kind) ?? []) : [`mcp__${mcp[1]}__${mcp[2]}`])];
}

const CAPITALS = new Map(
  [
    "Bash",
    "BashOutput",
    "KillShell",
    "Read",
    "NotebookRead",
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Grep",
    "Glob",
    "LS",
  ]
    .concat(["WebFetch", "WebSearch", "Skill", "Task", "Agent", "TodoWrite", "TodoRead", "ExitPlanMode"])
    .map((name) => [name.toLowerCase(), [name, name.toLowerCase()]] as const),
);

const WRITTEN = new Map<string, readonly string[]>(
  Object.entries(NAMES).map(([kind, names]) => [kind, names.flatMap((name) => CAPITALS.get(name) ?? name)]),
);

/** Accepts `mcp__server__tool` (Claude Code, Gemini CLI, Qwen Code) and `mcp:server/tool`. */
function mcpTool(tool: string): `mcp:${string}` | undefined {
  if (tool.startsWith("mcp:")) return tool as `mcp:${string}`;
  const named = /^mcp__(.+?)__(.+)$/.exec(tool);
  return named === null ? undefined : `mcp:${named[1]}/${named[2]}`;
}
