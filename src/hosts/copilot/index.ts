import { firstLine } from "../../base/index.ts";
import type { Skill } from "../../model/index.ts";
import type { Host, OddName } from "../host.ts";
import { MOST_DESCRIPTION } from "../spec/fields.ts";
import {
  firstOf,
  firstParagraph,
  switchedOff,
  withBrokenFrontmatter,
  withLongDescription,
  withLongName,
} from "../why-unlisted.ts";
import { listing } from "./listing.ts";

export const copilot: Host = {
  id: "copilot",
  title: "Copilot CLI",
  card: {
    absence: firstOf(
      ({ frontmatter }) => (Object.keys(frontmatter).length === 0 ? "it has no frontmatter" : undefined),
      ({ reading }) => ((reading?.repairs.length ?? 0) > 0 ? "its frontmatter is not valid YAML" : undefined),
      withBrokenFrontmatter,
      withLongDescription,
      withLongName,
      ({ name }) => (dropsName(name) ? `Copilot CLI drops names like ${name}` : undefined),
      switchedOff,
    ),
    name: ({ name }) => hyphenated(name),
    description: ({ card, body }) => (card.description === "" ? firstLine(firstParagraph(body)) : card.description),
  },
  listing,
  lint: {
    longDescription: { most: MOST_DESCRIPTION, are: "dropped" },
    withoutDescription: "replaced by the body",
    name: { tooLong: "dropped" },
    calledBy: "name",
    oddName,
    byteOrderMark: "loaded",
    invalidYaml: { colon: "dropped", other: "dropped" },
    brokenFrontmatter: "dropped",
    skillFolders: { ".claude": "any depth", ".agents": "any depth" },
    disableModelInvocation: "honoured",
    commandsOfSkills: "inert",
  },
  fields: {
    "disable-model-invocation": { kind: "boolean", triggering: "the model is not told about the skill" },
    "user-invocable": { kind: "boolean", triggering: "nothing" },
    "argument-hint": { kind: "any", triggering: "nothing" },
  },
  folders: [".copilot", ".github"],
  ownFiles: {
    paths: [
      ".copilot",
      ".github/copilot",
      ".github/copilot-instructions.md",
      ".github/instructions",
      ".github/agents",
      ".github/prompts",
      ".github/chatmodes",
      ".github/hooks",
      ".github/skills",
      ".github/extensions",
      ".github/plugin",
      ".github/mcp.json",
      ".github/lsp.json",
      ".github/allowed_models.txt",
      ".vscode/mcp.json",
      ".mcp.json",
      ".agents",
      ".claude",
      "AGENTS.md",
      "CLAUDE.md",
      "GEMINI.md",
    ],
    source:
      "docs.github.com/copilot/how-tos/copilot-cli/customize-copilot; and what 1.0.102 was seen to open in its folder",
  },
  agent: {
    id: "copilot",
    takesUp: [".copilot", ".github", ".vscode/mcp.json"],
    load: async () => (await import("./adapter.ts")).adapter,
  },
};

function oddName({ name }: Skill): OddName {
  if (dropsName(name)) return { does: "drops" };
  return name.includes(" ") ? { does: "renames", to: hyphenated(name) } : { does: "takes it" };
}

function dropsName(name: string): boolean {
  return !/^[a-z0-9][a-z0-9._: -]*$/i.test(name);
}

function hyphenated(name: string): string {
  return name.replaceAll(" ", "-");
}
