import type { Host } from "../host.ts";
import { MOST_DESCRIPTION } from "../spec/fields.ts";
import { firstOf, withByteOrderMark, withLongName, withoutDescription } from "../why-unlisted.ts";
import { allowsImplicitInvocation, findings } from "./lint.ts";
import { listing } from "./listing.ts";

export const codex: Host = {
  id: "codex",
  title: "Codex",
  card: {
    absence: firstOf(withByteOrderMark, withoutDescription, withLongName, (skill) =>
      allowsImplicitInvocation(skill) ? undefined : "agents/openai.yaml: allow_implicit_invocation is false",
    ),
  },
  listing,
  lint: {
    longDescription: { most: MOST_DESCRIPTION, are: "cut" },
    withoutDescription: "dropped",
    name: { folderInstead: true, tooLong: "dropped" },
    calledBy: "name",
    oddName: () => ({ does: "takes it" }),
    byteOrderMark: "dropped",
    invalidYaml: { colon: "loaded", other: "loaded" },
    skillFolders: { ".agents": "any depth" },
    disableModelInvocation: "ignored",
    commandsOfSkills: "inert",
    own: findings,
  },
  folders: [".codex"],
  ownFiles: {
    paths: [".codex", ".codex-plugin", ".agents", "AGENTS.md", "AGENTS.override.md"],
    source:
      "learn.chatgpt.com/docs: config-file, agent-configuration, hooks, build-skills; and the names in the program of 0.166.0",
  },
  agent: {
    id: "codex",
    judges: true,
    takesUp: [".agents", ".codex", "AGENTS.md", "AGENTS.override.md"],
    load: async () => (await import("./adapter.ts")).adapter,
  },
};
