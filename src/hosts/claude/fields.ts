import type { HostField } from "../host.ts";

export const fields: Readonly<Record<string, HostField>> = {
  when_to_use: {
    kind: "text",
    triggering: "appended to the description in Claude Code's listing; other hosts never show it",
  },
  "disable-model-invocation": {
    kind: "boolean",
    triggering: "the model is not told about the skill; hosts that do not read the key list it",
  },
  "user-invocable": {
    kind: "boolean",
    triggering: "false hides it from the user's menu; the model may still activate it",
  },
  paths: { kind: "texts", triggering: "Claude Code lists the skill only after a matching file was touched" },
  "argument-hint": { kind: "any", triggering: "nothing" },
  arguments: { kind: "any", triggering: "nothing" },
  "disallowed-tools": { kind: "texts", triggering: "nothing" },
  model: { kind: "text", triggering: "nothing: it applies after activation" },
  effort: { kind: "any", triggering: "nothing: it applies after activation" },
  context: { kind: "text", triggering: "`fork` runs the skill in a sub-agent, where its activation is harder to see" },
  agent: { kind: "text", triggering: "nothing" },
  background: { kind: "boolean", triggering: "nothing" },
  hooks: {
    kind: "any",
    triggering: "like allowed-tools: with no user present, the activation is refused unless allowed",
  },
  shell: { kind: "text", triggering: "nothing" },
};
