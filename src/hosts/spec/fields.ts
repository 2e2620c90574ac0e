import type { HostField } from "../host.ts";

/** The specification's limits in characters, which hosts share. */
export const MOST_NAME = 64;
export const MOST_DESCRIPTION = 1024;

export const specFields: Readonly<Record<string, HostField>> = {
  name: {
    kind: "text",
    triggering: "what the model calls; in Claude Code outside plugins the folder's name is called instead",
  },
  description: { kind: "text", triggering: "all a model knows of the skill before it activates it" },
  license: { kind: "text", triggering: "nothing" },
  compatibility: { kind: "text", triggering: "nothing" },
  metadata: { kind: "map", triggering: "nothing" },
  "allowed-tools": {
    kind: "texts",
    triggering: "Claude Code without a user at hand refuses to activate the skill unless the Skill tool is allowed",
  },
};

export function keysOutsideSpec(frontmatter: Record<string, unknown>): string[] {
  return Object.keys(frontmatter).filter((key) => !Object.hasOwn(specFields, key));
}
