import { basename } from "node:path";
import type { Skill } from "../../model/index.ts";
import type { Host, HostField } from "../host.ts";
import { firstOf, firstParagraph, switchedOff, withPaths } from "../why-unlisted.ts";
import { findings } from "./lint.ts";
import { listing, MOST_SHOWN } from "./listing.ts";

const fields: Readonly<Record<string, HostField>> = {
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

export const claude: Host = {
  id: "claude-code",
  title: "Claude Code",
  card: {
    absence: firstOf(
      ({ file }) => (basename(file) === "SKILL.md" ? undefined : "its file is not called SKILL.md"),
      withPaths,
      switchedOff,
    ),
    name: nameOf,
    description: descriptionOf,
  },
  listing,
  lint: {
    longDescription: { most: MOST_SHOWN, are: "cut" },
    withoutDescription: "replaced by the body",
    name: { folderInstead: true },
    calledBy: "folder",
    oddName: ({ source }) => ({ does: source.plugin === undefined ? "goes by the folder" : "takes it" }),
    byteOrderMark: "loaded",
    invalidYaml: { colon: "loaded", other: "loaded" },
    exactFileName: true,
    skillFolders: { ".claude": "one level" },
    disableModelInvocation: "honoured",
    // Observed with 2.1.325: hooks run as soon as the skill is loaded, commands in its text if its allowed-tools
    // include the shell.
    commandsOfSkills: "run",
    own: findings,
  },
  fields,
  folders: [".claude"],
  ownFiles: {
    paths: [".claude", ".claude-plugin", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".mcp.json", ".lsp.json"],
    source:
      "code.claude.com/docs: settings, hooks, memory, mcp, skills, sub-agents, plugins-reference; and what 2.1.325 was seen to open in its folder",
  },
  agent: {
    id: "claude",
    judges: true,
    takesUp: [".claude", "CLAUDE.md", "CLAUDE.local.md", ".mcp.json"],
    load: async () => (await import("./adapter.ts")).adapter,
  },
};

function nameOf(skill: Skill): string {
  if (skill.source.plugin !== undefined) return `${skill.source.plugin}:${skill.name}`;
  const folder = basename(skill.dir);
  return folder === skill.name ? folder : `${folder} (${skill.name})`;
}

function descriptionOf({ card: { description, whenToUse }, body }: Skill): string {
  const whole = [description === "" ? firstParagraph(body) : description, whenToUse].filter(Boolean).join(" - ");
  return oneLine(whole).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function oneLine(text: string): string {
  return text.includes("\n") ? text.split(/\s+/).join(" ") : text;
}
