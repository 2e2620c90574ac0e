import type { Host } from "../host.ts";
import { firstOf, withBrokenFrontmatter, withoutDescription } from "../why-unlisted.ts";

export const opencode: Host = {
  id: "opencode",
  title: "OpenCode",
  card: {
    absence: firstOf(
      // It repairs an unquoted colon itself.
      ({ reading }) =>
        reading?.repairs.some(({ why }) => why !== "colon") ? "its frontmatter is not valid YAML" : undefined,
      withBrokenFrontmatter,
      withoutDescription,
    ),
  },
  lint: {
    longDescription: "shown",
    withoutDescription: "unlisted",
    calledBy: "name",
    oddName: () => ({ does: "takes it" }),
    byteOrderMark: "loaded",
    invalidYaml: { colon: "loaded", other: "dropped" },
    brokenFrontmatter: "dropped",
    skillFolders: { ".claude": "any depth", ".agents": "any depth" },
    disableModelInvocation: "ignored",
  },
  folders: [".opencode"],
  ownFiles: {
    paths: [
      ".opencode",
      ".agents",
      ".claude",
      "opencode.json",
      "opencode.jsonc",
      "/tui.json",
      "/tui.jsonc",
      "AGENTS.md",
      "CLAUDE.md",
      "/CONTEXT.md",
      "/bunfig.toml",
    ],
    source:
      "opencode.ai/docs: config, rules, agents, commands, plugins, skills; bun.sh/docs: a compiled program may take up a bunfig.toml",
  },
  agent: {
    id: "opencode",
    takesUp: [".opencode", "opencode.json", "opencode.jsonc"],
    load: async () => (await import("./adapter.ts")).adapter,
  },
};
