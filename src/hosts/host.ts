/** Where skills are used, as profiles of the lint. `spec` is the Agent Skills specification itself. */
export const hostLabels = {
  spec: "the specification",
  "claude-code": "Claude Code",
  "claude-ai": "claude.ai",
  codex: "Codex",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
  qwen: "Qwen Code",
} as const;

export type HostId = keyof typeof hostLabels;

export const hostIds = Object.keys(hostLabels) as HostId[];

/** `Codex, Gemini CLI and OpenCode` */
export function hostNames(hosts: readonly HostId[]): string {
  const names = hosts.map((host) => hostLabels[host]);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
