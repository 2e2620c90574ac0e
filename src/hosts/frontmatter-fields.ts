import type { HostId } from "./host.ts";

type Kind = "text" | "boolean" | "texts" | "map" | "any";

export interface FrontmatterField {
  /** Who reads it. `spec` means every host may. */
  readBy: readonly HostId[];
  kind: Kind;
  /** What it means for the skill being activated. */
  triggering: string;
}

/** Every frontmatter field of the specification and of the hosts, and what it means for being triggered. */
export const frontmatterFields: Readonly<Record<string, FrontmatterField>> = {
  name: {
    readBy: ["spec"],
    kind: "text",
    triggering: "what the model calls; in Claude Code outside plugins the folder's name is called instead",
  },
  description: { readBy: ["spec"], kind: "text", triggering: "all a model knows of the skill before it activates it" },
  license: { readBy: ["spec"], kind: "text", triggering: "nothing" },
  compatibility: { readBy: ["spec"], kind: "text", triggering: "nothing" },
  metadata: { readBy: ["spec"], kind: "map", triggering: "nothing" },
  "allowed-tools": {
    readBy: ["spec"],
    kind: "texts",
    triggering: "Claude Code without a user at hand refuses to activate the skill unless the Skill tool is allowed",
  },
  when_to_use: {
    readBy: ["claude-code"],
    kind: "text",
    triggering: "appended to the description in Claude Code's listing; other hosts never show it",
  },
  "disable-model-invocation": {
    readBy: ["claude-code", "copilot", "qwen"],
    kind: "boolean",
    triggering: "the model is not told of the skill; Codex, Gemini CLI and OpenCode ignore it and list the skill",
  },
  "user-invocable": {
    readBy: ["claude-code", "copilot"],
    kind: "boolean",
    triggering: "false hides it from the user's menu; the model may still activate it",
  },
  paths: { readBy: ["claude-code"], kind: "texts", triggering: "Claude Code lists the skill only after a matching file was touched" },
  "argument-hint": { readBy: ["claude-code", "copilot"], kind: "any", triggering: "nothing" },
  arguments: { readBy: ["claude-code"], kind: "any", triggering: "nothing" },
  "disallowed-tools": { readBy: ["claude-code"], kind: "texts", triggering: "nothing" },
  model: { readBy: ["claude-code"], kind: "text", triggering: "nothing: it applies after activation" },
  effort: { readBy: ["claude-code"], kind: "any", triggering: "nothing: it applies after activation" },
  context: {
    readBy: ["claude-code"],
    kind: "text",
    triggering: "`fork` runs the skill in a sub-agent, where its activation is harder to see",
  },
  agent: { readBy: ["claude-code"], kind: "text", triggering: "nothing" },
  background: { readBy: ["claude-code"], kind: "boolean", triggering: "nothing" },
  hooks: {
    readBy: ["claude-code"],
    kind: "any",
    triggering: "as allowed-tools: without a user at hand the activation is refused unless allowed",
  },
  shell: { readBy: ["claude-code"], kind: "text", triggering: "nothing" },
};

/** The fields of the specification; claude.ai and the Skills API refuse all others. */
export const specFields: readonly string[] = Object.keys(frontmatterFields).filter((key) =>
  frontmatterFields[key]!.readBy.includes("spec"),
);

/** Hosts take yes, on and 1 for true, quoted or not. */
export function truthy(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|on|1)$/i.test(value.trim()));
}

export function falsy(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === "string" && /^(false|no|off|0)$/i.test(value.trim()));
}
